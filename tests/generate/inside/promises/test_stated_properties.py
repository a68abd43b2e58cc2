"""Properties that a docstring states of the result must hold."""

from collections.abc import Callable

import pytest

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


@pytest.mark.parametrize(
    ("signature", "said", "body", "symptom"),
    [
        ("items: list[int]", "list[int]: The items in ascending order.", "items", "is_not_sorted"),
        ("items: list[int]", "The distinct items.", "items", "has_duplicates"),
        ("n: int", "A number that is never negative.", "n - 1", "is_negative"),
        ("n: int", "A share between 0 and 1.", "n * 1.0", "is_out_of_range"),
        ("text: str", "A non-empty string.", "text.strip()", "is_empty"),
        ("text: str", "A text of the same length as text.", "text + '!'", "has_another_length"),
        ("text: str, n: int", "At most n characters of it.", "text[:n] + '...'", "is_too_long"),
        ("text: str", "The text in lower case.", "text", "is_not_in_lower_case"),
        ("text: str", "It, without leading or trailing whitespace.", "text", "has_space_around_it"),
    ],
)
def test_a_property_stated_of_the_result_must_hold(
    look_at: LookAt, signature: str, said: str, body: str, symptom: str
) -> None:
    source = f'def f({signature}):\n    """Do it.\n\n    Returns:\n        {said}\n    """\n    return {body}\n'
    (breach,) = look_at(source).breaches

    assert breach.symptom == symptom
    assert breach.property_source
    assert breach.promised_at.endswith(".py:5")


@pytest.mark.parametrize(
    ("signature", "said", "body"),
    [
        ("items: list[int]", "The items, sorted if they can be.", "items"),
        ("items: list[str]", "The items in ascending order of length.", "sorted(items, key=len)"),
        ("items: list[int]", "A unique identifier.", "len(items)"),
        ("n: int", "Something between 0 and 1, exclusive.", "n"),
        ("items: list[int], first: int = 0", "A sorted list.", "[first, *sorted(items)] if first else sorted(items)"),
        ("text: str", "A name in lower case, unless it is empty.", "text"),
    ],
)
def test_words_that_leave_a_way_out_promise_nothing(look_at: LookAt, signature: str, said: str, body: str) -> None:
    source = f'def f({signature}):\n    """Do it.\n\n    Returns:\n        {said}\n    """\n    return {body}\n'

    assert look_at(source).breaches == []
