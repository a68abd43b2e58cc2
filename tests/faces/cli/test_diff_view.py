"""A diff is coloured for a person, and plain for a program."""

import sys

import pytest

from testwright.faces.cli.standard_output import diff_lines

DIFF = "@@ -1 +1 @@\n-old\n+new\n::error::forged\n"


def test_a_program_gets_the_lines_without_colours() -> None:
    assert list(diff_lines(DIFF))[:3] == ["@@ -1 +1 @@", "-old", "+new"]


def test_a_terminal_shows_what_goes_and_what_comes_in_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    _, old, new, _ = diff_lines(DIFF)

    assert (old, new) == ("\x1b[31m-old\x1b[0m", "\x1b[32m+new\x1b[0m")


def test_a_line_of_a_diff_gives_no_order_to_a_ci_service() -> None:
    assert "::error::" not in list(diff_lines(DIFF))[3]
