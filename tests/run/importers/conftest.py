"""What the tests of the importers share: a project folder, and a way to read a report from text."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.result import RunResult
from testwright.run.importers.report_reader import read_report

ReadText = Callable[..., RunResult]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def read_text(tmp_path: Path, project: Path) -> ReadText:
    """Reads a report from its text or bytes; the file's name says nothing about its format."""

    def read(content: str | bytes, *, format: str | None = None) -> RunResult:  # noqa: A002  as read_report calls it
        file = tmp_path / "report.dat"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_report(file, format=format, project=project)

    return read
