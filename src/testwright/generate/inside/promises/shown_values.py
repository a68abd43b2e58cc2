"""Whether a value is the one that an example shows, as a person would read it."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

_CLOSE = 1e-9


def is_same(wanted: Any, value: Any) -> bool:
    """Equal; or as close as the digits that are shown say; or the same text in bytes; or shown in the same way."""
    if isinstance(wanted, float) and isinstance(value, int | float) and not isinstance(value, bool):
        return _is_rounded(wanted, value)
    if isinstance(wanted, str) and isinstance(value, bytes):
        return wanted.encode("utf-8", "replace") == value
    if isinstance(wanted, bytes) and isinstance(value, str):
        return wanted == value.encode("utf-8", "replace")
    if isinstance(wanted, list | tuple) and isinstance(value, list | tuple):
        pairs = zip(wanted, value, strict=False)
        return len(wanted) == len(value) and all(is_same(one, other) for one, other in pairs)
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(is_same(item, value[key]) for key, item in wanted.items())
    return bool(wanted == value) or repr(wanted) == repr(value)


def _is_rounded(wanted: float, value: float) -> bool:
    if math.isnan(wanted) or math.isnan(value):
        return math.isnan(wanted) and math.isnan(value)
    digits = len(repr(wanted).partition(".")[2]) if "e" not in repr(wanted) else 12
    return math.isclose(wanted, value, rel_tol=_CLOSE, abs_tol=_CLOSE) or abs(wanted - value) <= 0.51 * 10**-digits


def is_reordered(wanted: Any, value: Any) -> bool:
    """The same items in another order."""
    if not isinstance(wanted, list | tuple) or not isinstance(value, list | tuple):
        return False
    return Counter(map(repr, wanted)) == Counter(map(repr, value))


def is_comparable(wanted: Any, value: Any) -> bool:
    """Whether the two can be held against each other: a list that is shown for an iterator says nothing."""
    if isinstance(value, Iterator) or type(value).__name__ in ("dict_keys", "dict_values", "dict_items"):
        return False
    comparing: object = type(wanted).__eq__
    if comparing is object.__eq__ and wanted is not None:
        return False  # two objects of such a class are never equal
    return not callable(value) or callable(wanted)
