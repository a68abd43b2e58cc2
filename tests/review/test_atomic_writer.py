"""A file changes whole or not at all, whatever happens to the disk, the folder or the file meanwhile."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from testwright.model.errors import BaseChanged, DiskFull, PathNotAllowed, WriteFailed, WriteUncertain
from testwright.review import file_system_calls
from testwright.review.atomic_writer import (
    FilePlace,
    create_file,
    flush_file,
    new_temp_name,
    remove_temporary,
    replace_file,
    sha256,
)

OLD, NEW = b"old\n", b"new\r\n# and no end of line"


@pytest.fixture
def place(project: Path) -> Iterator[FilePlace]:
    (project / "tests" / "test_a.py").write_bytes(OLD)
    folder = os.open(project / "tests", os.O_RDONLY)
    yield FilePlace(folder, "test_a.py", "tests/test_a.py")
    os.close(folder)


def _nothing() -> None:
    """What happens meanwhile in a quiet folder."""


def _replace(place: FilePlace, meanwhile: Callable[[], object] = _nothing) -> None:
    def check_folder() -> None:  # the last thing a write does before it looks at its target again
        meanwhile()

    replace_file(place, NEW, base_sha256=sha256(OLD), temp_name=new_temp_name(), check_folder=check_folder)


def _create(place: FilePlace, meanwhile: Callable[[], object] = _nothing) -> None:
    def check_folder() -> None:
        meanwhile()

    new = FilePlace(place.folder, "test_new.py", "tests/test_new.py")
    create_file(new, NEW, temp_name=new_temp_name(), check_folder=check_folder)


def _files(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (project / "tests").iterdir()}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o755, 0o400])
def test_a_replaced_file_keeps_its_rights(place: FilePlace, project: Path, mode: int) -> None:
    file = project / "tests" / "test_a.py"
    file.chmod(mode)
    _replace(place)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.getuid() != 0, reason="only root can own somebody else's file")
def test_a_file_replaced_by_root_still_belongs_to_its_owner(place: FilePlace, project: Path) -> None:
    file = project / "tests" / "test_a.py"
    os.chown(file, 1234, 4321)
    _replace(place)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


def test_a_new_file_gets_the_rights_of_any_new_file(place: FilePlace, project: Path) -> None:
    (project / "tests" / "usual.py").touch()
    _create(place)
    usual, made = (stat.S_IMODE((project / "tests" / name).stat().st_mode) for name in ("usual.py", "test_new.py"))
    assert made == usual


def test_a_file_saved_while_we_were_writing_is_kept(place: FilePlace, project: Path) -> None:
    saved = b"somebody's work\n"
    with pytest.raises(BaseChanged):
        _replace(place, meanwhile=lambda: (project / "tests" / "test_a.py").write_bytes(saved))
    assert _files(project) == {"test_a.py": saved}


def test_a_file_put_in_the_place_of_ours_is_kept_even_if_it_reads_the_same(place: FilePlace, project: Path) -> None:
    other = project / "tests" / "other.py"
    other.write_bytes(OLD)
    inode = other.stat().st_ino
    with pytest.raises(BaseChanged):
        _replace(place, meanwhile=lambda: other.replace(project / "tests" / "test_a.py"))
    assert _files(project) == {"test_a.py": OLD}
    assert (project / "tests" / "test_a.py").stat().st_ino == inode


def test_a_file_linked_to_while_we_were_writing_is_not_replaced(place: FilePlace, project: Path) -> None:
    file, other = project / "tests" / "test_a.py", project / "other.py"
    with pytest.raises(PathNotAllowed):
        _replace(place, meanwhile=lambda: os.link(file, other))
    assert _files(project) == {"test_a.py": OLD}


@pytest.mark.parametrize("has_renameat2", [True, False])
def test_a_file_that_appears_while_ours_is_being_made_is_kept(
    place: FilePlace, project: Path, monkeypatch: pytest.MonkeyPatch, has_renameat2: bool
) -> None:
    if not has_renameat2:
        monkeypatch.setattr(file_system_calls, "_libc", SimpleNamespace())
    with pytest.raises(BaseChanged):
        _create(place, meanwhile=lambda: (project / "tests" / "test_new.py").write_bytes(b"theirs"))
    assert _files(project) == {"test_a.py": OLD, "test_new.py": b"theirs"}


def test_a_new_file_is_made_without_the_newer_rename_too(
    place: FilePlace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_system_calls, "_libc", SimpleNamespace())
    _create(place)
    assert _files(project) == {"test_a.py": OLD, "test_new.py": NEW}
    assert (project / "tests" / "test_new.py").stat().st_nlink == 1


# --- a disk that fails -----------------------------------------------------------------------


class _FailingSync:
    """os.fsync that fails for descriptors of one kind, and remembers whom it was asked for."""

    def __init__(self, fails: Callable[[int], bool], number: int = errno.EIO) -> None:
        self._fails, self._number, self._real = fails, number, os.fsync
        self.failed: list[int] = []

    def __call__(self, descriptor: int) -> None:
        if self._fails(os.fstat(descriptor).st_mode):
            self.failed.append(descriptor)
            raise OSError(self._number, os.strerror(self._number))
        self._real(descriptor)


@pytest.mark.parametrize("write", [_replace, _create])
@pytest.mark.parametrize(("number", "error"), [(errno.EIO, WriteFailed), (errno.ENOSPC, DiskFull)])
def test_content_that_did_not_reach_the_disk_is_not_put_in_place_nor_tried_again(
    place: FilePlace,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[FilePlace], None],
    number: int,
    error: type[WriteFailed | DiskFull],
) -> None:
    sync = _FailingSync(stat.S_ISREG, number)
    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(error) as raised:
        write(place)
    assert type(raised.value) is error
    assert len(sync.failed) == 1
    assert _files(project) == {"test_a.py": OLD}


def test_a_name_that_may_not_have_reached_the_disk_is_a_question_not_a_success(
    place: FilePlace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", _FailingSync(stat.S_ISDIR))
        with pytest.raises(WriteUncertain):
            _replace(place)
        with pytest.raises(WriteUncertain):
            flush_file(place)
    assert _files(project) == {"test_a.py": NEW}
    flush_file(place)  # the disk is well again, and says so


def test_a_temporary_file_that_cannot_be_removed_is_a_question_too(
    place: FilePlace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: str, *, dir_fd: int | None = None) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", failing)
        patch.setattr(os, "fsync", _FailingSync(stat.S_ISREG))
        with pytest.raises(WriteUncertain):
            _replace(place)
        (left,) = {name for name in _files(project) if name != "test_a.py"}
        with pytest.raises(WriteUncertain):
            remove_temporary(place, left)
    assert remove_temporary(place, left)
    assert _files(project) == {"test_a.py": OLD}


def test_an_interruption_by_the_user_leaves_nothing_behind(place: FilePlace, project: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _replace(place, meanwhile=interrupt)
    assert _files(project) == {"test_a.py": OLD}


def test_a_name_that_is_not_ours_is_never_used_for_a_temporary_file(place: FilePlace, project: Path) -> None:
    with pytest.raises(ValueError, match="not a temporary name"):
        replace_file(place, NEW, base_sha256=sha256(OLD), temp_name="../test_b.py", check_folder=_nothing)
    assert _files(project) == {"test_a.py": OLD}


# Writes more than there is room for, then what fits: prints the error's code, and then "ok".
FILL_THE_DISK = """
import os, resource, sys
from testwright.model.errors import DiskFull
from testwright.review.confined_root import ConfinedRoot
from testwright.review.atomic_writer import sha256

root = ConfinedRoot(sys.argv[1])
if sys.argv[2] == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))
base = sha256(root.read("tests/test_a.py"))
before = sorted(os.walk(sys.argv[1]))
for write in (
    lambda content: root.replace("tests/test_a.py", content, base_sha256=base),
    lambda content: root.create("tests/new/er/test_b.py", content),
):
    try:
        write(b"x" * 200_000)
    except DiskFull as error:
        print(error.code)
    assert sorted(os.walk(sys.argv[1])) == before, "something was left"
    assert root.sha256("tests/test_a.py") == base, "the file changed"
root.replace("tests/test_a.py", b"y" * 1000, base_sha256=base)
print("ok", len(root.read("tests/test_a.py")))
"""


def test_a_file_larger_than_the_limit_changes_nothing_and_a_retry_works(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(project), "limit"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("disk_full\ndisk_full\nok 1000\n", "")


def _can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    trial = ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _can_mount(), reason="no disk of our own can be mounted here")
def test_a_full_disk_changes_nothing_and_a_retry_works(project: Path) -> None:
    script = (
        'mount -t tmpfs -o size=64k tmpfs "$1" && mkdir "$1/tests" && echo old > "$1/tests/test_a.py" && '
        'exec "$2" -c "$3" "$1" -'
    )
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh"]
    done = subprocess.run(
        [*command, str(project), sys.executable, FILL_THE_DISK], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("disk_full\ndisk_full\nok 1000\n", "")
