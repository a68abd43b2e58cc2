"""Whether a value is of the type that an annotation names; says so only when that is certain."""

import abc
import collections.abc
import enum
import inspect
import itertools
import math
import types
import typing
from enum import Enum
from typing import Any, Union

_ITEMS_LOOKED_AT = 40
_LARGEST_ORDINARY = 10**15
_ORDINARY_METACLASSES = (type, abc.ABCMeta, enum.EnumMeta)
_WIDER: dict[type, tuple[type, ...]] = {
    # PEP 484: an int will do for a float, and both for a complex; the old promotion of bytes-like types.
    float: (float, int),
    complex: (complex, float, int),
    bytes: (bytes, bytearray, memoryview),
}


class Fit(Enum):
    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


def fits(value: Any, annotation: Any, depth: int = 0) -> Fit:
    """Never raises, and touches nothing of the value but its class and the items of builtin containers."""
    try:
        return _fits(value, annotation, depth)
    except Exception:  # noqa: BLE001 - annotations and metaclasses are the project's, and may do anything
        return Fit.UNSURE


def _fits(value: Any, annotation: Any, depth: int) -> Fit:
    if annotation is Any or annotation is object or annotation is inspect.Parameter.empty:
        return Fit.YES
    if annotation is None or annotation is type(None):
        return _sure(value is None)
    if depth > 4 or value is NotImplemented or isinstance(annotation, str | typing.TypeVar | typing.ForwardRef):
        return Fit.UNSURE
    if isinstance(annotation, typing.NewType):
        return _fits(value, annotation.__supertype__, depth + 1)
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _fits_generic(value, origin, typing.get_args(annotation), depth)
    return _fits_class(value, annotation) if isinstance(annotation, type) else Fit.UNSURE


def _fits_generic(value: Any, origin: Any, arguments: tuple[Any, ...], depth: int) -> Fit:
    if origin is typing.Annotated:
        return _fits(value, arguments[0], depth + 1)
    if origin is Union or origin is types.UnionType:
        each = [_fits(value, argument, depth + 1) for argument in arguments]
        return Fit.YES if Fit.YES in each else Fit.UNSURE if Fit.UNSURE in each else Fit.NO
    if origin is typing.Literal:
        return _sure(any(type(value) is type(choice) and value == choice for choice in arguments))
    if origin is collections.abc.Callable:
        return _sure(callable(value))
    if origin is type:
        return _sure(isinstance(value, type))
    outer = _fits_class(value, origin) if isinstance(origin, type) else Fit.UNSURE
    return _fits_items(value, arguments, depth) if outer is Fit.YES else outer


def _fits_items(value: Any, arguments: tuple[Any, ...], depth: int) -> Fit:
    """Only builtin containers are opened: others may do anything when they are iterated."""
    kind = type(value)
    if kind in (list, set, frozenset) and len(arguments) == 1:
        return _all(_fits(item, arguments[0], depth + 1) for item in itertools.islice(value, _ITEMS_LOOKED_AT))
    if kind is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _all(_fits(item, arguments[0], depth + 1) for item in value[:_ITEMS_LOOKED_AT])
    if kind is tuple and arguments and len(arguments) == len(value):
        return _all(_fits(item, argument, depth + 1) for item, argument in zip(value, arguments, strict=True))
    if kind is tuple and arguments:
        return Fit.NO if not any(typing.get_origin(each) is typing.Unpack for each in arguments) else Fit.UNSURE
    if kind is dict and len(arguments) == 2:
        items = itertools.islice(value.items(), _ITEMS_LOOKED_AT)
        return _all(_fits(part, kind, depth + 1) for pair in items for part, kind in zip(pair, arguments, strict=True))
    if kind is str and arguments == (str,):
        return Fit.YES
    return Fit.UNSURE


def _fits_class(value: Any, annotation: type) -> Fit:
    if annotation in _WIDER:
        return _sure(isinstance(value, _WIDER[annotation]))
    if typing.is_typeddict(annotation):
        return Fit.UNSURE if isinstance(value, dict) else _sure_unless_ducky(value)
    if getattr(annotation, "_is_protocol", False) and annotation.__module__ not in ("typing", "collections.abc"):
        return Fit.UNSURE
    if type(annotation) not in _ORDINARY_METACLASSES:
        return Fit.YES if type(value) is annotation else Fit.UNSURE
    if isinstance(value, annotation):
        return Fit.YES
    return _sure_unless_ducky(value)


def _sure_unless_ducky(value: Any) -> Fit:
    """A value of a builtin type is nothing else; an object of a class may be made to stand for another."""
    kind = type(value)
    return Fit.NO if kind.__module__ == "builtins" or kind is types.NoneType else Fit.UNSURE


def _sure(answer: bool) -> Fit:
    return Fit.YES if answer else Fit.NO


def _all(fits_of_items: "typing.Iterable[Fit]") -> Fit:
    worst = Fit.YES
    for each in fits_of_items:
        if each is Fit.NO:
            return Fit.NO
        if each is Fit.UNSURE:
            worst = Fit.UNSURE
    return worst


def is_ordinary(value: Any, depth: int = 0) -> bool:
    """Whether the value is an ordinary one to pass: no nan, no huge number, no broken text."""
    kind: type = type(value)
    if kind is float:
        return math.isfinite(value) and abs(value) < _LARGEST_ORDINARY
    if kind is int:
        return bool(abs(value) < _LARGEST_ORDINARY)
    if kind is str:
        return len(value) <= 200 and all(character.isprintable() or character in "\n\t" for character in value)
    if kind in (list, tuple, set, frozenset) and depth < 4:
        return len(value) <= 50 and all(is_ordinary(item, depth + 1) for item in value)
    if kind is dict and depth < 4:
        return len(value) <= 50 and all(is_ordinary(part, depth + 1) for pair in value.items() for part in pair)
    return True
