"""What ties calls together: arguments left alone, round trips, the same again, equal objects."""

from collections.abc import Callable

import pytest

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


@pytest.mark.parametrize(
    "said",
    [
        "Add an item; does not modify items.",
        "Add an item. The input is not modified.",
        "Return a new list with one item more.",
        "Return a copy of items with one item more.",
        "Add an item. `items` is left unchanged.",
    ],
)
def test_an_argument_that_was_to_be_left_alone_and_is_changed_is_broken(look_at: LookAt, said: str) -> None:
    body = "items.append(0)\n    return items"
    (breach,) = look_at(f'def added(items: list[int]) -> list[int]:\n    """{said}"""\n    {body}\n').breaches

    assert breach.symptom == "changes_its_argument_items"
    assert [(check.of, check.expected) for check in breach.expected] == [("argument 0", "[]")]


@pytest.mark.parametrize("said", ["Add an item in place.", "Add an item.", "May not modify items if they are new."])
def test_an_argument_may_be_changed_where_nothing_else_is_promised(look_at: LookAt, said: str) -> None:
    body = "items.append(0)\n    return items"

    assert look_at(f'def added(items: list[int]) -> list[int]:\n    """{said}"""\n    {body}\n').breaches == []


_PAIR = '''
def escape(text: str) -> str:
    """Escape it."""
    return text.replace("%", "%25").replace("/", "%2F")


def unescape(text: str) -> str:
    """{said}"""
    return text.replace("%25", "%").replace("%2F", "/"){loses}
'''


def test_a_round_trip_that_loses_something_is_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_PAIR.format(said="The inverse of escape.", loses='.replace(" ", "")')).breaches

    assert breach.unit == "unescape"
    assert breach.symptom == "does_not_undo_escape"
    assert breach.promise == "The inverse of escape."
    assert breach.related == ("escape",)
    assert "escape" in breach.case.action.arguments[0].value


def test_a_pair_that_nobody_ties_together_promises_nothing(look_at: LookAt) -> None:
    assert look_at(_PAIR.format(said="Read it.", loses='.replace(" ", "")')).breaches == []


def test_a_pair_of_which_hardly_anything_comes_back_is_not_meant_so(look_at: LookAt) -> None:
    source = '''
    def encode(text: str) -> int:
        """How long it is."""
        return len(text)


    def decode(length: int) -> str:
        """The reverse of encode, as far as that goes."""
        return "x" * length
    '''
    assert look_at(source).breaches == []


def test_what_is_said_to_be_idempotent_must_be(look_at: LookAt) -> None:
    source = 'def tidy(text: str) -> str:\n    """Tidy it. Idempotent."""\n    return text + "."\n'
    (breach,) = look_at(source).breaches

    assert breach.symptom == "is_not_idempotent"
    assert look_at(source.replace('text + "."', "text.strip()")).breaches == []
    assert look_at(source.replace("Idempotent", "Not idempotent")).breaches == []


def test_what_is_said_to_be_symmetric_must_be(look_at: LookAt) -> None:
    source = 'def gap(a: int, b: int) -> int:\n    """The gap between two numbers; symmetric."""\n    return a - b\n'
    (breach,) = look_at(source).breaches

    assert breach.symptom == "is_not_symmetric"
    assert look_at(source.replace("a - b", "abs(a - b)")).breaches == []


_TAG = """
class Tag:
    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name{form})
"""


def test_equal_objects_with_other_hashes_are_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_TAG.format(form="")).breaches

    assert breach.unit == "Tag"
    assert breach.symptom == "gives_equal_objects_other_hashes"
    assert look_at(_TAG.format(form=".lower()")).breaches == []
