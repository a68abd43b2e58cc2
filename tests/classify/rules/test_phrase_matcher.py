"""Phrases: what is looked for, and that the quick look never hides a match."""

import pytest

from testwright.classify.rules.phrase_matcher import any_of, needed_words
from testwright.model.failure import FailureLine


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("heap out of memory", "heap out of memory"),
        (r"Executable doesn't exist", "executable doesn't exist"),
        (r"port \d{2,5} is (?:already )?in use", "in use"),
        (r"config\.webServer", "config.webserver"),
        (r"colou?r missing", "r missing"),
        (r"[Tt]imed out", "imed out"),
        (r"^Error: .{1,20}$", "error: "),
        (r"a+b*c", "a"),
        (r"(?:one|two)", ""),
        (r"[\]x] closed", " closed"),
    ],
)
def test_the_words_a_phrase_cannot_do_without(piece: str, words: str) -> None:
    assert needed_words(piece) == words


def test_alternatives_outside_of_a_group_are_refused() -> None:
    with pytest.raises(ValueError, match="Alternatives"):
        needed_words("one|two")


def test_every_line_that_says_it_is_found_in_its_order() -> None:
    lines = (
        FailureLine("all is well", 0),
        FailureLine("DISK full", 12),
        FailureLine("the disk is FULL of sand", 22),
        FailureLine("disk full", 50),
    )
    phrases = any_of(r"disk full", r"full of \w+", ignore_case=True)

    assert [line.start for line in phrases.all(lines)] == [12, 22, 50]
    assert phrases.first(lines) == lines[1]
    assert any_of("disk full").first(lines) == lines[3]


def test_a_phrase_is_not_put_together_from_two_lines() -> None:
    assert any_of("disk full").first((FailureLine("the disk", 0), FailureLine("full moon", 9))) is None


@pytest.mark.parametrize(
    "line",
    [
        'Received: "disk full"',
        "Expected: 'disk full'",
        "AssertionError: expected 'disk full' to be 'empty'",
        "AssertionError: assert 'disk full' == 'ready'",
        "assert 'disk full' in ['ready']",
        "AssertionError: 'disk full' != 'ready'",
        "AssertionError: 'disk full' not found in 'ready'",
    ],
)
def test_a_value_in_quotes_is_not_what_a_check_says(line: str) -> None:
    assert any_of("disk full").first((FailureLine(line, 0),)) is None
