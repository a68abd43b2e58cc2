"""A flat copy of what a mutable value holds, cheap to make and to compare: to see what a call changed."""

import contextlib
import datetime as dt
import io
import re
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any
from uuid import UUID

_MOST_TOKENS = 400
_DEEPEST = 4
# Values that no call changes, though some of them cache answers inside.
_SINGLE = frozenset(
    {
        *(int, float, complex, bool, str, bytes, type(None), range, slice, type),
        *(FunctionType, BuiltinFunctionType, ModuleType),
        *(dt.date, dt.datetime, dt.time, dt.timedelta, dt.timezone, Decimal, Fraction, UUID, re.Pattern),
        *(PosixPath, WindowsPath, PurePosixPath, PureWindowsPath),
    }
)

Snapshot = list[object]


def is_mutable(value: object) -> bool:
    """Whether a call could change what the value holds."""
    return type(value) not in _SINGLE


def snapshot(value: object) -> Snapshot:
    """What the value holds now, as a flat list of single values, types and sizes."""
    tokens: Snapshot = []
    _flatten(value, tokens, set(), 0)
    return tokens


def differ(before: Snapshot, after: Snapshot) -> bool:
    """Whether two snapshots show different contents; 1, 1.0 and True are different here."""
    try:
        return len(before) != len(after) or before != after or any(map(_is_other_type, before, after))
    except Exception:  # noqa: BLE001 - hashable items of a set may have any __eq__; then nothing is claimed
        return False


def attributes_of(thing: object) -> dict[str, Any]:
    """The attributes that are stored in the object itself: of its `__dict__`, then of its slots."""
    try:
        found = dict(object.__getattribute__(thing, "__dict__"))
    except (AttributeError, TypeError, ValueError):  # it has none, or something else by that name
        found = {}
    for base in type(thing).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if type(name) is not str or name in ("__dict__", "__weakref__") or name in found:
                continue
            if name.startswith("__") and not name.endswith("__"):
                continue  # mangled: no test would look at it
            # A slot may hold nothing, or be replaced by a property that raises anything.
            with contextlib.suppress(Exception):
                found[name] = object.__getattribute__(thing, name)
    return found


def plain_base(value: Any) -> Any:
    """What an object holds as one of Python's own types, without asking its own methods; None if it is none of them."""
    for base, view in _BASES:
        if isinstance(value, base):
            return view(value)
    return None


def _is_other_type(one: object, other: object) -> bool:
    return type(one) is not type(other)


def _flatten(value: Any, tokens: Snapshot, within: set[int], depth: int) -> None:
    kind = type(value)
    if kind in _SINGLE or len(tokens) >= _MOST_TOKENS:
        tokens.append(value)
        return
    if depth >= _DEEPEST or id(value) in within:
        tokens.append(id(value))
        return
    within.add(id(value))
    held = plain_base(value)
    if isinstance(held, list | tuple):
        tokens += (kind, len(held))
        for item in held:
            _flatten(item, tokens, within, depth + 1)
    elif isinstance(held, dict):
        tokens += (kind, len(held))
        for key, item in held.items():
            _flatten(key, tokens, within, depth + 1)
            _flatten(item, tokens, within, depth + 1)
    elif held is not None:
        tokens += (kind, held)
    elif kind in (io.StringIO, io.BytesIO):
        tokens.append(None if value.closed else value.getvalue())
    else:
        tokens.append(id(value))
    if kind.__module__ != "builtins":
        for name, item in attributes_of(value).items():
            tokens.append(name)
            _flatten(item, tokens, within, depth + 1)
    within.discard(id(value))


_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, lambda value: str.__getitem__(value, slice(None))),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (int, int.__int__),
    (float, float.__float__),
    (dict, lambda value: dict(dict.items(value))),
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (deque, lambda value: list(deque.__iter__(value))),
    (bytearray, lambda value: bytes(bytearray.__getitem__(value, slice(None)))),
)
