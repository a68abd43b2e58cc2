"""The types that docstrings name in words: `str`, `list of int`, `Optional[str]`; strict, unknown is unknown."""

import ast
import re
from typing import Any, Union

UNKNOWN = object()  # no type could be read with certainty

_WORDS: dict[str, Any] = {
    "str": str, "string": str, "strings": str, "int": int, "integer": int, "ints": int, "integers": int, "float": float,
    "floats": float, "bool": bool, "boolean": bool, "bools": bool, "booleans": bool, "list": list, "lists": list,
    "tuple": tuple, "tuples": tuple, "dict": dict, "dictionary": dict, "dicts": dict, "set": set,
    "frozenset": frozenset, "bytes": bytes, "none": type(None), "nonetype": type(None), "number": int | float,
    "numbers": int | float,
}  # fmt: skip
_GENERIC: dict[str, Any] = {"list": list, "dict": dict, "tuple": tuple, "set": set, "frozenset": frozenset}
_ROLE = re.compile(r":\w+:`~?([^`<>]+)`")


def type_in_words(text: str) -> Any:
    """The annotation that these words stand for, or UNKNOWN."""
    plain = _ROLE.sub(r"\1", text).replace("`", "").strip(" .,;")
    plain = re.sub(r",?\s*\(?\b(optional|required|defaults? (to|is|=).*)\)?$", "", plain, flags=re.IGNORECASE).strip(
        " ,"
    )
    plain = re.sub(r"^an?\s+", "", plain, flags=re.IGNORECASE)
    parts = re.split(r"\s+or\s+", plain)
    found = [_one(part) for part in parts]
    if not plain or any(each is UNKNOWN for each in found):
        return UNKNOWN
    return found[0] if len(found) == 1 else Union[tuple(found)]  # noqa: UP007 - made at run time, from a list


def _one(words: str) -> Any:
    known = _WORDS.get(words.lower())
    if known is not None:
        return known
    holding = re.fullmatch(r"(list|set|tuple|frozenset)s? of (\w+)", words.lower())
    if holding:
        item: Any = _WORDS.get(holding[2], UNKNOWN)
        container = _GENERIC[holding[1]]
        if item is UNKNOWN:
            return container
        return container[item, ...] if container is tuple else container[item]
    try:
        tree = ast.parse(words, mode="eval").body
    except SyntaxError:
        return UNKNOWN
    return _from_syntax(tree)


def _from_syntax(node: ast.expr) -> Any:
    """`Optional[str]`, `typing.List[int]`, `str | None`."""
    if isinstance(node, ast.Constant) and node.value is None:
        return type(None)
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id.lower(), UNKNOWN)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either([_from_syntax(node.left), _from_syntax(node.right)])
    if not isinstance(node, ast.Subscript):
        return UNKNOWN
    name = ast.unparse(node.value).rpartition(".")[2].lower()
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    items = [_from_syntax(each) for each in inner]
    if name in ("optional", "union"):
        return _either([*items, type(None)] if name == "optional" else items)
    if name not in _GENERIC:
        return UNKNOWN
    if UNKNOWN in items or (name == "dict") != (len(items) == 2) or name == "tuple":
        return _GENERIC[name]
    return _GENERIC[name][tuple(items)]


def _either(kinds: list[Any]) -> Any:
    return UNKNOWN if UNKNOWN in kinds else Union[tuple(kinds)]  # noqa: UP007 - made at run time, from a list
