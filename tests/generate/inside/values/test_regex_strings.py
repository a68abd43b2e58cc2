"""Strings made from patterns."""

import re

import pytest

from testwright.generate.inside.values.regex_strings import matching, near_misses

PATTERNS = [
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})$",
    r"^(?:[a-f0-9]{1,4}:){7}[a-f0-9]{1,4}$",
    r"^\s*(\w+)\s*=\s*([^;]*)(?:;|$)",
    r"(['\"])(.*?)\1",
    r"^[^aeiou\s]{3}(?=x)x",
    r"(?i)^content-(type|length):\s*(.+)$",
    r"^v?(\d+)(?:\.(\d+))?(?:-(alpha|beta|rc)\.?(\d*))?$",
    r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_made_strings_match_and_near_misses_do_not(pattern: str) -> None:
    made = matching(pattern)
    assert len(made) >= 2
    assert all(re.search(pattern, each) for each in made)
    assert not any(re.fullmatch(pattern, each) for each in near_misses(pattern))


def test_every_alternative_and_both_sides_of_an_option_appear() -> None:
    made = matching(r"^(red|green|blue)( light)?$")
    assert {each.split()[0] for each in made} == {"red", "green", "blue"}
    assert {each.endswith("light") for each in made} == {True, False}


def test_the_smallest_and_a_larger_number_of_repeats_appear() -> None:
    lengths = {len(each) for each in matching(r"^a{2,5}$")}
    assert {2, 5} <= lengths


@pytest.mark.parametrize("pattern", ["(", "[", "(?P<x>a)(?P<x>b)", "*", "\\", "(?(9)a|b)"])
def test_a_pattern_that_does_not_compile_makes_nothing(pattern: str) -> None:
    assert matching(pattern) == []
    assert near_misses(pattern) == []


def test_flags_are_obeyed() -> None:
    assert all(re.search("^b$", each, re.MULTILINE) for each in matching("^b$", re.MULTILINE))
    assert matching(r"a  # a letter", re.VERBOSE)[0] == "a"
