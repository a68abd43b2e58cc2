"""The syntax trees of the module under test and of its neighbours in the same package, and the live names they use."""

import ast
import builtins
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from testwright.generate.inside.safe_access import attributes_of, attributes_of_class, is_a, is_class, own_text, quietly

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
LARGEST_FILE = 2_000_000


@dataclass(frozen=True)
class SourceScope:
    """Where some source stands: a definition, the class around it, and the names it can see."""

    node: ast.AST
    owner: ast.ClassDef | None
    names: "dict[str, Any]"
    owner_class: Any = None


class PackageSources:
    """Finds the syntax tree of a live function or class of the package under test."""

    def __init__(self, module: ModuleType, tree: ast.Module) -> None:
        self.module = module
        self.tree = tree
        self.package = own_text(module, "__name__").split(".")[0]
        self._definitions: dict[str, dict[str, tuple[ast.AST, ast.ClassDef | None]]] = {
            own_text(module, "__name__"): _definitions(tree)
        }

    def place_of(self, thing: object) -> SourceScope | None:
        """Where a live function or class is defined, when that is in the package under test."""
        function = unwrapped(thing)
        home, qualname = own_text(function, "__module__"), own_text(function, "__qualname__")
        if not qualname or home.split(".")[0] != self.package:
            return None
        found = self._of_module(home).get(qualname)
        if found is None:
            return None
        names = attributes_of(sys.modules.get(home))
        owner_name = qualname.rpartition(".")[0]
        return SourceScope(found[0], found[1], names, _walk(names, owner_name) if owner_name else None)

    def place_in_module(self, node: ast.AST, owner: ast.ClassDef | None, owner_class: object) -> SourceScope:
        return SourceScope(node, owner, attributes_of(self.module), owner_class)

    def class_node(self, kind: object) -> ast.ClassDef | None:
        place = self.place_of(kind)
        return place.node if place is not None and isinstance(place.node, ast.ClassDef) else None

    def class_named(self, name: str) -> Any:
        """A class of the package by its name alone, from whichever loaded module holds it; None if there is none."""
        for module_name in sorted(sys.modules):
            if module_name.split(".")[0] == self.package:
                found = attributes_of(sys.modules.get(module_name)).get(name)
                if is_class(found):
                    return found
        return None

    def _of_module(self, name: str) -> dict[str, tuple[ast.AST, ast.ClassDef | None]]:
        if name not in self._definitions:
            tree = quietly(lambda: _parsed_file(sys.modules[name]), None)
            self._definitions[name] = _definitions(tree) if tree is not None else {}
        return self._definitions[name]


def live(node: ast.AST, names: "dict[str, Any]") -> Any:
    """The object that a dotted name stands for at module level, found without running any code; None if not found."""
    if isinstance(node, ast.Name):
        return names.get(node.id, vars(builtins).get(node.id))
    if isinstance(node, ast.Attribute):
        owner = live(node.value, names)
        if owner is None:
            return None
        if is_class(owner):
            return attributes_of_class(owner).get(node.attr)
        return attributes_of(owner).get(node.attr)
    return None


def dotted(node: ast.AST) -> str:
    """`a.b.c` for a dotted name; `?.c` when what stands before the dot is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "?"


def unwrapped(thing: object) -> Any:
    """The function behind a method, a classmethod or a decorator that says what it wraps."""
    for _ in range(8):
        if is_a(thing, FunctionType):
            inner = attributes_of(thing).get("__wrapped__")
        else:
            inner = quietly(lambda thing=thing: getattr(thing, "__func__", None), None)  # type: ignore[misc]  # a lambda with a default
        if inner is None:
            return thing
        thing = inner
    return thing


def _walk(names: "dict[str, Any]", qualname: str) -> Any:
    first, *rest = qualname.split(".")
    current = names.get(first)
    for part in rest:
        current = attributes_of_class(current).get(part) if is_class(current) else None
    return current


def _parsed_file(module: ModuleType) -> ast.Module | None:
    path = Path(str(module.__file__))
    if path.suffix != ".py" or path.stat().st_size > LARGEST_FILE:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(path.read_bytes())


def _definitions(tree: ast.Module) -> dict[str, tuple[ast.AST, ast.ClassDef | None]]:
    found: dict[str, tuple[ast.AST, ast.ClassDef | None]] = {}

    def look(body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                found[prefix + node.name] = (node, owner)
            elif isinstance(node, ast.ClassDef):
                found[prefix + node.name] = (node, owner)
                look(node.body, f"{prefix}{node.name}.", node)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
                inner += [each for handler in getattr(node, "handlers", []) for each in handler.body]
                look(inner, prefix, owner)

    look(tree.body, "", None)
    return found
