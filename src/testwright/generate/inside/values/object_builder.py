"""Ways to build an instance of a class: its constructor, factories, members, existing instances, a small subclass."""

import inspect
import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any

from testwright.generate.inside.generated_case import Argument, Call
from testwright.generate.inside.safe_access import (
    attributes_of,
    attributes_of_class,
    inherits,
    is_a,
    is_class,
    lineage,
    own_text,
    quietly,
    unique,
)
from testwright.generate.inside.units import Parameter, Unit, UnitKind
from testwright.generate.inside.values.identity_dict import IdentityDict
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.value_expressions import ReferenceFinder, literal, text

ArgumentLists = Callable[[Unit, int, ParameterUsage], Iterator[tuple[Argument, ...]]]
"""For a unit, how deep inside another value, and how the object that it makes will be used."""
MAKING_WORDS = (
    "from", "parse", "create", "make", "build", "new", "load", "of", "unit", "get", "compile", "read",
    "just", "wrap",
)  # fmt: skip
MOST_WAYS = 40
MOST_MODULES = 300


class ObjectBuilder:
    """Builds instances as calls; remembers what worked."""

    def __init__(
        self,
        module: ModuleType,
        references: ReferenceFinder,
        units: Sequence[Unit],
        arguments: ArgumentLists,
        package: str,
    ) -> None:
        self._module = module
        self._references = references
        self._arguments = arguments
        self._package = package
        self._made_units: IdentityDict[Unit | None] = IdentityDict()
        for unit in units:
            if unit.kind is UnitKind.CONSTRUCTOR:
                self._made_units.set(unit.function, unit)
        self._units = list(units)
        self._worked: IdentityDict[list[str]] = IdentityDict()
        self._building: list[Any] = []
        self._functions_elsewhere: list[FunctionType] | None = None

    def remember(self, kind: type, expression: str) -> None:
        """An expression that was seen to make an instance of `kind`: from now on the first choice for an argument."""
        known = self._worked.remembered(kind, list)
        if expression not in known and len(known) < 4:
            known.append(expression)

    @property
    def being_built(self) -> tuple[int, ...]:
        """Which classes an instance is being made of, outermost first."""
        return tuple(map(id, self._building))

    def expressions(self, kind: Any, usage: ParameterUsage, depth: int) -> list[str]:
        """Expressions for an argument that must be an instance of `kind`, and will be used in that way."""
        if any(kind is each for each in self._building) or len(self._building) > 3:
            return []  # it needs an instance of itself: the circle must be broken elsewhere
        self._building.append(kind)
        try:
            existing = [name for name, _ in self._instances(kind)]
            fits = [each for other, known in self._worked.items() if inherits(other, kind) for each in known]
            ways = islice(self._calls(kind, usage, depth), 40 if depth == 0 else 4)
            built = [source_of_call(call) for call in ways]
        finally:
            self._building.pop()
        return list(unique([*fits, *built, *existing]))

    def subjects(self, kind: Any) -> Iterator[Call]:
        """Calls that build an instance, most promising first."""
        seen: set[str] = set()
        for call in islice(self._calls(kind, ParameterUsage(), 0), MOST_WAYS * 2):
            source = source_of_call(call)
            if source not in seen:
                seen.add(source)
                yield call
        for name, _ in self._instances(kind):
            # A copy: what the test does to it must not be seen by the next test.
            yield Call("copy.deepcopy", (Argument(None, name),))

    def _calls(self, kind: Any, usage: ParameterUsage, depth: int) -> Iterator[Call]:
        if inherits(kind, Enum):
            yield from self._members(kind)
            return
        concrete = [kind] if not is_abstract(kind) else self._concrete(kind)
        own = [self._constructed(each, usage, depth) for each in concrete]
        own += [self._called(unit.function, unit, usage, depth) for unit in self._units if self._makes(unit, kind)]
        other = [self._called(factory, unit, usage, depth) for factory, unit in self._factories_elsewhere(kind)]
        if not is_abstract(kind):
            other += [self._constructed(each, usage, depth) for each in self._subclasses(kind)[:2]]
        yield from _mostly(_in_turn(own), _in_turn(other))
        if is_abstract(kind) and not concrete:
            yield from self._small_subclass(kind, usage, depth)

    def _members(self, kind: Any) -> Iterator[Call]:
        name = self._references.name_of(kind)
        members: dict[str, Any] = quietly(lambda: dict(kind.__members__), {})
        for member, value in members.items():
            plain = literal(quietly(lambda value=value: value._value_, None))  # type: ignore[misc]  # a lambda with a default
            if name is not None and plain not in (None, "None"):
                yield Call(name, (Argument(None, str(plain)),))
            elif name is not None:
                yield Call("getattr", (Argument(None, name), Argument(None, text(member))))

    def _constructed(self, kind: Any, usage: ParameterUsage, depth: int) -> Iterator[Call]:
        name = self._references.name_of(kind)
        if name is None:
            return
        unit = self._constructor(kind)
        if unit is None or _takes_anything(unit):
            if inherits(kind, BaseException):
                yield Call(name, (Argument(None, '"message"'),))
            yield Call(name)
        if unit is not None:
            for arguments in islice(self._arguments(unit, depth + 1, usage), MOST_WAYS if depth == 0 else 6):
                yield Call(name, arguments)

    def _constructor(self, kind: Any) -> Unit | None:
        return self._made_units.remembered(kind, lambda: _unit_of(kind, UnitKind.CONSTRUCTOR, kind))

    def _called(self, factory: Any, unit: Unit, usage: ParameterUsage, depth: int) -> Iterator[Call]:
        name = self._callable_name(factory, unit)
        if name is not None:
            for arguments in islice(self._arguments(unit, depth + 1, usage), 12 if depth == 0 else 3):
                yield Call(name, arguments)

    def _callable_name(self, factory: Any, unit: Unit) -> str | None:
        if unit.owner is not None:
            owner = self._references.name_of(unit.owner)
            return f"{owner}.{unit.qualname.rpartition('.')[2]}" if owner else None
        return self._references.name_of(factory)

    def _factories_elsewhere(self, kind: Any) -> list[tuple[Any, Unit]]:
        """Functions of other modules of the package that say that they give an instance of `kind`."""
        if self._functions_elsewhere is None:
            known = {id(unit.function) for unit in self._units}
            functions = list(self._package_functions())
            self._functions_elsewhere = [each for each in functions if id(each) not in known]
        fitting = (each for each in self._functions_elsewhere if _gives(_declared_result(each), kind))
        made = (
            (each, self._made_units.remembered(each, partial(_unit_of, each, UnitKind.FUNCTION)))
            for each in islice(fitting, 4)
        )
        return [(each, unit) for each, unit in made if unit is not None]

    def _makes(self, unit: Unit, kind: Any) -> bool:
        if unit.kind not in (UnitKind.FUNCTION, UnitKind.CLASS_METHOD, UnitKind.STATIC_METHOD) or unit.is_generator:
            return False
        if unit.is_async or unit.is_context_manager:
            return False
        if _gives(unit.returns, kind):
            return True
        if unit.returns is typing.Self or (unit.returns is None and unit.kind is not UnitKind.FUNCTION):
            name = unit.qualname.rpartition(".")[2].lower()
            return unit.owner is kind and any(word in name.split("_") for word in MAKING_WORDS)
        return False

    def _package_functions(self) -> Iterator[FunctionType]:
        modules = [name for name in list(sys.modules) if name == self._package or name.startswith(f"{self._package}.")]
        for name in sorted(modules)[:MOST_MODULES]:
            for thing in attributes_of(sys.modules.get(name)).values():
                is_own = is_a(thing, FunctionType) and thing.__module__ == name
                if is_own and _declared_result(thing) is not None and not inspect.iscoroutinefunction(thing):
                    yield thing

    def _instances(self, kind: Any) -> Iterator[tuple[str, Any]]:
        for name, value in attributes_of(self._module).items():
            if (
                not name.startswith("__")
                and inherits(type(value), kind)
                and name.isidentifier()
                and not is_class(value)
            ):
                source = self._references.source_of(value)
                if source is not None:
                    yield source, value

    def _subclasses(self, kind: Any) -> list[Any]:
        """Those that exist by now and have a name, of the module first, then of the package."""
        found: list[Any] = []
        waiting = _direct_subclasses(kind)
        while waiting and len(found) < 50:
            each = waiting.pop(0)
            found.append(each)
            waiting += _direct_subclasses(each)
        own = own_text(self._module, "__name__")
        named = [each for each in found if self._references.name_of(each) is not None]
        named = [each for each in named if own_text(each, "__module__").split(".")[0] == self._package]
        return sorted(named, key=lambda each: own_text(each, "__module__") != own)

    def _concrete(self, kind: Any) -> list[Any]:
        return [each for each in self._subclasses(kind) if not is_abstract(each)][:3]

    def _small_subclass(self, kind: Any, usage: ParameterUsage, depth: int) -> Iterator[Call]:
        """A subclass made on the spot, whose missing methods give None."""
        name = self._references.name_of(kind)
        missing: list[str] = sorted(quietly(lambda: kind.__abstractmethods__, frozenset()))
        if name is None or not all(type(each) is str for each in missing):
            return
        methods = ", ".join(f"{text(each)}: lambda self, *args: None" for each in missing)
        unit = self._constructor(kind)
        callee = f'type("Concrete", ({name},), {{{methods}}})'
        lists: Iterable[tuple[Argument, ...]] = self._arguments(unit, depth + 1, usage) if unit is not None else [()]
        for arguments in islice(lists, 6):
            yield Call(callee, arguments)


def source_of_call(call: Call) -> str:
    """The call as one expression."""
    parts = []
    for argument in call.arguments:
        name = argument.name
        parts.append(
            argument.value
            if name is None
            else f"{name}{argument.value}"
            if name in ("*", "**")
            else f"{name}={argument.value}"
        )
    return f"{call.callee}({', '.join(parts)})"


def is_abstract(kind: Any) -> bool:
    return bool(quietly(lambda: type.__dict__["__flags__"].__get__(kind) & inspect.TPFLAGS_IS_ABSTRACT, 0)) or bool(
        is_class(kind) and attributes_of_class(kind).get("_is_protocol") is True
    )


def _declared_result(function: Any) -> Any:
    return quietly(lambda: function.__annotations__.get("return"), None)


def _direct_subclasses(kind: Any) -> list[Any]:
    return quietly(lambda: list(type.__subclasses__(kind)), []) if is_class(kind) else []


def _takes_anything(unit: Unit) -> bool:
    return all(each.kind in ("VAR_POSITIONAL", "VAR_KEYWORD") for each in unit.parameters)


def _gives(returns: Any, kind: Any) -> bool:
    if returns is kind or typing.get_origin(returns) is kind:
        return True
    if type(returns) is str:
        return returns.strip("'\"").split("[")[0].rpartition(".")[2] == own_text(kind, "__name__") != ""
    if is_class(returns) and kind in lineage(returns)[1:] and kind is not object:
        return True
    options = typing.get_args(returns) if typing.get_origin(returns) is typing.Union else ()
    return any(_gives(each, kind) for each in options)


def _in_turn(ways: Sequence[Iterator[Call]]) -> Iterator[Call]:
    """Two of the first way, then one of each in turn: the first is the most likely."""
    waiting = list(ways)
    if waiting:
        yield from islice(waiting[0], 2)
    while waiting:
        for way in list(waiting):
            call = next(way, None)
            if call is None:
                waiting.remove(way)
            else:
                yield call


def _mostly(often: Iterator[Call], rarely: Iterator[Call]) -> Iterator[Call]:
    """Four of the one, then one of the other."""
    for number, call in enumerate(often, 1):
        yield call
        if number % 4 == 0:
            yield from islice(rarely, 1)
    yield from rarely


# --- units of callables from elsewhere: a neighbour's class, a factory ---------------------------


def _unit_of(thing: Any, kind: UnitKind, owner: Any = None) -> Unit | None:
    """The unit for a live function or class; None when Python itself cannot tell its parameters."""
    signature = quietly(lambda: inspect.signature(thing), None)
    if signature is None:
        return None
    hints = _hints(thing)
    parameters = tuple(
        Parameter(
            name=each.name,
            kind=each.kind.name,
            annotation=hints.get(each.name, None if each.annotation is each.empty else each.annotation),
            has_default=each.default is not each.empty,
            default=None if each.default is each.empty else each.default,
        )
        for each in signature.parameters.values()
        if each.name not in ("self", "cls")
    )
    returns = hints.get(
        "return", None if signature.return_annotation is signature.empty else signature.return_annotation
    )
    return Unit(own_text(thing, "__qualname__"), kind, parameters, returns, owner, thing, None)


def _hints(thing: Any) -> dict[str, Any]:
    """The annotations as objects; of a class, those of its `__init__` and of its fields."""
    nothing: dict[str, Any] = {}
    hints = quietly(lambda: typing.get_type_hints(thing, include_extras=True), nothing)
    if not is_class(thing):
        return hints
    made_by = quietly(lambda: inspect.getattr_static(thing, "__init__"), None)
    inner = quietly(lambda: typing.get_type_hints(made_by), nothing) if callable(made_by) else nothing
    return {**hints, **{name: each for name, each in inner.items() if name != "return"}}
