"""Names in a syntax tree: what an expression spells, what statements bind, and which module of a package they hide."""

import ast
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import parse_file


def dotted_name(node: ast.expr) -> str | None:
    """`a.b.c` for the expression that says so."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those in `if`, `try` and `with` included."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(body=inner, orelse=other) | ast.For(body=inner, orelse=other):
                yield from top_level(inner + other)
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=final):
                yield from top_level([*inner, *(line for handler in handlers for line in handler.body), *other, *final])
            case ast.With(body=inner):
                yield from top_level(inner)


def assigned_names(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            return [name]
        case _:
            return []


def hides_module(package: Path, module: str) -> bool:
    """Whether `from package import module` gives something else: after `from .slug import slug` it gives a function."""
    try:
        tree = parse_file(package / "__init__.py")
    except TestwrightError:  # no package, or none that can be read: nothing is bound
        return False
    for statement in top_level(tree.body):
        if module in assigned_names(statement):
            return True
        if isinstance(statement, ast.ImportFrom):
            is_package_itself = statement.level == 1 and statement.module is None
            is_package_itself |= statement.level == 0 and (statement.module or "").endswith(package.name)
            for alias in statement.names:
                bound = alias.asname or alias.name
                if bound == module and not (is_package_itself and alias.name == module):
                    return True
                if alias.name == "*" and statement.level == 1 and _offers(package, statement.module or "", module):
                    return True
    return False


def _offers(package: Path, source: str, name: str) -> bool:
    """Whether `from .source import *` brings in `name`."""
    if name.startswith("_"):
        return False
    try:
        tree = parse_file(package.joinpath(*source.split(".")).with_suffix(".py"))
    except TestwrightError:
        return False
    statements = list(top_level(tree.body))
    for statement in statements:
        if isinstance(statement, ast.Assign) and "__all__" in assigned_names(statement):
            try:
                return name in ast.literal_eval(statement.value)
            except (ValueError, TypeError):
                break
    return any(name in assigned_names(statement) for statement in statements)
