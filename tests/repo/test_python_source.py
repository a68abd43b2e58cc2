"""Reading Python files: what is not one is told, never waited for."""

import os
from pathlib import Path

import pytest

from testwright.model.errors import NotARegularFile
from testwright.repo.python_source import read_bytes
from testwright.repo.repo_files import python_files


def test_a_pipe_is_not_read_because_nobody_may_ever_write_to_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")

    with pytest.raises(NotARegularFile, match="is a pipe, socket or device"):
        read_bytes(tmp_path / "pipe.py")
    assert list(python_files(tmp_path)) == []
