"""Simpler forms of expressions."""

import ast
from collections.abc import Callable
from typing import Any

import pytest

from testwright.generate.inside.values.expression_simplifier import shrink, simplicity

EXPRESSIONS = [
    '"Hello, World! 1234"',
    "-987654321",
    "3.75",
    "[5, 6, [7, 8]]",
    '{"key": {"inner": [1, 2]}, "b": None}',
    'b"\\x00abc"',
    "_under_test.Point(10, y=-20)",
    "lambda x, y: x + y * 100",
    "(1, 'é', \"z\")",
    "{1, 2, 3}",
    '"a\\nb\\n\\nc"',
    "None",
    '""',
    "0",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_form_is_an_expression_and_strictly_simpler(expression: str) -> None:
    forms = list(shrink(expression))
    assert len(set(forms)) == len(forms)
    for each in forms:
        ast.parse(each, mode="eval")
        assert simplicity(each) < simplicity(expression)


def smallest(expression: str, still_good: Callable[[str], bool]) -> str:
    """What a search ends with that takes the first simpler form that is still good."""
    for _ in range(1000):
        better = next((each for each in shrink(expression) if still_good(each)), None)
        if better is None:
            return expression
        expression = better
    raise AssertionError("shrinking does not end")


def value(expression: str) -> Any:
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError):  # no longer a literal
        return None


@pytest.mark.parametrize(
    ("expression", "still_good", "end"),
    [
        ('"some long words: and a needle, and hay"', lambda e: "needle" in str(value(e)), '"needle"'),
        ("[9, 8, 7, 6, 5]", lambda e: isinstance(value(e), list) and len(value(e)) >= 2, "[0, 0]"),
        ("98765", lambda e: isinstance(value(e), int) and value(e) > 100, "101"),
        ('{"a": 1, "b": {"c": [1, 2, 3]}}', lambda e: "'c'" in str(value(e)), '{"c": []}'),
        ('"Zq9#é xw"', lambda e: isinstance(value(e), str) and len(value(e)) == 3, '"aaa"'),
        ("-44.75", lambda e: isinstance(value(e), float) and value(e) < 0, "-1.0"),
        ('b"abcdef"', lambda e: isinstance(value(e), bytes) and len(value(e)) > 1, "b'aa'"),
    ],
)
def test_taking_simpler_forms_ends_at_a_plain_example(
    expression: str, still_good: Callable[[str], bool], end: str
) -> None:
    found = smallest(expression, still_good)
    assert still_good(found)
    assert simplicity(found) <= simplicity(end), found


def test_the_most_drastic_forms_come_first() -> None:
    assert next(shrink('"a long text with many words"')) == '""'
    assert next(shrink("[1, 2, 3]")) == "[]"
    assert next(shrink('{"a": 1}')) == "{}"


def test_what_cannot_be_read_has_no_simpler_form() -> None:
    assert list(shrink("not an ( expression")) == []
