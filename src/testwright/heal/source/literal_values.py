"""What string literals say: TypeScript, JavaScript, Python and Dart."""

import ast
import re
import warnings
from typing import TYPE_CHECKING

from testwright.heal.source.languages import Language, ParsedSource

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(r"\\(u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|\r\n|.)", re.DOTALL)
_SINGLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "v": "\v", "f": "\f"}
STRINGS = frozenset({"string", "template_string", "concatenated_string", "string_literal"})


def is_string(node: "Node") -> bool:
    return node.type in STRINGS


def string_value(source: ParsedSource, node: "Node") -> str | None:
    """What the literal stands for; None: it is known only at run time, or is not a text."""
    written = source.written(node)
    if source.language is Language.PYTHON:
        return _python_value(written)
    if source.language is Language.DART:
        return _dart_value(node, written)
    if node.type == "template_string" and any(child.type == "template_substitution" for child in node.children):
        return None
    return _unescaped(written[1:-1], _SINGLE | {"0": "\0"})


def quote_of(source: ParsedSource, node: "Node") -> str:
    """The quotation mark that a new literal in the same place should have."""
    found = re.search(r"""['"]""", source.written(node)[:4])
    return found[0] if found and not source.written(node).startswith("`") else "'"


def _unescaped(body: str, single: dict[str, str]) -> str | None:
    def spoken(found: re.Match[str]) -> str:
        number = found[2] or found[3] or found[4]
        if number is not None:
            return chr(int(number, 16))
        if found[1] in ("\n", "\r\n"):
            return ""
        return single.get(found[1], found[1])

    try:
        text = _ESCAPE.sub(spoken, body)
        return text.encode("utf-16", "surrogatepass").decode("utf-16")  # two halves become one character
    except (ValueError, UnicodeError):
        return None


def _python_value(written: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.parse(f"({written})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(value, ast.JoinedStr):
        parts = [part.value for part in value.values if isinstance(part, ast.Constant)]
        return "".join(map(str, parts)) if len(parts) == len(value.values) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _dart_value(node: "Node", written: str) -> str | None:
    if any(child.type == "template_substitution" for child in node.children):
        return None
    raw = written.startswith("r")
    body = written.removeprefix("r")
    marks = body[:3] if body[:3] in ("'''", '"""') else body[:1]
    body = body.removeprefix(marks)
    if not body.endswith(marks) or re.search(r"""(?<!\\)['"]\s+['"]""", body):
        return None
    body = body.removesuffix(marks)
    return body if raw else _unescaped(body, _SINGLE)
