"""Rewrite an expression of some file so that it stands by itself, or find that it cannot."""

import ast
from collections.abc import Mapping

from testwright.repo.python_source import dotted_name
from testwright.repo.scope import Scope

UNDER_TEST = "_under_test"
_CONSTRUCTORS = frozenset(
    {"set", "frozenset", "dict", "list", "tuple", "bytes", "bytearray", "range", "float", "int", "complex", "str"}
)
_LARGEST_FACTOR = 10_000  # `"x" * 10**9` is short to write and long to hold

Bindings = Mapping[str, ast.expr]


class ExpressionRewriter:
    """Rewrites expressions in one scope; `bindings` are local names whose self-contained value is known."""

    def __init__(self, scope: Scope, bindings: Bindings) -> None:
        self._scope, self._bindings = scope, bindings

    def expression(self, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Constant():
                return node
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return _container(node, self._all(items))
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values)
            case ast.Starred(value=value):
                inner_value = self.expression(value)
                return None if inner_value is None else ast.Starred(value=inner_value, ctx=ast.Load())
            case ast.UnaryOp(op=op, operand=operand):
                inner_value = self.expression(operand)
                is_plain = isinstance(inner_value, ast.Constant)
                return ast.UnaryOp(op=op, operand=inner_value) if inner_value is not None and is_plain else None
            case ast.BinOp():
                return self._arithmetic(node)
            case ast.Lambda():
                return node if _is_closed(node) else None
            case ast.Call():
                return self.call(node)
            case _:
                return None

    def call(self, node: ast.Call) -> ast.Call | None:
        """A call of the module's own, or of a value's constructor, with self-contained arguments."""
        callee = self._callee(node.func)
        if callee is None:
            return None
        arguments = self._all(node.args)
        words = self._all([word.value for word in node.keywords])
        if arguments is None or words is None:
            return None
        keywords = [ast.keyword(arg=old.arg, value=new) for old, new in zip(node.keywords, words, strict=True)]
        return ast.Call(func=callee, args=arguments, keywords=keywords)

    def _callee(self, func: ast.expr) -> ast.expr | None:
        dotted = dotted_name(func)
        if dotted is not None:
            if dotted in _CONSTRUCTORS and dotted not in self._bindings:
                return func
            path = self._scope.own_path(dotted)
            if path is not None:
                return own_expression(path)
            full = self._scope.value_path(dotted)
            if full is not None:
                return ast.parse(full, mode="eval").body
        if isinstance(func, ast.Attribute):
            receiver = self.expression(func.value)
            owner = self.class_of(receiver)
            if receiver is not None and owner is not None and func.attr in self._scope.own.classes[owner].methods:
                return ast.Attribute(value=receiver, attr=func.attr, ctx=ast.Load())
        return None

    def class_of(self, node: ast.expr | None) -> str | None:
        """The own class whose instance a rewritten expression makes: by its constructor or a class method."""
        if not isinstance(node, ast.Call):
            return None
        path = (dotted_name(node.func) or "").split(".")
        classes = self._scope.own.classes
        if path[0] != UNDER_TEST or len(path) not in (2, 3) or path[1] not in classes:
            return None
        return path[1] if len(path) == 2 or path[2] in classes[path[1]].makers else None

    def _name(self, node: ast.expr) -> ast.expr | None:
        dotted = dotted_name(node)
        if dotted is None:
            return None
        if dotted in self._bindings:
            return self._bindings[dotted]
        path = self._scope.own_path(dotted)
        if path is not None:
            return own_expression(path)
        full = self._scope.value_path(dotted)
        return None if full is None else ast.parse(full, mode="eval").body

    def _all(self, nodes: list[ast.expr]) -> list[ast.expr] | None:
        found = [self.expression(node) for node in nodes]
        known = [node for node in found if node is not None]
        return known if len(known) == len(found) else None

    def _dict(self, keys: list[ast.expr | None], values: list[ast.expr]) -> ast.expr | None:
        new_keys = self._all([key for key in keys if key is not None])
        new_values = self._all(values)
        if new_keys is None or new_values is None or len(new_keys) != len(new_values):
            return None
        return ast.Dict(keys=list(new_keys), values=new_values)

    def _arithmetic(self, node: ast.BinOp) -> ast.expr | None:
        left, right = self.expression(node.left), self.expression(node.right)
        if left is None or right is None or not isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Pow | ast.Div):
            return None
        if isinstance(node.op, ast.Mult | ast.Pow):
            largest = 64 if isinstance(node.op, ast.Pow) else _LARGEST_FACTOR
            numbers = [side.value for side in (left, right) if isinstance(side, ast.Constant)]
            if any(isinstance(number, int) and abs(number) > largest for number in numbers):
                return None
            if any(isinstance(side, ast.BinOp) for side in (left, right)):
                return None
        return ast.BinOp(left=left, op=node.op, right=right)


def own_expression(path: tuple[str, ...]) -> ast.expr:
    node: ast.expr = ast.Name(id=UNDER_TEST, ctx=ast.Load())
    for part in path:
        node = ast.Attribute(value=node, attr=part, ctx=ast.Load())
    return node


def _container(node: ast.expr, items: list[ast.expr] | None) -> ast.expr | None:
    if items is None:
        return None
    if isinstance(node, ast.Set):
        return ast.Set(elts=items)
    return ast.List(elts=items, ctx=ast.Load()) if isinstance(node, ast.List) else ast.Tuple(elts=items, ctx=ast.Load())


def _is_closed(node: ast.Lambda) -> bool:
    """Whether a lambda uses its own parameters and nothing else."""
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    own = {argument.arg for argument in named if argument is not None}
    return all(inner.id in own for inner in ast.walk(node) if isinstance(inner, ast.Name))
