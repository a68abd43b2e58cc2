"""Expressions as syntax trees: reading them, the names they use, and putting one thing in place of another."""

import ast
import builtins
import copy
from collections.abc import Iterator, Mapping

BUILTINS = frozenset(dir(builtins))
THING = "_the_thing_"  # stands for `{}` in the path of a check while it is parsed


def parse(expression: str) -> ast.expr:
    """The tree of an expression; SyntaxError when it is none."""
    return ast.parse(expression.strip(), mode="eval").body


def parse_path(path: str) -> ast.expr:
    """The tree of a check's path, in which `of` can stand in for the thing that it is about."""
    return parse(path.replace("{}", THING))


def of(path: ast.expr, thing: ast.expr) -> ast.expr:
    """The path with `thing` in place of the braces."""
    return substituted(path, {THING: thing})


def name(identifier: str) -> ast.Name:
    return ast.Name(id=identifier, ctx=ast.Load())


def attribute(value: ast.expr, identifier: str) -> ast.Attribute:
    return ast.Attribute(value=value, attr=identifier, ctx=ast.Load())


def dotted(text: str) -> ast.expr:
    """`a.b.c` as a tree."""
    first, *rest = text.split(".")
    node: ast.expr = name(first)
    for part in rest:
        node = attribute(node, part)
    return node


def call(callee: ast.expr, *arguments: ast.expr, **named: ast.expr) -> ast.Call:
    keywords = [ast.keyword(arg=key, value=value) for key, value in named.items()]
    return ast.Call(func=callee, args=list(arguments), keywords=keywords)


def chain(node: ast.expr) -> tuple[str, ...]:
    """`a.b.c` as its parts; nothing when it is not a plain chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else ()


def bound_names(node: ast.AST) -> frozenset[str]:
    """Names that the expression makes itself: of lambdas, comprehensions and `:=`."""
    found = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    found |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return frozenset(found)


def free_chains(node: ast.AST, bound: frozenset[str] | None = None) -> Iterator[tuple[str, ...]]:
    """Every outermost dotted chain that starts at a name from outside, in reading order."""
    bound = bound_names(node) if bound is None else bound
    parts = chain(node) if isinstance(node, ast.expr) else ()
    if parts:
        if parts[0] not in bound:
            yield parts
        return
    for child in ast.iter_child_nodes(node):
        yield from free_chains(child, bound)


def uses(node: ast.AST, identifier: str) -> bool:
    return any(parts[0] == identifier for parts in free_chains(node))


def substituted(node: ast.expr, by_name: Mapping[str, ast.expr]) -> ast.expr:
    """A copy with each free name of `by_name` replaced."""
    bound = bound_names(node)
    replaced: ast.expr = _Substitution({key: value for key, value in by_name.items() if key not in bound}).visit(
        copy.deepcopy(node)
    )
    return replaced


class _Substitution(ast.NodeTransformer):
    def __init__(self, by_name: Mapping[str, ast.expr]) -> None:
        self.by_name = by_name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.by_name.get(node.id, node)


def text_of(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def literal_of(node: ast.expr) -> object:
    """The value of a literal, or `NO_LITERAL`."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return NO_LITERAL


class _NoLiteral:
    def __repr__(self) -> str:
        return "NO_LITERAL"


NO_LITERAL = _NoLiteral()
