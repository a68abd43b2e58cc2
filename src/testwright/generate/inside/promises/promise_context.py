"""What every look for broken promises works with: the unit's cases and more calls like them."""

import ast
import builtins
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args, get_origin

from testwright.generate.inside.corpus import KeptCase, cost
from testwright.generate.inside.generated_case import UNDER_TEST, Argument, Call, Case, CaseOutcome
from testwright.generate.inside.input_search import use_of
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.promises.breach_builder import BreachBuilder
from testwright.generate.inside.promises.parameter_types import ParameterTypes, WellTyped, bound
from testwright.generate.inside.units import Unit, UnitKind
from testwright.generate.inside.values.input_source import InputSource

_KEPT_LOOKED_AT = 40
_LIKELY_LOOKED_AT = 40
_MANY = 90
_VARIED = 20
_PLAIN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "lru_cache", "cache", "override", "final"}
)


# Ordinary values that test a promise: out of order, repeated, with space around them.
_PLAIN: dict[Any, tuple[str, ...]] = {
    str: ('"b a"', '" Two  Words "', '"Aa-b_1"', '"a%b/c"', '"aa"', '"a long text of many words"'),
    int: ("3", "0", "-2", "100"),
    float: ("2.5", "-1.5", "0.25"),
    bool: ("True", "False"),
    bytes: ('b"ab"',),
}
_ITEMS: dict[Any, tuple[str, ...]] = {
    str: ('["b", "a", "c", "a"]', '["B", "a"]', '["b", "a"]'),
    int: ("[3, 1, 2, 1]", "[-2, 5]", "[2, 1]"),
    float: ("[2.5, -1.0, 2.5]", "[2.0, 1.0]"),
}
_ENTRIES: dict[Any, tuple[str, ...]] = {
    (str, int): ('{"b": 2, "a": 1}', '{"c": 3}'),
    (str, str): ('{"b": "2", "a": "1"}', '{"c": "3"}'),
}


@dataclass(frozen=True)
class Oddity:
    """Something worth a look that breaks no written promise."""

    unit: str
    text: str


class PromiseContext:
    def __init__(
        self,
        under_test: ModuleUnderTest,
        units: Sequence[Unit],
        parameter_types: Mapping[str, ParameterTypes],
        kept: Sequence[KeptCase],
        inputs: InputSource,
        seed: str,
    ) -> None:
        self._seed = seed
        self.under_test, self.inputs, self.parameter_types = under_test, inputs, parameter_types
        self.units = {unit.qualname: unit for unit in units}
        self.well_typed = WellTyped(under_test, parameter_types)
        self._kept: dict[str, list[KeptCase]] = {}
        for each in kept:
            self._kept.setdefault(each.case.unit, []).append(each)
        self._good: dict[str, list[Case]] = {}
        self._many: dict[str, list[Case]] = {}
        self.breach_builder = BreachBuilder(under_test, self.units)

    def returned(self, unit: Unit) -> list[Case]:
        return self._cases(unit, CaseOutcome.RETURNED)

    def raised(self, unit: Unit) -> list[Case]:
        return self._cases(unit, CaseOutcome.RAISED)

    def _cases(self, unit: Unit, outcome: CaseOutcome) -> list[Case]:
        """The unit's cases that ended so, the simplest first."""
        found = [each.case for each in self._kept.get(unit.qualname, ()) if each.observation.outcome is outcome]
        return sorted(found, key=cost)[:_KEPT_LOOKED_AT]

    def good(self, unit: Unit) -> list[Case]:
        """The kept cases whose every argument is what the unit asks for."""
        if unit.qualname not in self._good:
            kept = sorted((each.case for each in self._kept.get(unit.qualname, ())), key=cost)
            self._good[unit.qualname] = [case for case in kept[:_KEPT_LOOKED_AT] if self.well_typed.case(case)]
        return self._good[unit.qualname]

    def many(self, unit: Unit) -> list[Case]:
        """The good cases and more like them, which are likely to be good: for promises about every call."""
        if unit.qualname not in self._many:
            likely = [case for case in self._likely(unit) if self.well_typed.case(case)]
            self._many[unit.qualname] = list(dict.fromkeys([*self.good(unit), *likely]))[:_MANY]
        return self._many[unit.qualname]

    def bare(self, unit: Unit, said: str) -> list[Case]:
        """Those of the good cases that give only what is required, and options of which the sentence speaks."""
        return [case for case in self.many(unit) if self.is_bare(unit, case, said)]

    def is_bare(self, unit: Unit, case: Case, said: str) -> bool:
        pairs = bound(case.action.arguments, unit.parameters)
        if pairs is None or any(parameter.kind.startswith("VAR_") for parameter, _ in pairs):
            return False
        return all(not parameter.has_default or parameter.name in said for parameter, _ in pairs)

    def _likely(self, unit: Unit) -> list[Case]:
        """The kept cases with other arguments, and for a function also without any that were kept."""
        kept = [each.case for each in self._kept.get(unit.qualname, ())]
        callee = f"{UNDER_TEST}.{unit.qualname}"
        is_free = unit.kind in (UnitKind.FUNCTION, UnitKind.STATIC_METHOD, UnitKind.CLASS_METHOD)
        bases = [case for case in kept if not case.before][:3]
        if is_free and not bases:
            bases = [Case(unit.qualname, Call(callee), use_of(unit))]
        lists = list(itertools.islice(self.inputs.first_arguments(unit), _LIKELY_LOOKED_AT))
        lists += [turned for arguments in lists for turned in _turned(arguments)]
        lists = [*self._plain(unit, lists[:2]), *lists]
        rng = random.Random(f"{self._seed}:{unit.qualname}:promises")
        known = [case.action.arguments for case in self.good(unit)]
        lists += [self.inputs.vary_arguments(unit, rng.choice(known), rng) for _ in range(_VARIED) if known]
        return [replace(base, action=Call(base.action.callee, each)) for each in dict.fromkeys(lists) for base in bases]

    def _plain(self, unit: Unit, bases: Sequence[tuple[Argument, ...]]) -> Iterator[tuple[Argument, ...]]:
        """Each argument in turn replaced by plain values of its type, which are not left to chance."""
        types = self.parameter_types[unit.qualname].types
        for arguments in bases:
            for at, (parameter, _) in enumerate(bound(arguments, unit.parameters) or ()):
                for value in _plain_values(types.get(parameter.name)):
                    yield (*arguments[:at], Argument(arguments[at].name, value), *arguments[at + 1 :])


def _plain_values(kind: Any) -> tuple[str, ...]:
    """Expressions of values of this type; none for a type that is not one of the plainest."""
    arguments = get_args(kind)
    if get_origin(kind) is list and len(arguments) == 1:
        return _ITEMS.get(arguments[0], ())
    if get_origin(kind) is dict:
        return _ENTRIES.get(arguments, ())
    try:
        return _PLAIN.get(kind, ())
    except TypeError:  # an annotation may be anything, also what cannot be looked up
        return ()


def _turned(arguments: tuple[Argument, ...]) -> Iterator[tuple[Argument, ...]]:
    """The same with a list in reverse, and with each of its items twice: what a promise about order is tested with."""
    for at, argument in enumerate(arguments):
        node = ast.parse(argument.value, mode="eval").body
        if isinstance(node, ast.List) and node.elts:
            items = [ast.unparse(item) for item in node.elts]
            for other in (items[::-1], [*items, *items]):
                yield (*arguments[:at], Argument(argument.name, f"[{', '.join(other)}]"), *arguments[at + 1 :])


def is_plain(unit: Unit) -> bool:
    """Whether what the unit's own body returns is what a caller gets, and it has a body at all."""
    node = unit.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or unit.is_context_manager or unit.is_generator:
        return False
    names = {ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list}
    if not {name.rpartition(".")[2] for name in names} <= _PLAIN_DECORATORS:
        return False
    return not all(_does_nothing(statement) for statement in node.body)


def exception_named(name: str, under_test: ModuleUnderTest) -> type[BaseException] | None:
    """The exception class that a docstring means by this name."""
    short = name.rpartition(".")[2]
    found = getattr(under_test.module, short, None) or getattr(builtins, short, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass | ast.Raise)
