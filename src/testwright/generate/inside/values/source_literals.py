"""Plain values that stand in the source: near a function first, then anywhere in its module, and in live constants."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from testwright.generate.inside.safe_access import attributes_of_class, is_class, quietly, unique
from testwright.generate.inside.values.package_sources import dotted

LONGEST_TEXT = 80
MOST_OF_EACH = 60
PLACEHOLDER = re.compile(r"%\([^)]*\)[sdrf]|%[-+0-9.]*[sdrfxi]|\{[^{}]*\}")


class Literals:
    """The strings and numbers of a piece of source, each once, in the order of the source."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.texts: list[str] = []
        self.numbers: list[int | float] = []
        self.byte_strings: list[bytes] = []
        self.patterns: list[tuple[str, int]] = []
        for node in nodes:
            self._read(node)

    def _read(self, tree: ast.AST) -> None:
        skipped = {id(each) for each in _texts_for_people(tree)}
        texts: list[str] = []
        numbers: dict[str, int | float] = {}
        for node in sorted(ast.walk(tree), key=_place):
            if isinstance(node, ast.Constant) and id(node) not in skipped:
                value = node.value
                if type(value) is str and len(value) <= LONGEST_TEXT:
                    texts.append(value)
                elif type(value) in (int, float):
                    numbers[repr(value)] = value  # type: ignore[assignment]  # narrowed by `type(...) in`
                elif type(value) is bytes and len(value) <= LONGEST_TEXT:
                    self.byte_strings.append(value)
            elif isinstance(node, ast.Call) and dotted(node.func).startswith("re.") and node.args:
                pattern = quietly(lambda node=node: ast.literal_eval(node.args[0]), None)  # type: ignore[misc]  # a lambda with a default
                if type(pattern) is str:
                    self.patterns.append((pattern, 0))
        self.texts += [each for each in unique(texts) if each not in self.texts][:MOST_OF_EACH]
        self.numbers += [each for each in numbers.values() if each not in self.numbers][:MOST_OF_EACH]


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _texts_for_people(tree: ast.AST) -> Iterator[ast.Constant]:
    """Docstrings, and messages of errors and logs: long, and never compared with an input."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.Raise):
            yield from (each for each in ast.walk(node) if isinstance(each, ast.Constant))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            annotations = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)] + [
                node.returns
            ]
            for annotation in annotations:
                if annotation is not None:
                    yield from (each for each in ast.walk(annotation) if isinstance(each, ast.Constant))


def filled(template: str) -> str:
    """A format string with its placeholders filled in: what it makes is often what another function reads."""
    return PLACEHOLDER.sub(lambda found: "1" if found[0][-1] in "dixf" else "name", template)


def names_used(node: ast.AST) -> list[str]:
    """The dotted names that a piece of source reads, outermost first."""
    return list(unique(dotted(each) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute))))


def patterns_in(value: Any, depth: int = 2) -> list[tuple[str, int]]:
    """The regular expressions that a live constant holds."""
    if type(value) is re.Pattern and type(value.pattern) is str:
        return [(value.pattern, value.flags & ~re.UNICODE)]
    if depth == 0:
        return []
    inside: list[Any] = []
    if type(value) in (list, tuple):
        inside = list(value)[:40]
    elif type(value) is dict:
        inside = list(value.values())[:40]
    elif is_class(value):
        inside = list(attributes_of_class(value).values())
    return [pattern for each in inside for pattern in patterns_in(each, depth - 1)]


def keys_in(value: Any) -> list[Any]:
    """The plain keys or members of a live container: what code that looks things up in it expects."""
    if type(value) in (dict, list, tuple, set, frozenset):
        plain = [each for each in list(value)[:200] if type(each) in (str, int)]
        return (sorted(plain, key=repr) if type(value) in (set, frozenset) else plain)[:12]
    return []
