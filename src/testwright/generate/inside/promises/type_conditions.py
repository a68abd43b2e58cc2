"""Types as conditions: the expression that is true if a result is of a kind, and the check that says so."""

import re
import typing
from collections.abc import Callable
from typing import Any

from testwright.generate.inside.generated_case import Check, Relation

NAMED = (str, int, float, bool, bytes, list, tuple, dict, set, frozenset)
_NameOf = Callable[[object], str | None]


def expected_for(kind: Any, name_of: _NameOf) -> tuple[tuple[Check, ...], str]:
    """What a test asserts of a result of this kind: checks, or else a property; neither when none can be written."""
    condition = condition_for(kind, "result", name_of) or ""
    if condition == "result is None":
        return (Check("result", "{}", Relation.IDENTICAL, "None"),), ""
    plain = re.fullmatch(r"isinstance\(result, ([\w.]+|\([\w., ]+\))\)", condition)
    return ((Check("result", "{}", Relation.INSTANCE, plain[1]),), "") if plain else ((), condition)


def condition_for(kind: Any, name: str, name_of: _NameOf) -> str | None:
    """An expression that is true if what has this name is of this kind; None where none can be written shortly."""
    if kind is None or kind is type(None):
        return f"{name} is None"
    arguments, origin = typing.get_args(kind), typing.get_origin(kind) or kind
    if is_union(kind):
        parts = [condition_for(each, name, name_of) for each in arguments]
        return None if None in parts else _either([part for part in parts if part is not None])
    if origin is typing.Literal:
        return f"{name} in {arguments!r}" if all(type(each) in (str, int) for each in arguments) else None
    if not isinstance(origin, type):
        return None
    spelled = "(int, float)" if origin is float else origin.__name__ if origin in NAMED else name_of(origin)
    own = f"isinstance({name}, {spelled})" if spelled is not None else None
    return f"{own}{_items_condition(origin, arguments, name, name_of)}" if own is not None else None


def _items_condition(origin: type, arguments: tuple[Any, ...], name: str, name_of: _NameOf) -> str:
    if origin in (list, set, frozenset) and len(arguments) == 1 and name == "result":
        inner = condition_for(arguments[0], "item", name_of)
        return f" and all({inner} for item in {name})" if inner else ""
    if origin is dict and len(arguments) == 2 and name == "result":
        key, value = (
            condition_for(each, word, name_of) for each, word in zip(arguments, ("key", "value"), strict=True)
        )
        return f" and all({key} and {value} for key, value in {name}.items())" if key and value else ""
    return ""


def _either(parts: list[str]) -> str:
    """`isinstance(x, str) or isinstance(x, int)` in one."""
    classes = [re.fullmatch(r"isinstance\((\w+), (\w[\w.]*)\)", part) for part in parts]
    if all(classes):
        names = [each[2] for each in classes if each]
        return f"isinstance({classes[0][1] if classes[0] else ''}, ({', '.join(names)}))"
    return " or ".join(parts)


def is_union(kind: Any) -> bool:
    return type(kind).__name__ in ("UnionType", "_UnionGenericAlias", "Union")
