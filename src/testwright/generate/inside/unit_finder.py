"""Find a live module's units by walking its syntax tree, in the order of the source."""

import ast
import functools
import inspect
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from testwright.generate.inside.units import Parameter, Unit, UnitKind

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# Called by the interpreter when it wants to, or covered through the constructor already.
_UNTESTED_DUNDERS = frozenset(
    f"__{name}__"
    for name in (
        *("init", "new", "del", "init_subclass", "class_getitem", "post_init", "subclasshook", "getattribute"),
        *("sizeof", "reduce", "reduce_ex", "getstate", "setstate", "getnewargs", "prepare", "set_name"),
        *("instancecheck", "subclasscheck"),
    )
)


@dataclass(frozen=True)
class Skipped:
    """A unit that no test is written for, and why."""

    qualname: str
    reason: str


@dataclass(frozen=True)
class UnitList:
    units: tuple[Unit, ...]
    skipped: tuple[Skipped, ...]


def list_units(module: ModuleType, tree: ast.Module) -> UnitList:
    units: dict[str, Unit] = {}
    skipped: list[Skipped] = []
    for qualname, node in definitions(tree):
        try:
            found = _unit(module, qualname, node)
        except Exception as error:  # noqa: BLE001 - looking at a live object may run code of the project, which may raise anything
            found = Skipped(qualname, f"looking at it raises {type(error).__name__}")
        if isinstance(found, Unit):
            units[qualname] = found
        elif found is not None:
            skipped.append(found)
    if _has_main_block(tree):
        skipped.append(Skipped("__main__", "runs only when the file is started as a program"))
    return UnitList(tuple(units.values()), tuple(skipped))


def definitions(tree: ast.Module) -> Iterator[tuple[str, _Definition]]:
    """Every class, function and method that can be reached by name, with its qualified name."""
    return _definitions(tree.body, "")


def _definitions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, _Definition]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
                continue
            for part in ("body", "orelse", "finalbody"):
                yield from _definitions(getattr(node, part, []), prefix)
            for handler in getattr(node, "handlers", []):
                yield from _definitions(handler.body, prefix)


def _has_main_block(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)


def _unit(module: ModuleType, qualname: str, node: _Definition) -> Unit | Skipped | None:
    """The unit of this name; None for what is not there, or not this module's."""
    *owners, name = qualname.split(".")
    owner: Any = module
    for part in owners:
        owner = inspect.getattr_static(owner, part, None)
        if not isinstance(owner, type):
            return None
    live = inspect.getattr_static(owner, _mangled(name, owners), None)
    if live is None:
        return None
    owner_class = owner if owners else None
    if isinstance(node, ast.ClassDef):
        return _class_unit(qualname, node, live)
    if name in _UNTESTED_DUNDERS:
        return None
    return _function_unit(qualname, node, live, owner_class)


def _mangled(name: str, owners: list[str]) -> str:
    if owners and name.startswith("__") and not name.endswith("__"):
        return f"_{owners[-1].lstrip('_')}{name}"
    return name


def _class_unit(qualname: str, node: ast.ClassDef, live: Any) -> Unit | Skipped | None:
    if not isinstance(live, type):
        return None
    if inspect.isabstract(live):
        return Skipped(qualname, "an abstract class: it cannot be made")
    if getattr(live, "_is_protocol", False):
        return Skipped(qualname, "a protocol: it has no behaviour of its own")
    return Unit(
        qualname=qualname,
        kind=UnitKind.CONSTRUCTOR,
        parameters=_parameters(live, live, skip_first=False),
        returns=live,
        owner=live,
        function=live,
        node=node,
        docstring=_docstring(live),
    )


def _function_unit(
    qualname: str, node: ast.FunctionDef | ast.AsyncFunctionDef, live: Any, owner: type | None
) -> Unit | Skipped | None:
    kind, function = _kind_and_function(live, owner)
    if function is None or not callable(function):
        return Skipped(qualname, f"its decorators made it a {type(live).__name__}, which is not called")
    if isinstance(function, type):
        return None  # a class that replaces the function is found by its own name
    plain = inspect.unwrap(function) if not isinstance(function, functools.partial) else function.func
    skip_first = kind in (UnitKind.METHOD, UnitKind.CLASS_METHOD, UnitKind.PROPERTY)
    return Unit(
        qualname=qualname,
        kind=kind,
        parameters=() if kind is UnitKind.PROPERTY else _parameters(function, plain, skip_first=skip_first),
        returns=_hints(plain).get("return"),
        owner=owner,
        function=function,
        node=node,
        is_async=inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
        is_generator=inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function),
        is_context_manager=_makes_context_manager(node),
        docstring=_docstring(plain),
    )


def _kind_and_function(live: Any, owner: type | None) -> tuple[UnitKind, Any]:
    if owner is None:
        return UnitKind.FUNCTION, live
    if isinstance(live, staticmethod):
        return UnitKind.STATIC_METHOD, live.__func__
    if isinstance(live, classmethod):
        return UnitKind.CLASS_METHOD, live.__func__
    if isinstance(live, property):
        return UnitKind.PROPERTY, live.fget
    if isinstance(live, functools.cached_property):
        return UnitKind.PROPERTY, live.func
    return UnitKind.METHOD, live


def _makes_context_manager(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {ast.unparse(decorator).split(".")[-1] for decorator in node.decorator_list}
    return bool(names & {"contextmanager", "asynccontextmanager"})


def _docstring(live: Any) -> str:
    try:
        found = inspect.getdoc(live)
    except Exception:  # noqa: BLE001 - a class of the project may answer any attribute in its own way
        return ""
    return found if isinstance(found, str) else ""


def _parameters(function: Any, plain: Any, *, skip_first: bool) -> tuple[Parameter, ...]:
    try:
        found = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return ()
    except Exception:  # noqa: BLE001 - __signature__ and __wrapped__ are the project's to define
        return ()
    hints = _hints(vars(plain).get("__init__", plain) if isinstance(plain, type) else plain)
    if skip_first and found and found[0].kind.name.startswith("POSITIONAL"):
        found = found[1:]
    return tuple(_parameter(each, hints) for each in found)


def _parameter(found: inspect.Parameter, hints: dict[str, Any]) -> Parameter:
    has_default = found.default is not inspect.Parameter.empty
    annotation = hints.get(found.name)
    if annotation is None and found.annotation is not inspect.Parameter.empty:
        annotation = found.annotation
    return Parameter(
        name=found.name,
        kind=found.kind.name,
        annotation=annotation,
        has_default=has_default,
        default=found.default if has_default else None,
    )


def _hints(function: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # noqa: BLE001 - names only imported for type checkers, or annotations that are not types at all
        return _single_hints(function)


def _single_hints(function: Any) -> dict[str, Any]:
    """Each annotation by itself, so that one which cannot be resolved does not hide the others."""
    annotations = getattr(function, "__annotations__", None)
    if not isinstance(annotations, dict):
        return {}
    names = getattr(function, "__globals__", {})
    return {name: _resolved(annotation, names) for name, annotation in annotations.items()}


def _resolved(annotation: Any, names: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, names)  # noqa: S307 - what the interpreter would do with it
    except Exception:  # noqa: BLE001 - stays text, which still says something to a reader of types
        return annotation
