"""Definitions of the names that some code uses: from the symbol tables, beyond them from jedi where it is installed."""

import ast
import builtins
import contextlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.model.errors import TestwrightError
from testwright.repo.own_symbols import absolute_module
from testwright.repo.python_source import dotted_name, parse_file
from testwright.repo.symbol_index import RepoIndex
from testwright.repo.symbols import ModuleSymbols

MOST_DEFINITIONS = 40
_SMALL_BODY = 400  # characters: small constants and enums are shown whole
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class ResolvedDef:
    name: str
    kind: str
    """`class`, `func`, `const`, `enum` or `fixture`."""
    signature: str
    doc: str | None
    body: str | None = None
    """Source, where the signature does not say enough; None where it is omitted."""


def names_used(nodes: list[ast.AST]) -> list[str]:
    """Dotted names that the code uses and does not bind itself, in order; builtins are left out."""
    bound: set[str] = set()
    used: dict[str, None] = {}
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
        inner = _outermost_names(top)
        for name in inner:
            used.setdefault(name)
    return [name for name in used if name.partition(".")[0] not in bound | _BUILTINS | {"self", "cls"}]


def _outermost_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name | ast.Attribute):
        dotted = dotted_name(node)
        if dotted is not None:
            yield dotted
            return
    for child in ast.iter_child_nodes(node):
        yield from _outermost_names(child)


class Definitions:
    """Looks names up as they are seen from one file."""

    def __init__(self, file: Path, tree: ast.Module, module: str, index: RepoIndex) -> None:
        self._file, self._index, self._modules = file, index, index.module_names()
        self._imports = _imported(tree, module if file.name == "__init__.py" else module.rpartition(".")[0])
        self._open: set[tuple[Path, str]] = set()

    def resolve(self, names: list[str], *, most: int = MOST_DEFINITIONS) -> tuple[ResolvedDef, ...]:
        """A definition for each name that has one, in order."""
        found: dict[str, ResolvedDef] = {}
        for name in names:
            if len(found) >= most:
                break
            definition = self.one(name)
            if definition is not None:
                found.setdefault(definition.name, definition)
        return tuple(found.values())

    def one(self, name: str) -> ResolvedDef | None:
        """The definition of a name as the file sees it, or of a fully qualified one; of `A.b` that of `A` will do."""
        shorter = name
        while shorter:
            found = self._seen_from_file(shorter) or self._qualified(shorter)
            if found is not None:
                return found
            shorter = shorter.rpartition(".")[0]
        return _by_jedi(self._file, name, self._index.root)

    def _seen_from_file(self, name: str) -> ResolvedDef | None:
        head, _, rest = name.partition(".")
        if head in self._imports:
            return self._qualified(".".join(part for part in (self._imports[head], rest) if part), shown=name)
        return self._in_module(self._file, name, name)

    def _qualified(self, full: str, shown: str = "") -> ResolvedDef | None:
        """`pkg.mod.Class.method`, by the longest module name that it starts with."""
        parts = full.split(".")
        for length in range(len(parts) - 1, 0, -1):
            file = self._modules.get(".".join(parts[:length]))
            if file is not None:
                return self._in_module(file, ".".join(parts[length:]), shown or full)
        return None

    def _in_module(self, file: Path, qualname: str, shown: str) -> ResolvedDef | None:
        symbols = self._index.module(file)
        if symbols is None or (file, qualname) in self._open:
            return None
        found = _defined(file, symbols, qualname, shown)
        if found is not None:
            return found
        self._open.add((file, qualname))  # packages may import one another in a circle
        try:
            return self._reexported(file, qualname, shown)
        finally:
            self._open.discard((file, qualname))

    def _reexported(self, file: Path, qualname: str, shown: str) -> ResolvedDef | None:
        head, _, rest = qualname.partition(".")
        with contextlib.suppress(TestwrightError):
            package = next((name for name, path in self._modules.items() if path == file), "")
            imports = _imported(parse_file(file), package if file.name == "__init__.py" else package.rpartition(".")[0])
            if head in imports:
                return self._qualified(".".join(part for part in (imports[head], rest) if part), shown)
        return None


def _imported(tree: ast.Module, package: str) -> dict[str, str]:
    """Local names, and the full names they were imported from."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            source = absolute_module(node, package)
            for alias in node.names:
                found[alias.asname or alias.name] = f"{source}.{alias.name}"
    return found


def _defined(file: Path, symbols: ModuleSymbols, qualname: str, shown: str) -> ResolvedDef | None:
    for function in symbols.functions:
        if function.qualname == qualname:
            kind = "fixture" if function.is_fixture else "func"
            return ResolvedDef(shown, kind, function.signature, function.doc or None)
    for item in symbols.classes:
        if item.qualname == qualname:
            bases = f"({', '.join(item.bases)})" if item.bases else ""
            fields = [f"    {field}" for field in item.fields]
            lines = [f"class {item.qualname}{bases}", *fields, *_class_lines(symbols, item.qualname)]
            body = _lines(file, item.line, item.end_line) if item.is_enum else None
            small = body if body is not None and len(body) <= _SMALL_BODY else None
            return ResolvedDef(shown, "enum" if item.is_enum else "class", "\n".join(lines), item.doc or None, small)
    for constant in symbols.constants:
        if constant.name == qualname:
            annotation = f": {constant.annotation}" if constant.annotation else ""
            text = f"{constant.name}{annotation} = {constant.value}"
            return ResolvedDef(shown, "const", f"{constant.name}{annotation}", None, text if constant.value else None)
    return None


def _class_lines(symbols: ModuleSymbols, qualname: str) -> Iterator[str]:
    """The signatures of a class's public methods and of its constructor."""
    for function in symbols.functions:
        if function.owner == qualname and (function.name == "__init__" or not function.name.startswith("_")):
            yield f"    {function.signature}"


def _lines(file: Path, first: int, last: int) -> str | None:
    try:
        return "\n".join(file.read_text(encoding="utf-8", errors="replace").splitlines()[first - 1 : last])
    except OSError:
        return None


def _by_jedi(file: Path, name: str, root: Path) -> ResolvedDef | None:
    """What lies outside the repository: installed packages and the standard library. Nothing without jedi."""
    try:
        jedi: Any = importlib.import_module("jedi")  # by name: it has no types, and may not be there
    except ImportError:
        return None
    installed = [str(folder) for folder in sorted(root.glob(".venv/lib/python*/site-packages"))]
    # Extension modules of the project are not loaded: nothing of the repository is ever run here.
    project = jedi.Project(root, added_sys_path=installed, load_unsafe_extensions=False)
    try:
        source = file.read_text(encoding="utf-8", errors="replace") + f"\n{name}"
        script = jedi.Script(source, path=file, project=project, environment=jedi.InterpreterEnvironment())
        found = script.goto(line=source.count("\n") + 1, column=len(name), follow_imports=True)
        return _told(name, found[0]) if found else None
    except Exception:  # noqa: BLE001  jedi guesses, and its guessing may fail in any way; one guess less does no harm
        return None


def _told(name: str, found: Any) -> ResolvedDef | None:
    kinds: dict[str, str] = {"class": "class", "function": "func", "statement": "const", "instance": "const"}
    kind = kinds.get(found.type)
    if kind is None:
        return None
    signatures: list[Any] = found.get_signatures() if kind != "const" else []
    signature = signatures[0].to_string() if signatures else found.description
    doc = found.docstring(raw=True).strip()
    return ResolvedDef(name, kind, signature, doc.split("\n\n")[0] or None)
