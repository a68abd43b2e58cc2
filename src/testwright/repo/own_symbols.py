"""The names a module offers, and what other files call them: the key to its call sites."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import assigned_names, parse_file, top_level


@dataclass(frozen=True, slots=True)
class OwnClass:
    methods: Mapping[str, str]
    """Each method's name, and the qualname of its definition, in this class or in a base class of the same module."""
    makers: frozenset[str]
    """Class methods: what they return is taken for an instance."""
    unbound: frozenset[str]
    """Static and class methods: they are called on the class."""


@dataclass(frozen=True, slots=True)
class OwnSymbols:
    """Public names of the module under test; `exports` says under which names its packages offer them again."""

    module_name: str
    functions: frozenset[str]
    classes: Mapping[str, OwnClass]
    values: frozenset[str]
    exports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """package -> name there -> name here"""

    def __contains__(self, name: str) -> bool:
        return name in self.functions or name in self.classes or name in self.values


def own_symbols(tree: ast.Module, module_name: str, file: Path) -> OwnSymbols:
    functions: list[str] = []
    values: list[str] = []
    definitions: dict[str, ast.ClassDef] = {}
    for statement in top_level(tree.body):
        names = [name for name in assigned_names(statement) if not name.startswith("_")]
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            functions += names
        elif isinstance(statement, ast.ClassDef) and names:
            definitions[statement.name] = statement
        else:
            values += names
    classes = {name: _own_class(name, definitions) for name in definitions}
    known = frozenset([*functions, *classes, *values])
    return OwnSymbols(
        module_name, frozenset(functions), classes, frozenset(values), dict(_exports(module_name, file, known))
    )


def _own_class(name: str, definitions: Mapping[str, ast.ClassDef]) -> OwnClass:
    methods: dict[str, str] = {}
    makers: list[str] = []
    unbound: list[str] = []
    for owner in _lineage(name, definitions):
        for item in definitions[owner].body:
            if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) or item.name in methods:
                continue
            methods[item.name] = f"{owner}.{item.name}"
            decorators = [ast.unparse(decorator) for decorator in item.decorator_list]
            if "classmethod" in decorators:
                makers.append(item.name)
            if "classmethod" in decorators or "staticmethod" in decorators:
                unbound.append(item.name)
    return OwnClass(methods, frozenset(makers), frozenset(unbound))


def _lineage(name: str, definitions: Mapping[str, ast.ClassDef]) -> list[str]:
    found = [name]
    for owner in found:  # grows while it is walked
        bases = [base.id for base in definitions[owner].bases if isinstance(base, ast.Name)]
        found += [base for base in bases if base in definitions and base not in found]
    return found


def _exports(module_name: str, file: Path, known: frozenset[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """What the packages around the module import from it."""
    folder = file.parent if file.name != "__init__.py" else file.parent.parent
    package = module_name.rpartition(".")[0]
    sources = [module_name]  # the module, then every package that offers its names again
    while package:
        try:
            tree = parse_file(folder / "__init__.py")
        except TestwrightError:  # a namespace, or a file that says nothing we can read
            tree = ast.Module(body=[], type_ignores=[])
        offered: dict[str, str] = {}
        for statement in top_level(tree.body):
            if isinstance(statement, ast.ImportFrom) and absolute_module(statement, package) in sources:
                for alias in statement.names:
                    if alias.name == "*":
                        offered.update({name: name for name in sorted(known)})
                    elif alias.name in known:
                        offered[alias.asname or alias.name] = alias.name
        if offered:
            yield package, offered
            sources.append(package)
        package, folder = package.rpartition(".")[0], folder.parent


def absolute_module(statement: ast.ImportFrom, package: str) -> str:
    """The module that a `from` import names, seen from a file in `package`."""
    if not statement.level:
        return statement.module or ""
    parts = package.split(".")
    above = parts[: len(parts) - statement.level + 1] if package else []
    return ".".join([*above, *([statement.module] if statement.module else [])])
