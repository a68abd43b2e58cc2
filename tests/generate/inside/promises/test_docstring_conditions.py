"""Conditions in words give arguments that plainly meet them, or nothing at all."""

import pytest

from testwright.generate.inside.promises.docstring_conditions import GivenArgument, Substitution, meeting

NUMBER = [GivenArgument("n", 3, is_required=True)]
TEXT = [GivenArgument("text", "abc", is_required=True)]
ITEMS = [GivenArgument("items", [1], is_required=True), GivenArgument("limit", 2, is_required=False)]
RANGE = [GivenArgument("start", 1, is_required=True), GivenArgument("end", 5, is_required=True)]
LOOKUP = [GivenArgument("table", {"a": 1}, is_required=True), GivenArgument("key", "a", is_required=True)]


@pytest.mark.parametrize(
    ("words", "given", "first"),
    [
        ("if n is negative", NUMBER, {"n": "-1"}),
        ("If ``n`` is less than 0.", NUMBER, {"n": "-1"}),
        ("if negative", NUMBER, {"n": "-1"}),
        ("when *n* is not positive", NUMBER, {"n": "0"}),
        ("if n is zero", NUMBER, {"n": "0"}),
        ("if n > 10", NUMBER, {"n": "11"}),
        ("if n >= 10", NUMBER, {"n": "10"}),
        ("if n exceeds 100", NUMBER, {"n": "101"}),
        ("if the number is negative", NUMBER, {"n": "-1"}),
        ("for negative numbers", NUMBER, {"n": "-1"}),
        ("if text is empty", TEXT, {"text": '""'}),
        ("for an empty string", TEXT, {"text": '""'}),
        ("when the input is empty", TEXT, {"text": '""'}),
        ("if text is None", TEXT, {"text": "None"}),
        ("if text is not a string", TEXT, {"text": "{}"}),
        ("if the list is empty", ITEMS, {"items": "[]"}),
        ("if start is greater than end", RANGE, {"start": "6"}),
        ("if end < start", RANGE, {"end": "0"}),
        ("if the key is missing", LOOKUP, {"key": '"no such key"'}),
        ("if key is not in the table", LOOKUP, {"key": '"no such key"'}),
    ],
)
def test_a_plain_condition_is_met(words: str, given: list[GivenArgument], first: Substitution) -> None:
    assert meeting(words, given)[0] == first


def test_either_of_two_conditions_is_enough() -> None:
    met = meeting("if start is negative or end is negative", RANGE)

    assert {"start": "-1"} in met
    assert {"end": "-1"} in met


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("if something goes wrong", NUMBER),
        ("if n is negative and strict is set", NUMBER),
        ("if n is negative, unless told otherwise", NUMBER),
        ("if n is prime", NUMBER),
        ("if the file is empty", NUMBER),
        ("if n is empty", NUMBER),
        ("if text is negative", TEXT),
        ("if negative", RANGE),
        ("the number is bad", NUMBER),
        ("if key is missing", [*LOOKUP, GivenArgument("default", None, is_required=False)]),
        ("", NUMBER),
    ],
)
def test_words_that_are_not_understood_to_the_last_one_give_nothing(words: str, given: list[GivenArgument]) -> None:
    assert meeting(words, given) == []
