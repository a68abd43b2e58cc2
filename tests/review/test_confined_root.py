"""Nothing outside the root is read or written, whatever a name looks like and whatever lies on disk."""

import errno
import os
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from testwright.model.errors import (
    BaseChanged,
    InvalidPath,
    NotARegularFile,
    PathNotAllowed,
    PathNotFound,
    PathUnreadable,
    StoreLocked,
    TestwrightError,
    TooLarge,
)
from testwright.review import file_system_calls
from testwright.review.atomic_writer import new_temp_name, sha256
from testwright.review.confined_opener import best_opener, open_by_steps
from testwright.review.confined_root import ConfinedRoot

CONTENT = b"def test_a():\n    assert True\n"


def test_a_file_below_the_root_is_read_byte_for_byte(root: ConfinedRoot, project: Path) -> None:
    odd = b"\xef\xbb\xbfprint('caf\xe9')\r\nno end of line"
    (project / "tests" / "odd.py").write_bytes(odd)
    assert root.read("tests/odd.py") == odd
    assert root.sha256("tests/odd.py") == sha256(odd)
    assert root.stat("tests/odd.py").st_size == len(odd)


def test_dots_within_the_root_are_fine(root: ConfinedRoot) -> None:
    assert root.read("tests/../tests/test_a.py") == CONTENT


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("../../../etc/passwd", PathNotAllowed),
        ("../proj-evil/s.py", PathNotAllowed),
        ("/etc/passwd", PathNotAllowed),
        ("tests/etcdir/passwd", PathNotAllowed),
        ("tests/etcdir", PathNotAllowed),
        ("tests/environ.py", PathNotAllowed),
        ("tests/inside.py", PathNotAllowed),
        ("tests/dangling.py", PathNotAllowed),
        ("tests/fd/0", PathNotAllowed),
        ("tests/pipe.py", NotARegularFile),
        ("tests/socket.py", NotARegularFile),
        ("tests", NotARegularFile),
        (".", NotARegularFile),
        ("tests/..", NotARegularFile),
        ("tests/a.py\0.png", InvalidPath),
        ("\\\\server\\share\\x.py", InvalidPath),
        ("tests/%2e%2e/%2e%2e/etc/passwd", PathNotFound),
        ("$HOME/.aws/credentials", PathNotFound),
        ("~/.bashrc", PathNotFound),
        ("tests/missing.py", PathNotFound),
        ("tests/test_a.py/deeper", PathNotFound),
    ],
)
def test_what_may_not_be_read_is_refused_at_once(
    root: ConfinedRoot, project: Path, tmp_path: Path, path: str, error: type[TestwrightError]
) -> None:
    tests = project / "tests"
    (tmp_path / "proj-evil").mkdir()
    (tmp_path / "proj-evil" / "s.py").write_text("evil")
    (tests / "etcdir").symlink_to("/etc")
    (tests / "environ.py").symlink_to("/proc/self/environ")
    (tests / "fd").symlink_to("/proc/self/fd")
    (tests / "inside.py").symlink_to("test_a.py")
    (tests / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(tests / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tests / "socket.py"))
        with pytest.raises(error) as raised:
            root.read(path)
    assert raised.value.code == error.code
    assert raised.value.next_step


def test_a_file_that_is_too_large_is_not_read_to_its_end(root: ConfinedRoot, project: Path) -> None:
    with (project / "tests" / "huge.py").open("wb") as sparse:
        sparse.truncate(10**12)
    with pytest.raises(TooLarge):
        root.read("tests/huge.py")
    assert len(root.read("tests/test_a.py", limit=len(CONTENT))) == len(CONTENT)


def test_the_root_stays_the_folder_it_was_when_it_was_opened(root: ConfinedRoot, project: Path, outside: Path) -> None:
    project.rename(project.with_name("moved"))
    project.symlink_to(outside)
    assert root.read("tests/test_a.py") == CONTENT
    with pytest.raises(PathNotFound):
        root.read("secret.txt")


def test_a_root_that_is_no_folder_is_refused(project: Path) -> None:
    with pytest.raises(NotARegularFile):
        ConfinedRoot(project / "tests" / "test_a.py")
    with pytest.raises(PathNotFound):
        ConfinedRoot(project / "missing")


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM])
def test_where_the_kernel_or_a_container_lacks_the_call_folders_are_opened_one_by_one(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def lacking(folder: int, path: str, flags: int) -> int:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(file_system_calls, "open_beneath", lacking)
    descriptor = os.open(project, os.O_RDONLY)
    assert best_opener(descriptor) is open_by_steps
    os.close(descriptor)
    with ConfinedRoot(project) as confined:
        assert confined.read("tests/test_a.py") == CONTENT


def test_a_file_that_may_not_be_read_says_so(project: Path) -> None:
    """Run as nobody where the tests run as root, whom no permission stops."""
    (project / "tests" / "test_a.py").chmod(0)
    program = (
        "import os, sys\n"
        "from testwright.review.confined_root import ConfinedRoot\n"
        "from testwright.model.errors import PathUnreadable\n"
        "root = ConfinedRoot(sys.argv[1])\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "try: root.read('tests/test_a.py')\n"
        "except PathUnreadable as error: print(error.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(project)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{PathUnreadable.code}\n", "")


# --- writing ---------------------------------------------------------------------------------


def test_a_file_is_replaced_if_it_is_the_one_the_change_was_made_for(root: ConfinedRoot, project: Path) -> None:
    new = b"\xef\xbb\xbfdef test_a(): ...\r\n# no end of line"
    root.replace("tests/../tests/test_a.py", new, base_sha256=sha256(CONTENT))
    assert (project / "tests" / "test_a.py").read_bytes() == new
    assert _names(project / "tests") == ["test_a.py"]


def test_a_file_that_changed_or_went_is_not_touched(root: ConfinedRoot, project: Path) -> None:
    with pytest.raises(BaseChanged):
        root.replace("tests/test_a.py", b"new", base_sha256=sha256(b"something else"))
    for gone in ("tests/test_gone.py", "tests/gone/test_gone.py"):
        with pytest.raises(BaseChanged):
            root.replace(gone, b"new", base_sha256=sha256(CONTENT))
    assert (project / "tests" / "test_a.py").read_bytes() == CONTENT
    assert _names(project / "tests") == ["test_a.py"]


def test_a_new_file_gets_the_folders_it_needs(root: ConfinedRoot, project: Path) -> None:
    root.create("tests/unit/deep/test_new.py", b"new")
    assert (project / "tests" / "unit" / "deep" / "test_new.py").read_bytes() == b"new"
    assert _names(project / "tests" / "unit" / "deep") == ["test_new.py"]


def test_a_new_file_never_replaces_one_that_is_there(root: ConfinedRoot, project: Path) -> None:
    with pytest.raises(BaseChanged):
        root.create("tests/test_a.py", b"new")
    assert (project / "tests" / "test_a.py").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (".git/hooks/pre-commit", PathNotAllowed),
        ("src/app.py", PathNotAllowed),
        ("tests/CON.py", InvalidPath),
        ("tests/a.py. ", InvalidPath),
        ("tests/a\n.py", InvalidPath),
        ("tests/a.py\0.png", InvalidPath),
        ("../test_a.py", PathNotAllowed),
        ("tests/conftest.py", PathNotAllowed),
        ("tests/link/test_a.py", PathNotAllowed),
        ("tests/test_link.py", PathNotAllowed),
        ("tests/test_hard.py", PathNotAllowed),
        ("tests/test_pipe.py", NotARegularFile),
        ("tests/folder", NotARegularFile),
        (".", NotARegularFile),
    ],
)
def test_what_may_not_be_written_is_left_as_it_is(
    root: ConfinedRoot, project: Path, outside: Path, path: str, error: type[TestwrightError]
) -> None:
    tests = project / "tests"
    (outside / "test_a.py").write_bytes(CONTENT)
    (tests / "link").symlink_to(outside)
    (tests / "test_link.py").symlink_to(outside / "test_a.py")
    (tests / "test_hard.py").hardlink_to(outside / "test_a.py")
    (tests / "conftest.py").write_bytes(CONTENT)
    (tests / "folder").mkdir()
    os.mkfifo(tests / "test_pipe.py")
    (project / "src").mkdir()
    (project / "src" / "app.py").write_bytes(CONTENT)
    before = _tree(project.parent)
    with pytest.raises(error):
        root.replace(path, b"new", base_sha256=sha256(CONTENT))
    with pytest.raises((error, BaseChanged)):
        root.create(path, b"new")
    assert _tree(project.parent) == before


def test_a_confirmed_support_file_is_written(root: ConfinedRoot, project: Path) -> None:
    root.create("tests/conftest.py", b"import pytest\n", confirmed_support_file=True)
    assert (project / "tests" / "conftest.py").read_bytes() == b"import pytest\n"


def test_a_name_with_a_twin_in_other_characters_is_never_an_alias(root: ConfinedRoot, project: Path) -> None:
    one, two = (unicodedata.normalize(form, "tests/test_café.py") for form in ("NFC", "NFD"))
    (project / two).write_bytes(b"two characters")
    with pytest.raises(PathNotFound):
        root.read(one)
    with pytest.raises(PathNotAllowed, match="twin"):
        root.create(one, b"one character")
    (project / one).write_bytes(b"one character")
    assert root.read(one) == b"one character"
    for name, content in ((one, b"one character"), (two, b"two characters")):
        with pytest.raises(PathNotAllowed, match="twin"):
            root.replace(name, b"new", base_sha256=sha256(content))
        assert (project / name).read_bytes() == content


def test_a_folder_with_a_twin_is_refused_too(root: ConfinedRoot, project: Path) -> None:
    (project / unicodedata.normalize("NFD", "tests/é")).mkdir()
    with pytest.raises(PathNotAllowed, match="twin"):
        root.create(unicodedata.normalize("NFC", "tests/é/test_a.py"), b"new")


# --- leftovers and the lock ------------------------------------------------------------------


def test_only_a_temporary_file_of_our_own_naming_is_removed(root: ConfinedRoot, project: Path, outside: Path) -> None:
    mine, other, link = (new_temp_name() for _ in range(3))
    for name in (mine, other):
        (project / "tests" / name).write_bytes(b"half")
    (project / "tests" / link).symlink_to(outside / "secret.txt")
    assert root.remove_leftover("tests/test_a.py", mine)
    assert not root.remove_leftover("tests/test_a.py", mine)
    assert not root.remove_leftover("tests/test_a.py", link)
    assert not root.remove_leftover("tests/gone/test_a.py", other)
    with pytest.raises(ValueError, match="not a temporary name"):
        root.remove_leftover("tests/test_a.py", "test_a.py")
    assert _names(project / "tests") == sorted([other, link, "test_a.py"])


def test_two_writers_exclude_one_another_within_a_process_and_between(root: ConfinedRoot, project: Path) -> None:
    with root.exclusive():
        with pytest.raises(StoreLocked), root.exclusive(seconds=0):
            pass
        with ConfinedRoot(project) as same, pytest.raises(StoreLocked), same.exclusive(seconds=0):
            pass
    with root.exclusive(seconds=0):
        pass


def test_the_lock_of_a_killed_holder_is_free(root: ConfinedRoot, project: Path) -> None:
    program = (
        "import sys\n"
        "from testwright.review.confined_root import ConfinedRoot\n"
        "with ConfinedRoot(sys.argv[1]).exclusive():\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreLocked), root.exclusive(seconds=0):
            pass
        holder.kill()
        holder.wait()
    with root.exclusive(seconds=0):
        pass


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _tree(folder: Path) -> dict[str, bytes | str | int]:
    return {str(path.relative_to(folder)): _described(path) for path in sorted(folder.rglob("*"))}


def _described(path: Path) -> bytes | str | int:
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else path.lstat().st_mode
