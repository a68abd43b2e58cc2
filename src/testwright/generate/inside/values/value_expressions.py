"""Live values as source text: literals, and names by which a test can reach an object."""

import ast
import builtins
import keyword
import math
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from enum import Enum
from types import ModuleType
from typing import Any

from testwright.generate.inside.generated_case import TMP_PATH, UNDER_TEST
from testwright.generate.inside.safe_access import attributes_of, attributes_of_class, is_a, is_class, own_text, quietly
from testwright.generate.inside.values.editable_expression import EditableExpression

LONGEST_LITERAL = 400  # a longer value is not something that a person would read in a test

STANDARD = sys.stdlib_module_names
BUILTIN_NAMES = frozenset(dir(builtins))

# Their `repr` is a constructor call that only lacks the module in front.
SPEAKING_TYPES = {
    ("datetime", "datetime"), ("datetime", "date"), ("datetime", "time"), ("datetime", "timedelta"),
    ("datetime", "timezone"), ("decimal", "Decimal"), ("fractions", "Fraction"), ("uuid", "UUID"),
    ("pathlib", "PurePosixPath"), ("collections", "OrderedDict"), ("collections", "deque"),
    ("ipaddress", "IPv4Address"), ("ipaddress", "IPv6Address"),
}  # fmt: skip


def text(value: str) -> str:
    """The source of a string, in double quotes where that needs no escaping."""
    source = repr(value)
    return f'"{source[1:-1]}"' if source[0] == "'" and '"' not in value else source


def literal(value: object, depth: int = 4) -> str | None:
    """The source of a plain built-in value, whole; None when it is none, or too large to be read."""
    source = _literal(value, depth)
    return source if source is not None and len(source) <= LONGEST_LITERAL else None


def _literal(value: Any, depth: int) -> str | None:
    # Exact types only: a subclass of str or int may print itself as anything.
    kind = type(value)
    if kind is str:
        return text(value) if len(value) <= LONGEST_LITERAL else None
    if kind is float and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or value is Ellipsis or kind in (bool, int, float, complex, bytes):
        return quietly(lambda: repr(value), None)  # an int may have more digits than may be printed
    if kind in (list, tuple, set, frozenset, dict) and depth > 0 and len(value) <= LONGEST_LITERAL // 2:
        return _container(value, depth - 1)
    return None


def _container(value: Any, depth: int) -> str | None:
    kind = type(value)
    if kind is dict:
        pairs = [(_literal(key, depth), _literal(item, depth)) for key, item in value.items()]
        if any(key is None or item is None for key, item in pairs):
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    parts = [_literal(item, depth) for item in value]
    if None in parts:
        return None
    items = [part for part in parts if part is not None]
    if kind in (set, frozenset):
        items.sort()  # never the order of the hash table, which changes from run to run
    return bracketed(kind, items)


def bracketed(kind: type, items: Sequence[str]) -> str:
    """A list, tuple, set or frozenset with these items."""
    inside = ", ".join(items)
    if kind is list:
        return f"[{inside}]"
    if kind is tuple:
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    if kind is set:
        return f"{{{inside}}}" if items else "set()"
    return f"frozenset({{{inside}}})" if items else "frozenset()"


def bracketed_like(node: ast.expr, items: Sequence[str]) -> str:
    """The same kind of container as `node`, with these items."""
    return bracketed(set if isinstance(node, ast.Set) else tuple if isinstance(node, ast.Tuple) else list, items)


def parsed(expression: str) -> ast.expr | None:
    """The syntax tree of an expression, or None when it is not one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an odd escape in an example
        tree = quietly(lambda: ast.parse(expression.strip(), mode="eval"), None)
    return tree.body if tree is not None else None


class ReferenceFinder:
    """Finds the expression by which a test names a live object: a class, a function, a module's constant."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._own = attributes_of(module)
        self._by_identity = {id(value): name for name, value in reversed(self._own.items()) if _is_name(name)}

    @property
    def module_name(self) -> str:
        return own_text(self._module, "__name__")

    def name_of(self, thing: object) -> str | None:
        """`_under_test.X`, `datetime.date`, `str`; None when no import leads to `thing`."""
        home, qualname = own_text(thing, "__module__"), own_text(thing, "__qualname__")
        if home == "builtins" and qualname in BUILTIN_NAMES and getattr(builtins, qualname) is thing:
            return qualname
        if home == self.module_name and self._leads_to(self._module, qualname, thing):
            return f"{UNDER_TEST}.{qualname}"
        in_library = home.split(".")[0] in STANDARD and not home.startswith("_")
        if in_library and self._leads_to(sys.modules.get(home), qualname, thing):
            return f"{home}.{qualname}"
        if id(thing) in self._by_identity:
            return f"{UNDER_TEST}.{self._by_identity[id(thing)]}"
        if self._leads_to(sys.modules.get(home), qualname, thing) and home != "__main__":
            return f"{home}.{qualname}"
        return None

    def source_of(self, value: object) -> str | None:
        """An expression for a live value: its literal, its constructor call, or its name."""
        plain = literal(value)
        if plain is not None:
            return plain
        kind = type(value)
        member = _enum_member(value)
        if member is not None:
            owner = self.name_of(kind)
            return f"{owner}.{member}" if owner else None
        if is_class(value) or own_text(value, "__qualname__"):
            return self.name_of(value)
        if is_a(value, re.Pattern):
            pattern: Any = value
            return quietly(lambda: f"re.compile({literal(pattern.pattern)})", None)
        if (own_text(kind, "__module__"), own_text(kind, "__qualname__")) in SPEAKING_TYPES:
            return quietly(lambda: _with_module(kind, repr(value)), None)
        name = self._by_identity.get(id(value))
        return f"{UNDER_TEST}.{name}" if name else None

    def _leads_to(self, start: object, qualname: str, thing: object) -> bool:
        if start is None or not qualname or "<" in qualname:
            return False
        current: Any = start
        for part in qualname.split("."):
            held = attributes_of_class(current) if is_class(current) else attributes_of(current)
            if part not in held:
                return False
            current = held[part]
            if is_a(current, staticmethod, classmethod):
                current = current.__func__
        return current is thing or getattr(thing, "__func__", None) is current

    def adopt(self, tree: ast.expr) -> str | None:
        """Source found elsewhere (a doctest, a test), in the names that are allowed here; None if impossible."""
        renamer = _Renamer(self._own)
        adopted = quietly(lambda: renamer.visit(ast.parse(ast.unparse(tree), mode="eval").body), None)
        if adopted is None or renamer.unknown:
            return None
        source = quietly(lambda: in_our_quotes(ast.unparse(adopted)), None)
        return source if source is not None and len(source) <= LONGEST_LITERAL else None


def in_our_quotes(source: str) -> str:
    """The expression with its plain strings as `text` writes them."""
    edited = EditableExpression(source)
    swaps = [
        (node, text(node.value))
        for node in edited.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not edited.inside_f_string(node)
    ]
    return edited.with_replaced(swaps)


class _Renamer(ast.NodeTransformer):
    def __init__(self, own: Mapping[str, object]) -> None:
        self._own = own
        self._bound: list[str] = []
        self.unknown: list[str] = []

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        names = [each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)]
        self._bound += names
        self.generic_visit(node)
        del self._bound[len(self._bound) - len(names) :]
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._bound or node.id in (UNDER_TEST, TMP_PATH):
            return node
        if node.id in self._own and not is_a(self._own[node.id], ModuleType):
            return ast.Attribute(ast.Name(UNDER_TEST, ast.Load()), node.id, ast.Load())
        held = self._own.get(node.id)
        real_name = own_text(held, "__name__") if is_a(held, ModuleType) else node.id
        if real_name == node.id and (node.id in BUILTIN_NAMES or node.id in STANDARD or node.id in sys.modules):
            return node
        if is_a(held, ModuleType):
            return ast.Attribute(ast.Name(UNDER_TEST, ast.Load()), node.id, ast.Load())
        self.unknown.append(node.id)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        # Comprehensions and assignments bind names of their own: not worth the trouble in an argument.
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await)):
            self.unknown.append(type(node).__name__)
            return node
        return super().generic_visit(node)


def _enum_member(value: object) -> str | None:
    if not is_a(value, Enum):
        return None
    name: Any = quietly(lambda: attributes_of(value)["_name_"], None)
    return name if type(name) is str and name.isidentifier() else None


def _with_module(kind: type, shown: str) -> str | None:
    source = shown if shown.startswith(f"{kind.__module__}.") else f"{kind.__module__}.{shown}"
    return in_our_quotes(source) if len(source) <= LONGEST_LITERAL and parsed(source) is not None else None


def _is_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")
