"""The variables of the module under test: which of them its functions change, and how to put them back."""

import ast
import copy
import importlib.util
import os
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

_IN_PLACE = frozenset(
    {
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "appendleft", "popleft"),
        *("add", "discard", "update", "setdefault", "popitem"),
        *("intersection_update", "difference_update", "symmetric_difference_update"),
    }
)
_CONTAINERS = frozenset({list, dict, set, bytearray, deque, defaultdict, OrderedDict, Counter})
_SINGLE = frozenset({int, float, complex, bool, str, bytes, type(None), tuple, frozenset})
_LARGEST = 500
_MISSING = object()


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What the source text alone tells about the module."""

    written: tuple[str, ...] = ()
    """Global names that some function assigns to, or whose value it may change in place."""
    written_attributes: frozenset[str] = frozenset()  # the same of attributes, which may be those of a class
    dividing: frozenset[str] = frozenset()
    """The qualnames of functions that divide, or call some that do: an int and an equal float are different answers."""
    hashes: bool = False  # whether it asks for hashes or identities, which are other numbers in each process
    names_environment: bool = False
    """Whether it works with environment variables, so that they have to be put back too."""
    returning: frozenset[str] = frozenset()
    """The qualnames of functions that return a value somewhere, so that None is an answer of theirs too."""


@dataclass(frozen=True, slots=True)
class ChangedGlobal:
    name: str
    before: Any
    now: Any


@dataclass(frozen=True, slots=True)
class _Variable:
    owner: Any  # the module, or a class of its own
    name: str
    value: Any
    before: Any  # a copy of the value

    def now(self) -> Any:
        return vars(self.owner).get(self.name, _MISSING)

    def restore(self) -> None:
        if self.now() is not self.value:
            setattr(self.owner, self.name, self.value)
        if type(self.value) in _CONTAINERS and not _same(self.value, self.before):
            _refill(self.value, self.before)


class ModuleState:
    """The variables of the module and of its classes that its functions change, as they were when it was loaded."""

    def __init__(self, module: ModuleType) -> None:
        self.facts = _facts(_source_of(module))
        self._of_module = [
            _Variable(module, name, value, copy.copy(value))
            for name in self.facts.written
            if _is_watched(value := vars(module).get(name, _MISSING))
        ]
        self._of_classes = [
            _Variable(kind, name, value, copy.copy(value))
            for kind in _own_classes(module)
            for name, value in list(vars(kind).items())
            if name in self.facts.written_attributes and not name.startswith("__") and _is_watched(value)
        ]
        self._clear_caches = list(_cache_clearers(module))
        self._environment = os.environ.copy() if self.facts.names_environment else None

    def changed(self) -> Iterator[ChangedGlobal]:
        """The variables of the module that are no longer what they were."""
        for each in self._of_module:
            now = each.now()
            if now is not _MISSING and (now is not each.value or not _same(now, each.before)):
                yield ChangedGlobal(each.name, each.before, now)

    def restore(self) -> None:
        """Restore everything, so that no case depends on those before it."""
        for each in self._of_module:
            each.restore()
        for each in self._of_classes:
            each.restore()
        for clear in self._clear_caches:
            clear()
        if self._environment is not None and os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)


def _own_classes(module: ModuleType) -> list[type]:
    return [value for value in vars(module).values() if isinstance(value, type) and _is_own(value, module)]


def _same(now: Any, before: Any) -> bool:
    try:
        return type(now) is type(before) and bool(now == before)
    except Exception:  # noqa: BLE001 - the items' own __eq__ may raise anything; what cannot be compared is not the same
        return False


def _refill(value: Any, before: Any) -> None:
    value.clear()
    if isinstance(value, dict):
        dict.update(value, before)
    elif isinstance(value, set):
        value |= before
    else:
        value.extend(before)


def _is_watched(value: Any) -> bool:
    return type(value) in _SINGLE or (type(value) in _CONTAINERS and len(value) <= _LARGEST)


def _cache_clearers(module: ModuleType) -> Iterator[Callable[[], object]]:
    """A cached answer hides what the function does; in a test the cache is empty."""
    owners: list[Any] = [module, *_own_classes(module)]
    for owner in owners:
        for value in list(vars(owner).values()):
            function = getattr(value, "__func__", value)
            if type(function).__name__ == "_lru_cache_wrapper" and _is_own(function, module):
                yield function.cache_clear


def _is_own(thing: Any, module: ModuleType) -> bool:
    return getattr(thing, "__module__", None) == module.__name__


def _source_of(module: ModuleType) -> str:
    try:  # not by `inspect`: it asks the module for names, and a module may answer in its own way
        return importlib.util.decode_source(Path(vars(module)["__file__"]).read_bytes())
    except (OSError, KeyError, TypeError, ValueError, SyntaxError):  # then nothing is known about it
        return ""


# --- facts from the source -----------------------------------------------------------------------


@lru_cache(maxsize=8)
def _facts(source: str) -> SourceFacts:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # not the source that was run: then nothing is known about it
        return SourceFacts()
    names: dict[str, None] = {}
    attributes: set[str] = set()
    hashes = False
    for function in ast.walk(tree):
        if isinstance(function, ast.Name) and function.id in ("hash", "id"):
            hashes = True
        elif isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                changed = _changed_by(node)
                if isinstance(changed, ast.Name):
                    names[changed.id] = None
                elif isinstance(changed, ast.Attribute):
                    attributes.add(changed.attr)
                elif isinstance(node, ast.Global):
                    names.update(dict.fromkeys(node.names))
    return SourceFacts(
        tuple(names),
        frozenset(attributes),
        _units_that_divide(tree),
        hashes,
        "environ" in source,
        frozenset(_returning(tree, "")),
    )


def _returning(node: ast.AST, prefix: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _returning(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if any(isinstance(each, ast.Return) and _is_value(each.value) for each in ast.walk(child)):
                yield prefix + child.name
        elif isinstance(child, ast.stmt):
            yield from _returning(child, prefix)


def _is_value(returned: ast.expr | None) -> bool:
    return returned is not None and not (isinstance(returned, ast.Constant) and returned.value is None)


def _changed_by(node: ast.AST) -> ast.expr | None:
    """What this node may change: a name, also a local one, or an attribute, also one of an instance."""
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return node
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _IN_PLACE:
        return node.func.value
    return None


# --- functions that divide -----------------------------------------------------------------------
# Their whole numbers may be ints or floats, and a test should say which.


def _units_that_divide(tree: ast.Module) -> frozenset[str]:
    """Qualnames of the functions that have a division, or name another function of the module that leads to one."""
    functions = dict(_functions(tree, ""))
    dividing = {qualname for qualname, node in functions.items() if _has_division(node)}
    mentioned = {qualname: _mentioned(node) for qualname, node in functions.items()}
    while True:
        names = {part for qualname in dividing for part in _names_of(qualname)}
        more = {qualname for qualname in functions if qualname not in dividing and mentioned[qualname] & names}
        if not more:
            return frozenset(dividing)
        dividing |= more


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt):
            yield from _functions(child, prefix)


def _names_of(qualname: str) -> tuple[str, ...]:
    """What a caller writes: the function's name, and that of its class where the class calls it."""
    owner, _, name = qualname.rpartition(".")
    return (name, owner.rpartition(".")[2]) if name in ("__init__", "__new__", "__post_init__") else (name,)


def _has_division(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Div | ast.FloorDiv) for each in ast.walk(node))


def _mentioned(node: ast.AST) -> frozenset[str]:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return frozenset(names | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)})
