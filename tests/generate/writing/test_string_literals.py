"""Literals stand for exactly the text they were made from, and are written as a person would."""

import ast
import random
import re

import pytest

from testwright.generate.writing.string_literals import literal, restyled, search_pattern, split_literals

QUOTE = '"'
NASTY = [
    "",
    "a",
    '"',
    "'",
    "\"'",
    "\\",
    "\\d+\\",
    "a\nb\n",
    "\n\n",
    "\r\n",
    "\t",
    "\x00\x7f",
    "naïve",
    "\u202e",
    "\ud800",
    "💥",
    "{}",
]


def test_every_literal_gives_its_value_back() -> None:
    rng = random.Random("literals")
    values = NASTY + ["".join(rng.choices([*NASTY, "word ", "é"], k=rng.randint(1, 40))) for _ in range(300)]
    for value in values:
        for quote in "\"'":
            assert ast.literal_eval(literal(value, quote)) == value
            pieces = split_literals(value, quote, 30) or ["''"]
            assert ast.literal_eval(f"({' '.join(pieces)})") == value
            if value:
                assert max(map(len, pieces)) <= 33  # an escape is never cut in two


def test_bytes_are_split_and_escaped_too() -> None:
    value = bytes(range(256))

    assert ast.literal_eval(literal(value, '"')) == value
    assert ast.literal_eval(f"({' '.join(split_literals(value, QUOTE, 40))})") == value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", '"plain"'),
        ('say "hi"', "'say \"hi\"'"),
        ("it's", '"it\'s"'),
        (r"\d+", r'r"\d+"'),
        ("a\\\n", '"a\\\\\\n"'),
        ("tab\t", '"tab\\t"'),
        ("naïve", '"naïve"'),
    ],
)
def test_a_literal_is_written_with_as_few_signs_as_it_needs(value: str, written: str) -> None:
    assert literal(value, '"') == written


def test_text_of_several_lines_is_split_at_them() -> None:
    assert split_literals("[a]\nx = 1\n", '"', 60) == [r'"[a]\n"', r'"x = 1\n"']


def test_long_lines_are_split_after_a_space() -> None:
    assert split_literals("one two three four", '"', 13) == ['"one two "', '"three four"']


def test_f_strings_and_docstrings_are_left_alone() -> None:
    source = 'def f():\n    """It\'s."""\n    return f\'{x}\'\n'

    assert restyled(source, '"', {}) == source


@pytest.mark.parametrize(
    "text", ["plain words", "(a) [b] {c}", "1+1=2?", "back\\slash", "two\nlines", "^$|.*", "tab\there", "nul\x00"]
)
def test_a_pattern_finds_its_text_and_nothing_else(text: str) -> None:
    assert re.fullmatch(search_pattern(text), text)
    assert not re.fullmatch(search_pattern(text), f"{text}x")
    assert search_pattern("plain words - it's # fine") == "plain words - it's # fine"
