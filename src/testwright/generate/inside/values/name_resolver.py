"""What parts of a syntax tree stand for at module level: constants, classes, patterns, functions that are called."""

import ast
import inspect
import re
from enum import Enum
from types import ModuleType
from typing import Any

from testwright.generate.inside.safe_access import attributes_of, attributes_of_class, is_a, is_class, member, quietly
from testwright.generate.inside.values.package_sources import FunctionNode, SourceScope, dotted, live, unwrapped


def target_of(function: ast.expr, place: SourceScope) -> Any:
    """The live function that is called: `helper(...)`, `module.helper(...)`, `self.method(...)`, `cls(...)`."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        if function.value.id in ("self", "cls") and is_class(place.owner_class):
            return next(
                (vars(kind)[function.attr] for kind in place.owner_class.__mro__ if function.attr in vars(kind)), None
            )
    elif isinstance(function, ast.Name) and function.id == "cls":
        return place.owner_class
    return live(function, place.names)


def parameter_names(node: ast.AST) -> list[str]:
    """In order, without `self` and `cls`."""
    if isinstance(node, ast.ClassDef):
        for method in node.body:
            if isinstance(method, FunctionNode) and method.name in ("__init__", "__new__"):
                return parameter_names(method)
        return [
            each.target.id
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
    if not isinstance(node, FunctionNode):
        return []
    arguments = [*node.args.posonlyargs, *node.args.args]
    if arguments and arguments[0].arg in ("self", "cls", "mcs", "mcls"):
        arguments = arguments[1:]
    arguments += node.args.kwonlyargs
    arguments += [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
    return [each.arg for each in arguments]


def is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def constant_of(node: ast.AST | None, place: SourceScope) -> Any:
    """A plain value: a literal, or a constant of the module; None when there is none."""
    if node is None:
        return None
    value = quietly(lambda: ast.literal_eval(node), None)
    if value is not None:
        return in_order(value)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [each for each in (constant_of(item, place) for item in node.elts) if each is not None] or None
    if isinstance(node, (ast.Name, ast.Attribute)):
        found = _held(node, place)
        if type(found) in (str, bytes, int, float, list, tuple, set, frozenset, dict):
            return in_order(found)
        return found if is_a(found, Enum) else None
    return None


def _held(node: ast.Name | ast.Attribute, place: SourceScope) -> Any:
    """The live object behind `NAME`, `module.NAME`, `self.NAME` or `cls.NAME`."""
    if isinstance(node, ast.Attribute) and dotted(node.value) in ("self", "cls") and is_class(place.owner_class):
        return member(place.owner_class, node.attr)
    return live(node, place.names)


def in_order(value: Any) -> Any:
    """A set as a list, in an order that does not change from run to run; anything else as it is."""
    return sorted(plain(value), key=_rank) if type(value) in (set, frozenset) else value


def _rank(value: object) -> tuple[str, str]:
    return type(value).__name__, str(attributes_of(value).get("_name_")) if is_a(value, Enum) else repr(value)


def plain(values: Any) -> list[Any]:
    """Those that a literal or the name of an enumeration's member can tell."""
    return [each for each in values if type(each) in (str, bytes, int, float) or is_a(each, Enum)]


def plain_items(values: list[Any]) -> list[Any]:
    """The first few that are plain, tuples included."""
    return [each for each in values if type(each) is tuple or plain([each])][:12]


def names_within(container: object) -> list[Any]:
    """What can be looked up in a live constant: keys of a dictionary, members of an enumeration, public attributes."""
    if type(container) is dict:
        return plain_items(list(container))
    if not is_class(container) and not is_a(container, ModuleType):
        return []
    members: dict[str, Any] = quietly(lambda: dict(getattr(container, "__members__", {})), {})
    held = attributes_of_class(container) if is_class(container) else attributes_of(container)
    return [each for each in members or held if not each.startswith("_")][:8]


def classes(node: ast.expr, place: SourceScope) -> list[Any]:
    if isinstance(node, ast.Tuple):
        return [each for item in node.elts for each in classes(item, place)]
    if isinstance(node, ast.BinOp):
        return classes(node.left, place) + classes(node.right, place)
    found = live(node, place.names)
    if type(found) is tuple:
        return [each for each in found if is_class(each)]
    return [found] if is_class(found) else []


def pattern_of(node: ast.expr, place: SourceScope) -> tuple[str, int] | None:
    """A regular expression and its flags, from a literal or from a compiled constant."""
    found = _held(node, place) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if type(found) is re.Pattern and type(found.pattern) is str:
        return found.pattern, found.flags & ~re.UNICODE
    if isinstance(node, ast.Call) and dotted(node.func).endswith("compile") and node.args:
        return pattern_of(node.args[0], place)
    constant = constant_of(node, place)
    return (constant, 0) if type(constant) is str else None


def argument_values(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(each.value for each in node.keywords)]


def pairs(node: ast.Call, names: list[str]) -> list[tuple[str, ast.expr]]:
    pairs = [(name, value) for name, value in zip(names, node.args, strict=False) if not isinstance(value, ast.Starred)]
    return pairs + [(each.arg, each.value) for each in node.keywords if each.arg is not None]


def declared_types(target: object) -> dict[str, Any]:
    """The annotations of a live function of any package, as objects where they are objects."""
    function = unwrapped(target)
    if is_class(target):
        function = unwrapped(quietly(lambda: inspect.getattr_static(target, "__init__"), None))
    code = quietly(lambda: function.__code__, None)
    if code is None:
        return {}
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    annotations: dict[str, Any] = quietly(lambda: dict(function.__annotations__), {})
    return {
        name: None if type(annotations.get(name)) is str else annotations.get(name) for name in names if name != "cls"
    }


def mentions(node: ast.AST | None, name: str) -> bool:
    return node is not None and any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
