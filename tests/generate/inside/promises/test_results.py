"""Results against what annotations and docstrings say of them: their type, their order, their size."""

from collections.abc import Callable

import pytest

from testwright.generate.inside.generated_case import Relation
from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


def test_none_where_the_annotation_says_text_is_broken(look_at: LookAt) -> None:
    (breach,) = look_at("def sign(n: int) -> str:\n    if n >= 0:\n        return '+'\n").breaches

    assert breach.symptom == "returns_none"
    assert breach.promise == "-> str"
    assert [(check.relation, check.expected) for check in breach.expected] == [(Relation.INSTANCE, "str")]
    assert [argument.value for argument in breach.case.action.arguments] == ["-1"]


def test_items_of_another_type_are_broken(look_at: LookAt) -> None:
    (breach,) = look_at("def sizes(words: list[str]) -> list[int]:\n    return [str(len(w)) for w in words]\n").breaches

    assert breach.property_source == "isinstance(result, list) and all(isinstance(item, int) for item in result)"


def test_a_class_of_the_module_is_named_in_the_test(look_at: LookAt) -> None:
    source = """
    class Money:
        def __init__(self, amount: int) -> None:
            self.amount = amount


    def money(amount: int) -> Money:
        return Money(amount) if amount > 0 else None
    """
    (breach,) = look_at(source).breaches

    assert [check.expected for check in breach.expected] == ["_under_test.Money"]


def test_a_type_that_only_the_docstring_names_counts_where_it_is_clear(look_at: LookAt) -> None:
    source = '''
    def width(text):
        """How wide it is.

        :param str text: any text
        :rtype: int
        """
        return text.strip() if text else 0
    '''
    (breach,) = look_at(source).breaches

    assert breach.promise == "Returns: int"


@pytest.mark.parametrize(
    "source",
    [
        # a matter of style
        "def is_long(text: str) -> bool:\n    return text and len(text) > 3\n",
        "def log(text: str) -> None:\n    return len(text)\n",
        "from collections.abc import Iterator\ndef both(n: int) -> Iterator[int]:\n    return [n, n]\n",
        "def ratio(n: int) -> float:\n    return 1 if n else 0.5\n",
        # only handed through
        "def first(items: list) -> str:\n    return items[0] if items else ''\n",
        "from typing import Any\ndef as_text(thing: Any) -> str:\n    return thing\n",
        "from collections.abc import Callable\ndef call(f: Callable[[], str]) -> str:\n    return f()\n",
        # the docstring says so
        'def find(text: str) -> str:\n    """The match, or None."""\n    return text or None\n',
        # not the body's own answer
        "def twice(f):\n    return lambda *a: None\n@twice\ndef name(n: int) -> str:\n    return str(n)\n",
        "class Base:\n    def name(self) -> str:\n        ...\n",
        # ill-typed input
        "def same(text: str) -> str:\n    return text\n",
    ],
)
def test_what_a_reader_would_shrug_at_is_no_breach(look_at: LookAt, source: str) -> None:
    assert look_at(source).breaches == []


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
