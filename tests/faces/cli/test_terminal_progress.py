"""Progress is for a person who watches: it appears on stderr, in a terminal, and nowhere else."""

import io
import sys

import pytest

from testwright.faces.cli.progress_view import progress_bar, status_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_there_is_no_bar_and_no_line_where_a_program_reads() -> None:
    with progress_bar("reading") as bar, status_line("looking") as status:
        assert bar is None
        assert status is None


def test_a_person_sees_what_is_done_of_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")

    with progress_bar("reading") as bar:
        assert bar is not None
        bar(3, 8)
        bar(4, 8, "writing")

    assert "writing" in terminal.getvalue()
    assert "4/8" in terminal.getvalue()


def test_a_terminal_that_cannot_change_a_line_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")

    with status_line("looking") as status:
        assert status is None
