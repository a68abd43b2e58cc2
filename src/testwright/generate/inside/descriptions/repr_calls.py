"""Objects whose own text is a call of their class: `Point(x=1, y=2)` becomes an expression with full names."""

import ast
import sys
from typing import Any

from testwright.generate.inside.namespace import Namespace
from testwright.instrument.syntax_names import last_name

_LONGEST = 300


def has_own(kind: type, method: str) -> bool:
    """Whether the class or one of its bases defines the method, so that it is not the one every object has."""
    return getattr(kind, method, None) is not getattr(object, method)


def named_call(value: Any, namespace: Namespace) -> str | None:
    """The object's `repr` with every class in it named in full, or None when it is not such a call."""
    kind = type(value)
    if not has_own(kind, "__repr__"):
        return None
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - the code under test may have a broken __repr__
        return None
    short_name = kind.__name__
    if type(text) is not str or len(text) > _LONGEST or f"{short_name}(" not in text:
        return None
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return None
    called = tree.body.func if isinstance(tree.body, ast.Call) else None
    if called is None or last_name(called) != short_name:
        return None
    namer = _ClassNamer(kind, namespace)
    named = namer.visit(tree)
    return None if namer.failed else ast.unparse(named)


class _ClassNamer(ast.NodeTransformer):
    """Replaces the short names of classes by expressions that name them; anything but calls and literals fails."""

    _ALLOWED = (
        ast.Expression, ast.Call, ast.Constant, ast.keyword, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp,
        ast.USub, ast.UAdd, ast.Load,
    )  # fmt: skip

    def __init__(self, kind: type, namespace: Namespace) -> None:
        self._kind = kind
        self._namespace = namespace
        self.failed = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, self._ALLOWED):
            self.failed = True
            return node
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._named(node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._named(node, node.attr)

    def _named(self, node: ast.AST, short_name: str) -> ast.AST:
        thing: object = self._kind
        if short_name != self._kind.__name__:
            thing = getattr(sys.modules.get(self._kind.__module__), short_name, None)
        full_name = self._namespace.name_of(thing) if isinstance(thing, type) else None
        if full_name is None:
            self.failed = True
            return node
        return ast.parse(full_name, mode="eval").body
