"""What a docstring says about parameters: their types in any of the usual styles, the values it names, its examples."""

import ast
import re
from dataclasses import dataclass, field
from typing import Any, Union

from testwright.generate.inside.safe_access import quietly
from testwright.generate.inside.values.value_expressions import parsed
from testwright.instrument.syntax_names import last_name

TYPE_WORDS: dict[str, Any] = {
    "str": str, "string": str, "strings": str, "text": str, "unicode": str, "basestring": str,
    "char": str, "character": str, "int": int, "integer": int, "ints": int, "integers": int,
    "long": int, "number": float, "float": float, "floats": float, "double": float, "bool": bool,
    "boolean": bool, "bools": bool, "list": list, "array": list, "sequence": list, "iterable": list,
    "array-like": list, "lists": list, "tuple": tuple, "tuples": tuple, "dict": dict,
    "dictionary": dict, "mapping": dict, "dicts": dict, "set": set, "frozenset": frozenset,
    "bytes": bytes, "bytestring": bytes, "callable": "callable", "function": "callable",
    "func": "callable", "none": None, "type": type, "class": type, "object": object, "file": "file",
    "file-like": "file", "path": "path", "datetime": "datetime", "date": "date", "exception": Exception,
}  # fmt: skip
FIELD = re.compile(
    r"^[ \t]*(?:[:@])(?:param|parameter|arg|argument|type|keyword|key)\s+(?P<head>[^:\n]*?)\s*:\s*(?P<rest>[^\n]*)",
    re.MULTILINE,
)
BRACED = re.compile(r"@param\s+\{(?P<type>[^}]*)\}\s+(?P<name>\w+)")
GOOGLE = re.compile(r"^[ \t]+(?P<name>\*{0,2}\w+)\s*\((?P<type>[^)\n]+)\)\s*:\s*(?P<rest>[^\n]*)", re.MULTILINE)
NUMPY = re.compile(r"^[ \t]*(?P<name>\w+)\s+:\s+(?P<type>[^\n]+)", re.MULTILINE)
LOOSE = re.compile(r"^[ \t]*(?P<name>\w+)\s*(?:--|-)\s+(?P<rest>[^\n]+)", re.MULTILINE)
QUOTED = re.compile(r"``?[\"']?([\w .:/+-]{1,30})[\"']?``?|'([^'\n]{1,30})'|\"([^\"\n]{1,30})\"")
PROMPT = re.compile(r"^[ \t]*>>> ?(?P<code>.*(?:\n[ \t]*\.\.\. ?.*)*)", re.MULTILINE)


@dataclass
class DocstringHints:
    types: dict[str, list[Any]] = field(default_factory=dict)
    """By parameter: type objects, or the words "callable", "file", "path", "date", "datetime"."""
    choices: dict[str, list[object]] = field(default_factory=dict)
    """By parameter: plain values that its description quotes."""

    def add(self, name: str, type_text: str, rest: str) -> None:
        name = name.strip("* ")
        found = types_in(type_text)
        self.types.setdefault(name, []).extend(found)
        quoted = [group for match in QUOTED.finditer(f"{type_text} {rest}") for group in match.groups() if group]
        self.choices.setdefault(name, []).extend(_plain(each) for each in quoted[:8])


def documented(docstring: str) -> DocstringHints:
    """What the docstring says about each parameter."""
    found = DocstringHints()
    text = docstring[:20_000]
    for match in BRACED.finditer(text):
        found.add(match["name"], match["type"], "")
    for match in FIELD.finditer(text):
        is_type = match[0].lstrip()[1:].startswith("type")
        words = match["head"].split()
        if not words:
            continue
        found.add(words[-1], match["rest"] if is_type else " ".join(words[:-1]), "" if is_type else match["rest"])
    for pattern in (GOOGLE, NUMPY):
        for match in pattern.finditer(text):
            found.add(match["name"], match["type"], match.groupdict().get("rest") or "")
    for match in LOOSE.finditer(text):
        found.add(match["name"], "", match["rest"])
    return found


def types_in(text: str) -> list[Any]:
    """`list of str`, `str or None`, `int, optional`, `int[]` as type objects; nothing when not understood."""
    text = re.sub(r"\b(optional|default\b.*|non-empty|positive|negative|of length.*)", "", text.strip(" .,`'\"")).strip(
        " .,`"
    )
    parts = [part for part in re.split(r"\s+or\s+|\s*\|\s*|,\s*|/", text) if part.strip()]
    found: list[Any] = []
    for part in parts[:4]:
        kind = _one_type(part.strip(" `'\".,"))
        if kind is not _UNKNOWN:
            found.append(kind)
    return found


_UNKNOWN = object()


def _one_type(words: str) -> Any:
    array = re.fullmatch(r"(\w+)\s*\[\s*\]", words)
    holding = re.fullmatch(r"([\w-]+)\s*(?:\(s\))?\s*(?:of|\[|<|\()\s*([\w-]+)s?[\])>]?", words)
    if array:
        return _generic(list, TYPE_WORDS.get(array[1].lower()))
    if holding and holding[1].lower() in TYPE_WORDS:
        return _generic(
            TYPE_WORDS[holding[1].lower()], TYPE_WORDS.get(holding[2].lower(), TYPE_WORDS.get(holding[2].lower() + "s"))
        )
    last = words.rsplit(maxsplit=1)[-1] if words.split() else ""
    return TYPE_WORDS.get(words.lower(), TYPE_WORDS.get(last.strip("`:").lower(), _UNKNOWN))


def _generic(container: Any, item: Any) -> Any:
    if not isinstance(item, type) or container not in (list, set, tuple, frozenset):
        return container
    return tuple[item, ...] if container is tuple else container[item]


def _plain(quoted: str) -> object:
    value = quietly(lambda: ast.literal_eval(quoted), quoted)
    return value if type(value) in (str, int, float, bytes) else quoted


def either(kinds: list[Any]) -> Any:
    """One annotation for several documented types."""
    real = [kind for kind in kinds if isinstance(kind, type) or kind is None or not isinstance(kind, str)]
    return quietly(lambda: Union[tuple(real)], None) if real else None  # noqa: UP007 - made at run time, from a list


def example_calls(docstring: str, name: str) -> list[ast.Call]:
    """The calls of `name` in a docstring's examples: after a prompt, or written out in a line of their own."""
    calls: list[ast.Call] = []
    for match in PROMPT.finditer(docstring):
        code = re.sub(r"\n[ \t]*\.\.\. ?", "\n", match["code"])
        calls += calls_in(code, name)
    for match in re.finditer(rf"\b{re.escape(name)}\([^\n]*", docstring):
        call = _call_at_start(match[0])
        if call is not None and (call.args or call.keywords):
            calls.append(call)
    return calls


def calls_in(source: str, name: str) -> list[ast.Call]:
    """Every call of `name` (however it is imported) in a piece of source."""
    tree = quietly(lambda: ast.parse(source), None)
    if tree is None:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) == name]


def _call_at_start(line: str) -> ast.Call | None:
    for end in [place for place, char in enumerate(line) if char == ")"][:6]:
        tree = parsed(line[: end + 1])
        if isinstance(tree, ast.Call):
            return tree
    return None
