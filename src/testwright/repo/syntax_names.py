"""Names in a syntax tree: what an expression spells, and what statements bind."""

import ast
from collections.abc import Iterator


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
