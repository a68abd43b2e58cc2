"""Text of any kind survives a database that refuses some of it."""

import pytest

from testwright.store.text_escapes import escaped_text, unescaped_text

ODD = [
    "",
    "plain",
    "nul \x00 inside",
    "\ud83d",
    "\udcff\ud800",
    "\x10",
    "\x100000",
    "\x10\x10d800\x00",
    "caf\u00e9 \U0001f600",
]


@pytest.mark.parametrize("text", ODD)
def test_text_comes_back_exactly_as_it_was(text: str) -> None:
    assert unescaped_text(escaped_text(text)) == text


@pytest.mark.parametrize("text", ODD)
def test_stored_text_holds_nothing_that_a_database_refuses(text: str) -> None:
    stored = escaped_text(text)

    assert "\x00" not in stored
    stored.encode("utf-8")


def test_two_texts_are_never_stored_alike() -> None:
    assert len({escaped_text(text) for text in ODD}) == len(ODD)


def test_ordinary_text_is_stored_as_it_is_so_that_other_programs_can_read_it() -> None:
    assert escaped_text("tests/test_a.py::test_caf\u00e9[\U0001f600]") == "tests/test_a.py::test_caf\u00e9[\U0001f600]"
