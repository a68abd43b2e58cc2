"""What is special about a value, in words: `empty_text`, `negative_n`, `when_strict`."""

import ast
import copy
import re
from dataclasses import dataclass

from testwright.generate.writing.expression_trees import NO_LITERAL, chain, literal_of
from testwright.generate.writing.name_words import literal_kind, slug, snake, type_words

_LARGE = 1000
_LONG = 60
# Parameters of these names may be True as they may be anything: that is not a switch that is on.
_ANYTHING = """a arg args b data default element func i index item items key message n name number obj other path root
    string text value x y"""
_NO_FLAGS = frozenset(_ANYTHING.split())
_LONGEST_SHORT_TEXT = 30
_SIGNS = {
    " ": "space", "_": "underscore", "-": "dash", ",": "comma", ".": "dot", ":": "colon",
    ";": "semicolon", "/": "slash", "\\": "backslash", "|": "bar", "+": "plus", "*": "star",
    "=": "equals_sign", "#": "hash", "%": "percent", "&": "ampersand", "@": "at_sign",
    "!": "exclamation_mark", "?": "question_mark", "'": "quote", '"': "double_quote", "\n": "newline",
    "\t": "tab",
}  # fmt: skip


@dataclass(frozen=True)
class Phrase:
    """`link` joins it to what came before: "for", "when" or "with". The higher the weight, the more it says."""

    link: str
    words: str
    weight: int
    short: str = ""  # the same without the variable's name, for where there is little room

    def __str__(self) -> str:
        return f"{self.link}_{self.words}"


def phrase(node: ast.expr, variable: str) -> Phrase | None:
    """What to say of `variable` having this value; None when there is nothing worth saying."""
    name = snake(variable)
    value = literal_of(node)
    if value is NO_LITERAL:
        return _of_expression(node, name)
    if value is None:
        return Phrase("when", f"{name}_is_none", 3, "none")
    if isinstance(value, bool):
        return _of_flag(value, name)
    if isinstance(value, complex):
        return Phrase("for", f"complex_{name}", 2, "complex")
    if isinstance(value, int | float):
        return _of_number(value, name)
    if isinstance(value, str):
        return _of_text(value, name)
    return _of_collection(value, name)


def _of_flag(value: bool, name: str) -> Phrase:
    if name in _NO_FLAGS:
        return Phrase("when", f"{name}_is_{str(value).lower()}", 3, str(value).lower())
    return Phrase("when", name if value else f"not_{name}", 3)


def _of_number(value: float, name: str) -> Phrase | None:
    if value == 0:
        return Phrase("for", f"zero_{name}", 3, "zero")
    if value < 0:
        return Phrase("for", f"negative_{name}", 3, "negative")
    if value == float("inf"):
        return Phrase("for", f"infinite_{name}", 3, "infinite")
    if not isinstance(value, int):
        return (
            Phrase("for", f"fractional_{name}", 2, "fractional")
            if value != value // 1
            else Phrase("for", f"float_{name}", 1, "float")
        )
    return Phrase("for", f"large_{name}", 2, "large") if value >= _LARGE else Phrase("when", f"{name}_is_{value}", 1)


def _of_text(value: str, name: str) -> Phrase | None:
    if not value:
        return Phrase("for", f"empty_{name}", 3, "empty")
    if value in _SIGNS:
        return Phrase("for", f"{_SIGNS[value]}_as_{name}", 2)
    if not value.strip():
        return Phrase("for", f"blank_{name}", 3, "blank")
    if "\n" in value.strip("\n"):
        return Phrase("for", f"{name}_of_several_lines", 2, "several_lines")
    if value.isdecimal():
        return Phrase("for", f"{name}_of_digits", 2, "digits")
    if not value.isascii():
        return Phrase("for", f"{name}_beyond_ascii", 2, "non_ascii")
    word = slug(value)
    if word and not word.isdecimal():
        return Phrase("for", f"{name}_{word}", 1, word)
    if not any(character.isalnum() for character in value):
        return Phrase("for", f"{name}_of_signs", 2, "signs")
    return Phrase("for", f"long_{name}", 1, "long") if len(value) > _LONG else None


def _of_collection(value: object, name: str) -> Phrase | None:
    size = len(value) if isinstance(value, list | tuple | dict | set | frozenset | bytes) else 0
    if size == 0:
        return Phrase("for", f"empty_{name}", 3, "empty")
    if isinstance(value, bytes):
        return Phrase("for", f"bytes_as_{name}", 2, "bytes")
    if isinstance(value, list | tuple | set | frozenset) and size == 1:
        return Phrase("for", f"one_item_in_{name}", 2, "one_item")
    noun = "entries" if isinstance(value, dict) else "items"
    return Phrase("for", f"{size}_{noun}_in_{name}" if size > 1 else f"one_entry_in_{name}", 1)


def _of_expression(node: ast.expr, name: str) -> Phrase | None:
    parts = chain(node)
    if parts:
        return Phrase("for", f"{name}_{snake(parts[-1])}", 2) if len(parts) > 1 else None
    if isinstance(node, ast.Lambda):
        return Phrase("with", f"{name}_function", 1)
    if isinstance(node, ast.Call):
        return _of_call(node, name)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Call):
        inner = _of_call(node.operand, name)
        return inner and Phrase(inner.link, inner.words.replace("infinite", "minus_infinite"), inner.weight)
    return None


def _of_call(node: ast.Call, name: str) -> Phrase | None:
    kind = snake(literal_kind(node))
    argument = literal_of(node.args[0]) if len(node.args) == 1 else NO_LITERAL
    if kind == "float" and isinstance(argument, str):
        word = {"inf": "infinite", "-inf": "minus_infinite", "nan": "not_a_number"}.get(argument.lower())
        return Phrase("for", f"{word}_{name}", 3) if word else None
    if kind in ("set", "frozenset", "list", "dict", "tuple", "bytearray") and not node.args and not node.keywords:
        return Phrase("for", f"empty_{name}", 3, "empty")
    if not kind or kind == name:
        return None
    return Phrase("for", f"{kind}_as_{name}", 1, kind)


def type_phrase(node: ast.expr, variable: str) -> Phrase | None:
    """For a value of an unusual type: `when_text_is_a_number`."""
    name, kind, value = snake(variable), literal_kind(node), literal_of(node)
    if not kind:
        return None
    if value is None or isinstance(value, bool):
        return Phrase("when", f"{name}_is_{str(value).lower()}", 4, str(value).lower())
    if value in (b"", [], (), {}):
        return Phrase("for", f"empty_{kind}_as_{name}", 4, f"empty_{kind}")
    return Phrase("when", f"{name}_is_{type_words(kind)}", 4, type_words(kind))


def opening_phrase(node: ast.expr, variable: str) -> Phrase | None:
    """A text by the word that it begins with, where nothing else tells it from others."""
    value = literal_of(node)
    words = re.findall(r"[a-z]{2,}", value.lower()) if isinstance(value, str) else []
    return Phrase("for", f"{snake(variable)}_starting_with_{words[0][:20]}", 1) if words else None


def short_text(node: ast.expr) -> str:
    """The value itself for a row's id, cut where it is long; empty when it has none that can be read."""
    value = literal_of(node)
    if isinstance(value, str):
        text = value if value == value.strip() and not value.isdecimal() else repr(value)
    elif isinstance(node, ast.Call):
        text = _call_text(node)
    else:
        text = ast.unparse(node)
    if not text.isascii() or not text.isprintable() or "::" in text or "\\" in text:
        return ""
    return text if len(text) <= _LONGEST_SHORT_TEXT else _beginning(text)


def _beginning(text: str) -> str:
    cut = text[:_LONGEST_SHORT_TEXT]
    at_a_word = cut.rpartition(" ")[0]
    return f"{(at_a_word if len(at_a_word) * 2 > len(cut) else cut).rstrip()}..."


def _call_text(node: ast.Call) -> str:
    """`date(2024, 1, 6)` as `2024-01-06`, other calls without the modules that lead to them."""
    values = [literal_of(each) for each in node.args]
    if (
        literal_kind(node) in ("date", "datetime")
        and len(values) >= 3
        and all(isinstance(each, int) for each in values)
    ):
        return "-".join(f"{value:02}" for value in values)
    short = copy.deepcopy(node)
    for inner in ast.walk(short):
        if isinstance(inner, ast.Call) and len(chain(inner.func)) > 1:
            inner.func = ast.Name(id=chain(inner.func)[-1], ctx=ast.Load())
    return ast.unparse(short)
