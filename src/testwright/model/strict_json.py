"""JSON from strangers: no NaN, no double keys, and an error that says where and why."""

import json
from collections import Counter
from functools import partial
from typing import NoReturn

from testwright.model.untrusted_text import storable

JsonObject = dict[str, object]


class NotStrictError(ValueError):
    """Something that Python's parser lets pass and we do not."""


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    found = {storable(name): value for name, value in pairs}
    if len(found) != len(pairs):
        # Two readers of one file could see two different results.
        (double, _), *_ = Counter(storable(name) for name, _ in pairs).most_common(1)
        raise NotStrictError(f"the key {double[:80]!r} stands twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise NotStrictError(f"{name} is not JSON")


_loads = partial(json.loads, object_pairs_hook=_object, parse_constant=_constant)


def read_strict_json(text: str) -> object:
    """The value that `text` is. RecursionError where it is nested too deeply; anything else is a ValueError."""
    value: object = _loads(text)
    return value


def syntax_complaint(error: json.JSONDecodeError) -> str:
    """What is wrong where the parser stopped, for a sentence."""
    if error.pos < len(error.doc.rstrip()):
        return f"not JSON ({error.msg})"
    return f"the file ends in the middle of a value ({error.msg})" if error.doc.strip() else "the file is empty"
