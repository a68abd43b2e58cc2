"""Fields of a stranger's JSON. One that is missing has a default; one of the wrong type makes its record unusable."""

import math
from collections.abc import Iterator, Mapping

from testwright.model.strict_json import JsonObject
from testwright.model.untrusted_text import storable

_LARGEST = 1e15  # beyond any time in milliseconds, any size and any place


class WrongTypeError(ValueError):
    """A field that is not what it must be: its record is left out, and counted."""


def text_of(holder: Mapping[str, object], name: str, default: str = "") -> str:
    value = holder.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise WrongTypeError(name)
    return storable(value)


def number_of(holder: Mapping[str, object], name: str, default: float = 0.0) -> float:
    value = holder.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongTypeError(name)
    if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > _LARGEST:
        raise WrongTypeError(name)
    return float(value)


def text_or_empty(value: object) -> str:
    """For a file in which a field of another type is as good as none."""
    return storable(value) if isinstance(value, str) else ""


def object_or_empty(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def checked_object(value: object, name: str) -> JsonObject:
    if not isinstance(value, dict):
        raise WrongTypeError(name)
    return value


def object_of(holder: Mapping[str, object], name: str) -> JsonObject:
    value = holder.get(name)
    return {} if value is None else checked_object(value, name)


def list_of(holder: Mapping[str, object], name: str) -> list[object]:
    value = holder.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise WrongTypeError(name)
    return value


def objects_of(holder: Mapping[str, object], name: str) -> Iterator[JsonObject]:
    for one in list_of(holder, name):
        yield checked_object(one, name)
