"""Exceptions and values that are promised for a condition."""

from collections.abc import Callable

import pytest

from testwright.generate.inside.generated_case import Relation
from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


def test_a_documented_exception_that_does_not_come_is_broken(look_at: LookAt) -> None:
    source = '''
    def half(n: int) -> float:
        """Half of a number.

        :raises ValueError: if n is negative
        """
        return n / 2
    '''
    (breach,) = look_at(source).breaches

    assert breach.symptom == "does_not_raise_value_error"
    assert breach.promise == "ValueError: if n is negative"
    assert breach.promised_at.endswith(".py:4")
    assert [argument.value for argument in breach.case.action.arguments] == ["-1"]
    assert [(check.relation, check.expected) for check in breach.expected] == [(Relation.RAISES, "ValueError")]
    assert breach.actual == "returned -0.5"


def test_another_exception_than_the_documented_one_is_broken(look_at: LookAt) -> None:
    source = '''
    def first(items: list[int]) -> int:
        """The first item.

        Raises:
            ValueError: If items is empty.
        """
        return items[0]
    '''
    (breach,) = look_at(source).breaches

    assert breach.actual.startswith("raised IndexError")
    assert breach.where.endswith(".py:7")


def test_an_exception_of_the_modules_own_is_known_by_its_name(look_at: LookAt) -> None:
    source = '''
    class TooLong(Exception):
        """It is."""


    def check(text: str) -> str:
        """Raises TooLong if text is empty."""
        return text
    '''
    assert look_at(source).breaches == []

    (breach,) = look_at(source.replace("TooLong", "LengthError")).breaches
    assert [check.expected for check in breach.expected] == ["_under_test.LengthError"]


def test_a_documented_value_that_is_not_given_is_broken(look_at: LookAt) -> None:
    source = '''
    def mean(numbers: list[float]) -> float:
        """The mean. Returns 0 if numbers is empty."""
        return sum(numbers) / len(numbers)
    '''
    (breach,) = look_at(source).breaches

    assert breach.symptom == "does_not_return_0"
    assert breach.actual.startswith("raised ZeroDivisionError")


@pytest.mark.parametrize(
    "body",
    [
        # a subclass of what is documented
        "    if n < 0:\n        raise UnicodeError('no')\n    return n",
        # another documented exception comes first
        "    if n < 0:\n        raise TypeError('no')\n    return n",
        # nothing is asked of it before it is iterated
        "    return iter([n])",
    ],
)
def test_a_kept_promise_and_what_cannot_be_told_are_left_alone(look_at: LookAt, body: str) -> None:
    docstring = '"""Raises ValueError if n is negative. TypeError comes first."""'

    assert look_at(f"def f(n: int) -> object:\n    {docstring}\n{body}\n").breaches == []


def test_another_argument_may_come_first(look_at: LookAt) -> None:
    source = '''
    def cut(text: str, n: int) -> str:
        """Cut it. Raises ValueError if n is negative."""
        if not text:
            return text
        if n < 0:
            raise ValueError("negative")
        return text[:n]
    '''
    assert look_at(source).breaches == []
