"""Work out, without running it, which folders a conftest puts on `sys.path`."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import parse_file

_ADDS = ("sys.path.insert", "sys.path.append")
_UNCHANGED = frozenset({"str", "Path", "PurePath", "abspath", "realpath", "normpath", "resolve", "absolute", "fspath"})


def folders_added_by(conftest: Path) -> Iterator[Path]:
    """The folders that the file's `sys.path.insert` and `.append` calls add, where they can be told from the text."""
    try:
        tree = parse_file(conftest)
    except TestwrightError:  # what cannot be read adds nothing that we could rely on
        return
    known: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            items = _loop_items(node.iter)
            known.setdefault(node.target.id, []).extend(items)
    reader = _PathReader(conftest, known)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in _ADDS:
            yield from reader.values(node.args[-1])


def _loop_items(iterated: ast.expr) -> list[ast.expr]:
    if isinstance(iterated, ast.Call) and len(iterated.args) == 1:  # reversed([...])
        iterated = iterated.args[0]
    return list(iterated.elts) if isinstance(iterated, ast.List | ast.Tuple) else []


class _PathReader:
    """Evaluates the few expressions that people write for folders."""

    def __init__(self, file: Path, known: dict[str, list[ast.expr]]) -> None:
        self._file, self._known = file, known
        self._open: list[str] = []  # names being looked up: a name may be assigned from itself

    def values(self, node: ast.expr) -> list[Path]:
        return [Path(os.path.normpath(self._file.parent / value)) for value in self._texts(node)]

    def _texts(self, node: ast.expr) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.Name(id="__file__"):
                return [str(self._file)]
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(value=inner, attr="parent"):
                return [os.path.dirname(text) for text in self._texts(inner)]  # noqa: PTH120  texts, not files
            case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(up))):
                return [str(Path(text).parents[up]) for text in self._texts(inner) if up < len(Path(text).parents)]
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return [os.path.join(a, b) for a in self._texts(left) for b in self._texts(right)]  # noqa: PTH118
            case ast.Call():
                return self._called(node)
            case _:
                return []

    def _named(self, name: str) -> list[str]:
        if name in self._open:
            return []
        self._open.append(name)
        found = [text for value in self._known.get(name, []) for text in self._texts(value)]
        self._open.pop()
        return found

    def _called(self, call: ast.Call) -> list[str]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in _UNCHANGED:
            inner = call.args[0] if call.args else receiver
            return self._texts(inner) if inner is not None else []
        if name == "dirname" and call.args:
            return [os.path.dirname(text) for text in self._texts(call.args[0])]  # noqa: PTH120
        if name in ("join", "joinpath"):
            parts = [*([receiver] if name == "joinpath" and receiver is not None else []), *call.args]
            joined = [""]
            for part in parts:
                joined = [os.path.join(start, text) for start in joined for text in self._texts(part)]  # noqa: PTH118
            return joined
        return []
