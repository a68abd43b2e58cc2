"""Words for names: identifiers in snake case, short slugs of texts, plain words for types."""

import ast
import re

from testwright.instrument.syntax_names import last_name

_TYPES = {
    "str": "a_string", "bytes": "bytes", "bytearray": "bytes", "int": "a_number", "float": "a_number",
    "complex": "a_number", "bool": "a_bool", "list": "a_list", "tuple": "a_tuple", "dict": "a_dict",
    "set": "a_set", "frozenset": "a_set", "type": "a_class", "NoneType": "none",
}  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_ACRONYMS = {"OSError": "os_error", "IOError": "io_error", "EOFError": "eof_error"}


def snake(name: str) -> str:
    """`HTTPServer` as `http_server`, `_Private` as `private`, `__len__` as `len`."""
    bare = name.strip("_")
    return _ACRONYMS.get(bare, re.sub(r"_+", "_", _CAMEL.sub("_", bare).lower())) or "underscore"


def slug(text: str, *, most_words: int = 3, most_characters: int = 24) -> str:
    """The text as a few words joined by underscores; empty when it is not made of plain words."""
    words = re.findall(r"[a-z0-9]+", _CAMEL.sub("_", text).lower())
    joined = "_".join(words)
    if not joined or len(words) > most_words or len(joined) > most_characters:
        return ""
    # Text that is mostly signs would be named for the few letters in it.
    return joined if sum(map(len, words)) * 2 > len(text.strip()) else ""


def type_words(name: str) -> str:
    """`a_string` for `str`, `a_basket` for `Basket`."""
    if name in _TYPES:
        return _TYPES[name]
    word = snake(name.rpartition(".")[2])
    return f"an_{word}" if word[:1] in "aeiou" else f"a_{word}"


def literal_kind(node: ast.expr) -> str:
    """The type of the value an expression stands for, by its looks: `str`, `list`, `function`, `Decimal`; or empty."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.UnaryOp):
        return literal_kind(node.operand)
    if isinstance(node, ast.Call):
        return last_name(node.func)
    kinds = {
        ast.List: "list",
        ast.ListComp: "list",
        ast.Tuple: "tuple",
        ast.Dict: "dict",
        ast.DictComp: "dict",
        ast.Set: "set",
        ast.SetComp: "set",
        ast.Lambda: "function",
        ast.JoinedStr: "str",
        ast.GeneratorExp: "generator",
    }
    return kinds.get(type(node), "")


def joined(parts: list[str], *, most: int = 2, instead: str = "") -> str:
    """`a_and_b`, `a_b_and_c`; `instead` when there are more than `most`."""
    if len(parts) > most:
        return instead
    return "_and_".join(filter(None, ("_".join(parts[:-1]), *parts[-1:])))
