"""Where the search gets its inputs: argument lists, subjects, neighbours and simpler forms, all as expressions."""

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice, pairwise
from types import ModuleType
from typing import Any

from testwright.generate.inside.generated_case import Argument, Call
from testwright.generate.inside.safe_access import attributes_of, inherits, is_class, own_text, quietly, safely
from testwright.generate.inside.units import Parameter, Unit, UnitKind
from testwright.generate.inside.values.argument_lists import assembled, choices, is_required
from testwright.generate.inside.values.docstring_hints import calls_in, example_calls
from testwright.generate.inside.values.expression_simplifier import shrink
from testwright.generate.inside.values.expression_variations import VariationMaker
from testwright.generate.inside.values.harmless_values import is_harmless, stays
from testwright.generate.inside.values.harvested_calls import by_parameter, called_name, calls_by_name, read_call
from testwright.generate.inside.values.identity_dict import IdentityDict
from testwright.generate.inside.values.object_builder import ObjectBuilder, source_of_call
from testwright.generate.inside.values.package_sources import PackageSources
from testwright.generate.inside.values.parameter_candidates import Candidates
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.source_literals import patterns_in
from testwright.generate.inside.values.structured_strings import words_in
from testwright.generate.inside.values.type_values import TypeValues
from testwright.generate.inside.values.usage_reader import UsageReader
from testwright.generate.inside.values.usage_values import UsageValues
from testwright.generate.inside.values.value_clue import Clue
from testwright.generate.inside.values.value_expressions import ReferenceFinder
from testwright.generate.inside.values.value_pool import ValuePool

MOST_HARVESTED = 40


class InputSource:
    """Inputs for the units of one module.

    `harvested` holds, by unit (its qualname), source text in which it is called: a call (`slugify("a b")`), or a whole
    snippet of a test or README with such calls in it. The unit's own docstring and its module are read in any case.
    """

    def __init__(
        self,
        module: ModuleType,
        tree: ast.Module,
        units: Sequence[Unit],
        harvested: Mapping[str, Sequence[str]],
        *,
        seed: str,
    ) -> None:
        self._module = module
        self._harvested = harvested
        self._seed = seed
        self._references = ReferenceFinder(module)
        self._sources = PackageSources(module, tree)
        names = attributes_of(module)
        self._types = TypeValues(
            self._references, names, build=self._built, guess=self._guess, elsewhere=self._sources.class_named
        )
        self._guesses = UsageValues(self._references, typed=self._types.values, own_classes=self._own_classes)
        self._candidates = Candidates(
            self._sources, self._references, UsageReader(self._sources), self._types, self._guesses
        )
        self._objects = ObjectBuilder(module, self._references, units, self._argument_lists, self._sources.package)
        self._calls_by_name = calls_by_name(tree)
        self._lists: IdentityDict[list[tuple[Argument, ...]]] = IdentityDict()
        self._ranked: IdentityDict[dict[tuple[object, ...], list[str]]] = IdentityDict()
        patterns = [each for value in names.values() for each in patterns_in(value)]
        literals = self._candidates.literals
        pool = ValuePool.of(
            literals, [*patterns, *literals.patterns], words_in(*own_text(module, "__name__").split("."), *names)
        )
        self._varier = VariationMaker(module, pool, self._others)

    def first_arguments(self, unit: Unit) -> Iterator[tuple[Argument, ...]]:
        """Argument lists, most promising first: those that were found in use, then made ones. Lazy and finite."""
        return safely(self._argument_lists(unit, 0, _NO_USAGE))

    def first_subjects(self, unit_owner: type) -> Iterator[Call]:
        """Ways to build an instance of a class, most promising first."""
        calls = safely(self._objects.subjects(unit_owner))
        return (each for each in calls if is_harmless(source_of_call(each), self._module))

    def remember(self, kind: type, expression: str) -> None:
        """Tell that `expression` was seen to make an instance of `kind`; arguments of that type use it from now on."""
        if is_harmless(expression, self._module):
            self._objects.remember(kind, expression)
            self._ranked = IdentityDict()

    def vary(self, expression: str, rng: random.Random, hints: Sequence[object] = (), annotation: object = None) -> str:
        """One changed neighbour of an expression; `hints` are values that the code compared it with."""
        changed = self._varier.vary(expression, rng, hints, annotation)
        return changed if stays(expression, changed, self._module) else expression

    def vary_arguments(
        self, unit: Unit, arguments: tuple[Argument, ...], rng: random.Random, hints: Sequence[object] = ()
    ) -> tuple[Argument, ...]:
        """The argument list with one argument changed, one optional argument more, or one less."""
        if not unit.parameters:
            return arguments
        way = rng.random()
        if way < 0.12 and arguments:
            shorter = self._without_one(unit, arguments, rng)
            if shorter is not None:
                return shorter
        if way < 0.3 or not arguments:
            longer = self._with_one_more(unit, arguments, rng)
            if longer is not None:
                return longer
        if not arguments:
            return arguments
        place = rng.randrange(len(arguments))
        return (*arguments[:place], self._varied(unit, arguments, place, rng, hints), *arguments[place + 1 :])

    def shrink(self, expression: str) -> Iterator[str]:
        """Strictly simpler expressions, the most drastic first."""
        return (each for each in shrink(expression) if stays(expression, each, self._module))

    # Arguments.

    def _argument_lists(self, unit: Unit, depth: int, result: ParameterUsage) -> Iterator[tuple[Argument, ...]]:
        seen: set[tuple[Argument, ...]] = set()
        if unit.kind is UnitKind.CONSTRUCTOR and inherits(unit.owner, Enum):
            # The constructor of an enumeration looks a member up by its value; its signature says something else.
            yield from (call.arguments for call in self._objects.subjects(unit.owner) if call.callee != "getattr")
            yield (Argument(None, '"no such member"'),)
            return
        found = self._found_in_use(unit)
        values = by_parameter(unit.parameters, found)
        for arguments in found:
            if arguments not in seen:
                seen.add(arguments)
                yield arguments
        ranked = {
            each.name: self._values_of(unit, each, values.get(each.name, ()), depth, result.attributes.get(each.name))
            for each in unit.parameters
        }
        for choice in choices(unit.parameters, ranked, f"{self._seed} {unit.qualname}"):
            arguments = assembled(unit.parameters, choice)
            if arguments not in seen:
                seen.add(arguments)
                yield arguments

    def _values_of(
        self, unit: Unit, parameter: Parameter, found: Sequence[str], depth: int, later: ParameterUsage | None = None
    ) -> list[str]:
        if later is not None:
            return self._candidates.ranked(unit, parameter, found, depth, later)
        ranked = self._ranked.remembered(unit, dict)
        key = (parameter.name, depth, *self._objects.being_built)  # inside a circle, less can be made
        if key not in ranked:
            is_packed = parameter.kind in ("VAR_POSITIONAL", "VAR_KEYWORD")
            made = self._packed(unit, parameter, depth) if is_packed else None
            ranked[key] = made or self._candidates.ranked(unit, parameter, found, depth)
        return ranked[key]

    def _packed(self, unit: Unit, parameter: Parameter, depth: int) -> list[str]:
        """For `*args` and `**kwargs`: some of the values that one of them could be."""
        items = self._candidates.ranked(unit, parameter, (), depth + 1)[:10]
        if parameter.kind == "VAR_POSITIONAL":
            pairs = [f"({one}, {other})" for one, other in pairwise(items)]
            return [each for pair in zip((f"({one},)" for one in items), pairs, strict=False) for each in pair]
        keys = [
            each
            for each in self._candidates.known(unit).usages.get(parameter.name, _NO_USAGE).keys
            if type(each) is str
        ]
        taken = [each.name for each in unit.parameters]
        keys = [each for each in (*keys, "key", "name") if each.isidentifier() and each not in taken]
        return [f'{{"{key}": {item}}}' for item in items[:4] for key in keys[:4]]

    def _found_in_use(self, unit: Unit) -> list[tuple[Argument, ...]]:
        return self._lists.remembered(unit, lambda: quietly(lambda: self._read_use(unit), []))

    def _read_use(self, unit: Unit) -> list[tuple[Argument, ...]]:
        name = called_name(unit)
        calls = [call for source in self._harvested.get(unit.qualname, ()) for call in calls_in(source, name)]
        calls += example_calls(unit.docstring, name)
        calls += self._calls_by_name.get(name, ())
        lists = [read_call(call, unit.parameters, self._references) for call in calls[:200]]
        fitting = [each for each in lists if each is not None and self._is_allowed(unit, each)]
        return list(dict.fromkeys(fitting))[:MOST_HARVESTED]

    def _is_allowed(self, unit: Unit, arguments: tuple[Argument, ...]) -> bool:
        """Whether no argument can do harm: people's examples may name files of their own machines."""
        for place, argument in enumerate(arguments):
            parameter = _parameter_of(unit, arguments, place)
            if not is_harmless(argument.value, self._module):
                return False
            if parameter is not None and not self._candidates.allowed(unit, parameter, [argument.value]):
                return False
        return True

    # What the rooms for types and usage ask of one another.

    def _built(self, kind: Any, usage: ParameterUsage, depth: int) -> list[str]:
        return self._objects.expressions(kind, usage, depth)

    def _guess(self, _annotation: Any, clue: Clue, depth: int) -> list[str]:
        return self._guesses.values(clue, depth) if depth <= 3 else []

    def _own_classes(self) -> list[Any]:
        own = [value for value in attributes_of(self._module).values() if is_class(value)]
        return [each for each in own if own_text(each, "__module__").split(".")[0] == self._sources.package]

    def _others(self, annotation: Any) -> list[str]:
        return self._types.values(annotation, Clue(), 0)[:40]

    # Variation.

    def _varied(
        self, unit: Unit, arguments: tuple[Argument, ...], place: int, rng: random.Random, hints: Sequence[object]
    ) -> Argument:
        old = arguments[place]
        parameter = _parameter_of(unit, arguments, place)
        if parameter is not None and rng.random() < 0.15:
            values = self._values_of(unit, parameter, (), 0)
            if values:
                return Argument(old.name, rng.choice(values))
        return Argument(old.name, self.vary(old.value, rng, hints, parameter.annotation if parameter else None))

    def _without_one(
        self, unit: Unit, arguments: tuple[Argument, ...], rng: random.Random
    ) -> tuple[Argument, ...] | None:
        droppable = [
            place
            for place, each in enumerate(arguments)
            if each.name is not None
            and ((found := _parameter_of(unit, arguments, place)) is None or not is_required(found))
        ]
        if not droppable:
            return None
        place = rng.choice(droppable)
        return arguments[:place] + arguments[place + 1 :]

    def _with_one_more(
        self, unit: Unit, arguments: tuple[Argument, ...], rng: random.Random
    ) -> tuple[Argument, ...] | None:
        given = {found.name for place in range(len(arguments)) if (found := _parameter_of(unit, arguments, place))}
        free = [
            each
            for each in unit.parameters
            if each.name not in given and each.kind in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
        ]
        if not free or any(each.name == "**" for each in arguments):
            return None
        parameter = rng.choice(free)
        values = self._values_of(unit, parameter, (), 0)
        return (*arguments, Argument(parameter.name, rng.choice(values))) if values else None


_NO_USAGE = ParameterUsage()


def _parameter_of(unit: Unit, arguments: tuple[Argument, ...], place: int) -> Parameter | None:
    name = arguments[place].name
    if name is None:
        positional = [each for each in unit.parameters if each.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
        return next(islice(positional, place, None), None)
    kind = {"*": "VAR_POSITIONAL", "**": "VAR_KEYWORD"}.get(name)
    return next((each for each in unit.parameters if each.name == name or each.kind == kind), None)
