"""Literals that stand in the source."""

import ast
import re

from testwright.generate.inside.values.source_literals import Literals, filled, keys_in, patterns_in


def test_values_are_collected_but_not_texts_for_people() -> None:
    tree = ast.parse('''
def f(x: "SomeType"):
    """A docstring."""
    if x == "wanted" or x > 41 or x == b"raw":
        raise ValueError("do not collect this message")
    return re.sub("a+b", "", x)
''')
    found = Literals([tree])
    assert found.texts == ["wanted", "a+b", ""]
    assert found.numbers == [41]
    assert found.byte_strings == [b"raw"]
    assert found.patterns == [("a+b", 0)]


def test_format_strings_are_filled() -> None:
    assert filled("%s-%d") == "name-1"
    assert filled("Hello {user}!") == "Hello name!"


def test_patterns_and_keys_of_live_constants_are_found() -> None:
    table = {"date": re.compile(r"\d+"), "other": [re.compile("x", re.IGNORECASE)]}
    assert patterns_in(table) == [(r"\d+", 0), ("x", re.IGNORECASE)]
    assert keys_in(table) == ["date", "other"]
    assert keys_in({"b", "a", 3}) == ["a", "b", 3]
