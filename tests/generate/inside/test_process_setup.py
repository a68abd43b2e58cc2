"""A process for code under test waits only briefly, and takes a change that the sandbox refuses as done."""

import errno
import os
import time
from pathlib import Path
from typing import NoReturn

import pytest

from testwright.generate.inside.process_setup import forbid_waiting, forgive_refused_changes
from testwright.instrument.probes import WorkExceeded


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Whatever is put in the place of these is taken back after the test."""
    for name in ("chmod", "fchmod", "utime", "chown", "fchown", "lchown", "setxattr", "removexattr"):
        monkeypatch.setattr(os, name, getattr(os, name))
    return monkeypatch


def refused_with(number: int) -> object:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise PermissionError(number, os.strerror(number))

    return refuse


def test_what_the_sandbox_refuses_passes_for_done(changes: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changes.setattr(os, "chmod", refused_with(errno.EPERM))
    forgive_refused_changes()

    os.chmod(tmp_path, 0o700)  # noqa: PTH101  this is the one that code under test calls


def test_what_the_file_system_refuses_is_an_error(changes: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changes.setattr(os, "utime", refused_with(errno.EACCES))
    forgive_refused_changes()

    with pytest.raises(PermissionError):
        os.utime(tmp_path)
    with pytest.raises(FileNotFoundError):
        os.chmod(tmp_path / "not there", 0o700)  # noqa: PTH101


def test_what_is_allowed_is_really_done(changes: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forgive_refused_changes()

    os.utime(tmp_path, (5, 5))

    assert tmp_path.stat().st_mtime == 5


def test_a_long_wait_ends_the_case_at_once_and_a_short_one_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", time.sleep)  # so that it is put back
    forbid_waiting()

    time.sleep(0.001)
    with pytest.raises(WorkExceeded):
        time.sleep(3600)
