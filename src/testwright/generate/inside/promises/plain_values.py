"""Ordinary values that put promises to the test: out of order, repeated, with space around, of both signs."""

from typing import Any, get_args, get_origin

_PLAIN: dict[Any, tuple[str, ...]] = {
    str: ('"b a"', '" Two  Words "', '"Aa-b_1"', '"a%b/c"', '"aa"', '"a long text of many words"'),
    int: ("3", "0", "-2", "100"),
    float: ("2.5", "-1.5", "0.25"),
    bool: ("True", "False"),
    bytes: ('b"ab"',),
}
_ITEMS: dict[Any, tuple[str, ...]] = {
    str: ('["b", "a", "c", "a"]', '["B", "a"]', '["b", "a"]'),
    int: ("[3, 1, 2, 1]", "[-2, 5]", "[2, 1]"),
    float: ("[2.5, -1.0, 2.5]", "[2.0, 1.0]"),
}
_ENTRIES: dict[Any, tuple[str, ...]] = {
    (str, int): ('{"b": 2, "a": 1}', '{"c": 3}'),
    (str, str): ('{"b": "2", "a": "1"}', '{"c": "3"}'),
}


def plain_values(kind: Any) -> tuple[str, ...]:
    """Expressions of values of this type; none for a type that is not one of the plainest."""
    arguments = get_args(kind)
    if get_origin(kind) is list and len(arguments) == 1:
        return _ITEMS.get(arguments[0], ())
    if get_origin(kind) is dict:
        return _ENTRIES.get(arguments, ())
    try:
        return _PLAIN.get(kind, ())
    except TypeError:  # an annotation may be anything, also what cannot be looked up
        return ()
