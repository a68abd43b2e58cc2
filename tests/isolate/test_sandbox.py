"""A guarded room is private while it is used and gone afterwards."""

import stat
from pathlib import Path

import pytest

from testwright.isolate.guard import IsolationLevel
from testwright.isolate.sandbox import open_sandbox


def test_its_folders_are_for_the_owner_only_and_differ_each_time(tmp_path: Path) -> None:
    with open_sandbox(tmp_path, IsolationLevel.R1) as one, open_sandbox(tmp_path, IsolationLevel.R1) as other:
        assert one.home != other.home
        for folder in (one.home, one.temp, one.home.parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_is_gone_afterwards_even_with_locked_folders_and_after_an_error(tmp_path: Path) -> None:
    rooms = []

    def lock_a_folder_and_fail() -> None:
        with open_sandbox(tmp_path, IsolationLevel.R1) as sandbox:
            rooms.append(sandbox.home.parent)
            locked = sandbox.temp / "locked"
            locked.mkdir()
            (locked / "file").write_text("x")
            locked.chmod(0)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        lock_a_folder_and_fail()
    assert not rooms[0].exists()


def test_removing_it_does_not_follow_a_link_out_of_it(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    with open_sandbox(tmp_path, IsolationLevel.R1) as sandbox:
        (sandbox.home / "link").symlink_to(tmp_path)
    assert precious.read_text() == "kept"


def test_its_guard_names_real_paths_so_that_a_link_cannot_widen_it(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    link = tmp_path / "link"
    link.symlink_to(project)
    with open_sandbox(link, IsolationLevel.R2, writable=[link], readable=[link]) as sandbox:
        assert sandbox.guard.project == str(project.resolve())
        assert sandbox.guard.writable == sandbox.guard.readable == (str(project.resolve()),)
        assert sandbox.guard.guarded
        assert sandbox.guard.level == IsolationLevel.R2


def test_it_never_opens_the_whole_machine(tmp_path: Path) -> None:
    with open_sandbox(
        tmp_path, IsolationLevel.R3, writable=[Path("/")], readable=[Path("/bin/../"), tmp_path]
    ) as sandbox:
        assert "/" not in sandbox.guard.writable + sandbox.guard.readable


def test_its_environment_points_into_it(tmp_path: Path) -> None:
    with open_sandbox(tmp_path, IsolationLevel.R1) as sandbox:
        env = sandbox.env({"PATH": "/bin", "SECRET": "s"})
    assert env["HOME"] == str(sandbox.home)
    assert env["TMPDIR"] == str(sandbox.temp)
    assert "SECRET" not in env
