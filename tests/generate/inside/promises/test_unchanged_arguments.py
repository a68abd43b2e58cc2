"""Arguments that a docstring promises to leave alone are left alone."""

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
