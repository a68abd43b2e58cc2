"""Results must have the type that the annotation, or a clear docstring, promises."""

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
def test_a_matter_of_style_is_not_a_breach(look_at: LookAt, source: str) -> None:
    assert look_at(source).breaches == []
