"""Follows values through the names of one function: which expressions stand for a parameter, or for a part of it."""

import ast
from collections.abc import Callable
from typing import Any

from testwright.generate.inside.values.name_resolver import constant_of, mentions, names_within, plain_items
from testwright.generate.inside.values.package_sources import SourceScope, dotted, live
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.well_known_callees import PIECES_METHODS, SAME_VALUE_CALLS, SAME_VALUE_METHODS

ITERATING = frozenset(
    {"enumerate", "reversed", "sorted", "iter", "list", "set", "tuple", "chain", "itertools.chain", "islice"}
)
LOOKING_UP = frozenset({"get", "pop", "setdefault", "__getitem__"})


class UsageTracker(ast.NodeVisitor):
    """Knows the usage that a name, an attribute of `self` or a larger expression stands for."""

    def __init__(
        self, place: SourceScope, known: dict[str, ParameterUsage], stored: dict[str, ParameterUsage] | None
    ) -> None:
        self._place = place
        self._known = known
        self.stored: dict[str, ParameterUsage] = {} if stored is None else stored
        """What attributes of `self` stand for."""
        self._owns_stored = stored is None
        self._tables: dict[str, list[Any]] = {}
        """Local containers of constants, by name."""

    def _of(self, node: ast.AST | None) -> ParameterUsage | None:
        finders: dict[type, Callable[[Any], ParameterUsage | None]] = {
            ast.Name: lambda each: self._known.get(each.id),
            ast.Attribute: self._of_attribute,
            ast.Subscript: self._of_subscript,
            ast.Call: self._of_call,
            ast.BoolOp: lambda each: next((u for u in map(self._of, each.values) if u is not None), None),
            ast.IfExp: lambda each: self._of(each.body) or self._of(each.orelse),
            ast.NamedExpr: lambda each: self._of(each.value),
            ast.Starred: lambda each: self._of(each.value),
            ast.Await: lambda each: self._of(each.value),
        }
        finder = finders.get(type(node))
        return finder(node) if finder is not None else None

    def _of_attribute(self, node: ast.Attribute) -> ParameterUsage | None:
        if isinstance(node.value, ast.Name) and node.value.id == "self" and "self" not in self._known:
            return self.stored.get(node.attr)
        owner = self._of(node.value)
        return owner.attribute(node.attr) if owner is not None else None

    def _of_subscript(self, node: ast.Subscript) -> ParameterUsage | None:
        owner = self._of(node.value)
        if owner is None:
            return None
        key = constant_of(node.slice, self._place)
        if type(key) in (str, int):
            return owner.under(key)
        return owner if isinstance(node.slice, ast.Slice) else owner.items()

    def _of_call(self, node: ast.Call) -> ParameterUsage | None:
        if isinstance(node.func, ast.Attribute):
            owner = self._of(node.func.value)
            if owner is not None:
                if node.func.attr in SAME_VALUE_METHODS:
                    return owner
                if node.func.attr in LOOKING_UP and node.args:
                    key = constant_of(node.args[0], self._place)
                    return owner.under(key) if type(key) in (str, int) else owner.items()
                return None
        if dotted(node.func) in SAME_VALUE_CALLS and node.args:
            return self._of(node.args[-1])
        owner = self._of(node.func)
        return owner.outcome() if owner is not None else None

    def _keys_of(self, node: ast.expr) -> list[Any]:
        """What can be looked up in a container, local or of the module."""
        if isinstance(node, ast.Name) and node.id in self._tables:
            return self._tables[node.id]
        return names_within(live(node, self._place.names))

    def _bind(self, target: ast.expr, usage: ParameterUsage | None, value: ast.expr | None = None) -> None:
        if isinstance(target, ast.Name) and isinstance(value, (ast.Dict, ast.List, ast.Tuple, ast.Set)):
            keys = value.keys if isinstance(value, ast.Dict) else value.elts
            constants = [constant_of(each, self._place) for each in keys]
            self._tables[target.id] = plain_items([each for each in constants if each is not None])
        if isinstance(target, ast.Name):
            if usage is not None:
                self._known[target.id] = usage
            elif not mentions(value, target.id):
                self._known.pop(target.id, None)
        elif isinstance(target, ast.Attribute) and dotted(target.value) == "self" and usage is not None:
            if self._owns_stored:
                self.stored[target.attr] = usage
        elif isinstance(target, (ast.Tuple, ast.List)) and usage is not None:
            if not any(isinstance(each, ast.Starred) for each in target.elts):
                usage.lengths[len(target.elts)] = None
                usage.reach = max(usage.reach, len(target.elts))
            usage.able("sequence")
            for index, each in enumerate(target.elts):
                self._bind(each, usage.under(index) if len(target.elts) < 8 else usage.items())

    def _bind_items(self, target: ast.expr, iterable: ast.expr) -> None:
        """`for target in iterable`"""
        if isinstance(iterable, ast.Call):
            return self._bind_items_of_call(target, iterable)
        usage = self._of(iterable)
        if usage is not None:
            usage.able("iterable")
            self._bind(target, usage.items())
        return None

    def _bind_items_of_call(self, target: ast.expr, iterable: ast.Call) -> None:
        name = dotted(iterable.func)
        owner = self._of(iterable.func.value) if isinstance(iterable.func, ast.Attribute) else None
        method = name.rpartition(".")[2]
        if owner is not None and method in ("items", "keys", "values"):
            return self._bind_mapping(target, owner, method)
        if owner is not None and method in PIECES_METHODS:
            return self._bind(target, None)
        is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
        if name == "enumerate" and iterable.args and is_pair:
            return self._bind_items(target.elts[1], iterable.args[0])  # type: ignore[attr-defined]  # a pair, seen above
        if name == "zip" and isinstance(target, ast.Tuple):
            for each, argument in zip(target.elts, iterable.args, strict=False):
                self._bind_items(each, argument)
            return None
        if name in ITERATING and iterable.args:
            return self._bind_items(target, iterable.args[0])
        usage = self._of(iterable)
        if usage is not None:
            usage.able("iterable")
            self._bind(target, usage.items())
        return None

    def _bind_mapping(self, target: ast.expr, owner: ParameterUsage, view: str) -> None:
        owner.able("mapping")
        if view == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self._bind(target.elts[0], owner.names())
            self._bind(target.elts[1], owner.items())
        else:
            self._bind(target, owner.items() if view == "values" else owner.names())
