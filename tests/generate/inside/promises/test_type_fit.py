"""A value contradicts an annotation only when there can be no two opinions."""

import collections.abc
import math
from collections import OrderedDict
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, Protocol, TypeVar

import pytest

from testwright.generate.inside.promises.type_fit import Fit, fits, is_ordinary

UserId = NewType("UserId", int)
T = TypeVar("T")


class Quacks(Protocol):
    def quack(self) -> str: ...


class Duck:
    def quack(self) -> str:
        return "quack"


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        (1, float),
        (True, int),
        (bytearray(b"a"), bytes),
        (None, None),
        (None, str | None),
        ([1, 2], list[int]),
        ({"a": 1}, dict[str, int]),
        (OrderedDict(a=1), dict),
        ((1, "a"), tuple[int, str]),
        ((1, 2, 3), tuple[int, ...]),
        ("a", Literal["a", "b"]),
        (len, collections.abc.Callable[..., int]),
        (int, type[int]),
        (7, UserId),
        ("a", Annotated[str, "a note"]),
        (object(), Any),
        ([], collections.abc.Sequence),
    ],
)
def test_a_value_of_the_type_fits(value: object, annotation: Any) -> None:
    assert fits(value, annotation) is Fit.YES


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        (None, str),
        ("1", int),
        (1.5, int),
        ([1, "a"], list[int]),
        ((1, 2), list),
        ({"a": "b"}, dict[str, int]),
        ((1,), tuple[int, str]),
        ("c", Literal["a", "b"]),
        (1, Literal[True]),
        (3, str | None),
        (None, Duck),
    ],
)
def test_a_value_of_another_type_does_not(value: object, annotation: Any) -> None:
    assert fits(value, annotation) is Fit.NO


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        (Duck(), Quacks),
        (Duck(), str),
        (Decimal(1), int),
        (1, T),
        (1, "NotResolved"),
        (NotImplemented, bool),
        (iter([1]), collections.abc.Iterator[int]),
    ],
)
def test_what_may_be_meant_is_left_open(value: object, annotation: Any) -> None:
    assert fits(value, annotation) is Fit.UNSURE


def test_a_metaclass_that_raises_is_survived() -> None:
    class Hostile(type):
        def __instancecheck__(cls, instance: object) -> bool:
            raise RuntimeError("do not ask")

    assert fits("a", Hostile("Kind", (), {})) is Fit.UNSURE


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**20, "\ud800", "\x00", [math.nan], {"a": 10**30}])
def test_strange_values_are_not_ordinary(value: object) -> None:
    assert not is_ordinary(value)


@pytest.mark.parametrize("value", [0, -1.5, "grüße\n", [1, "a"], {"a": (1, 2)}, None])
def test_usual_values_are_ordinary(value: object) -> None:
    assert is_ordinary(value)
