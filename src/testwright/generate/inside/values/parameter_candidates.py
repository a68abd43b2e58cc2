"""Expressions for one parameter, best first: all the evidence about it put together."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from testwright.generate.inside.safe_access import interleave, is_class, quietly, unique
from testwright.generate.inside.units import Parameter, Unit
from testwright.generate.inside.values.docstring_hints import DocstringHints, documented, either
from testwright.generate.inside.values.harmless_values import fit_for_a_path, is_harmless, is_path_like
from testwright.generate.inside.values.identity_dict import IdentityDict
from testwright.generate.inside.values.package_sources import PackageSources, SourceScope, live
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.source_literals import Literals, keys_in, names_used, patterns_in
from testwright.generate.inside.values.structured_strings import words_in
from testwright.generate.inside.values.type_values import TypeValues
from testwright.generate.inside.values.usage_reader import UsageReader
from testwright.generate.inside.values.usage_values import GENERIC, SPECIAL, UsageValues
from testwright.generate.inside.values.value_clue import Clue
from testwright.generate.inside.values.value_expressions import ReferenceFinder

ODD = ("None", '"hello"', "1", "[]", "{}", "-1", '""', "object()", "1.5", "True", 'b"hello"', "[None]", "(1, 2)")
"""Of a wrong type for most parameters: code that checks its input has branches for them."""
CERTAIN = 10  # so many likely values come before the first odd one


@dataclass(frozen=True)
class UnitFacts:
    """What is known about a unit, apart from any one parameter."""

    usages: dict[str, ParameterUsage]
    documented: DocstringHints
    near: Literals
    patterns: tuple[tuple[str, int], ...]
    named: frozenset[str]
    around: frozenset[str]
    keys: tuple[object, ...]


NOTHING_KNOWN = UnitFacts({}, DocstringHints(), Literals(()), (), frozenset(), frozenset(), ())


class Candidates:
    def __init__(
        self,
        sources: PackageSources,
        references: ReferenceFinder,
        reader: UsageReader,
        types: TypeValues,
        guesses: UsageValues,
    ) -> None:
        self._sources = sources
        self._references = references
        self._reader = reader
        self._types = types
        self._guesses = guesses
        self._wide = Literals([sources.tree])
        self._imports = frozenset(_imported(sources.tree))
        self._known: IdentityDict[UnitFacts] = IdentityDict()

    @property
    def literals(self) -> Literals:
        """Of the whole module."""
        return self._wide

    def ranked(
        self,
        unit: Unit,
        parameter: Parameter,
        harvested: Sequence[str] = (),
        depth: int = 0,
        later: ParameterUsage | None = None,
    ) -> list[str]:
        """Likely values, then likely and odd ones in turn; `later` is the use of the value after the call, if known."""
        nothing: list[str] = list(GENERIC)
        found = quietly(lambda: self._likely(unit, parameter, depth, later), nothing)
        likely = self.allowed(unit, parameter, unique([*harvested[:6], *found, *harvested[6:]]))
        odd = [each for each in self.allowed(unit, parameter, ODD) if each not in likely]
        return [*likely[:CERTAIN], *interleave(likely[CERTAIN:], odd)]

    def allowed(self, unit: Unit, parameter: Parameter, expressions: Iterable[str]) -> list[str]:
        """Those that cannot do harm, no matter what the unit does with them."""
        harmless = [each for each in expressions if is_harmless(each, self._sources.module)]
        return fit_for_a_path(harmless) if self._is_path(unit, parameter) else harmless

    def _is_path(self, unit: Unit, parameter: Parameter) -> bool:
        usage = self.known(unit).usages.get(parameter.name) or ParameterUsage()
        parts = [usage, *(each for each in (usage.element, usage.key) if each is not None), *usage.keys.values()]
        abilities = [word for each in parts for word in each.abilities]
        return is_path_like(parameter.name, parameter.annotation, abilities)

    def _likely(self, unit: Unit, parameter: Parameter, depth: int, later: ParameterUsage | None) -> list[str]:
        known = self.known(unit)
        clue = self._clue(known, parameter, later)
        said = known.documented.types.get(parameter.name, [])
        typed = self._types.values(parameter.annotation, clue, depth)
        default = self._references.source_of(parameter.default) if parameter.has_default else None
        alike = self._like_default(parameter, clue, depth)
        by_docstring = self._types.values(either(said), clue, depth) if said else []
        by_docstring = interleave(by_docstring, *(SPECIAL.get(each, ()) for each in said if type(each) is str))
        guessed = self._guesses.values(clue, depth) if not typed or clue.usage.classes else []
        constants = [self._references.source_of(each) for each in clue.usage.constants]
        matching = [each for each in constants if each is not None and each in (*typed, *guessed)]
        first = typed or by_docstring or alike or guessed
        tail = [default] if default is not None else []
        # The first value is the plain one; what it is compared with follows at once.
        return list(
            unique(
                [
                    *first[:1],
                    *matching,
                    *interleave(first[1:], by_docstring, alike, guessed[:40]),
                    *tail,
                    *([] if typed else GENERIC),
                ]
            )
        )

    def _like_default(self, parameter: Parameter, clue: Clue, depth: int) -> list[str]:
        kind = type(parameter.default)
        if not parameter.has_default or parameter.default is None:
            return []
        if kind is bool:
            return ["False" if parameter.default else "True", repr(parameter.default)]
        if kind in (str, int, float, bytes, list, tuple, dict, set, frozenset):
            return self._types.values(kind, clue, depth)
        return self._types.values(kind, clue, depth) if not is_class(parameter.default) else []

    def _clue(self, known: UnitFacts, parameter: Parameter, later: ParameterUsage | None) -> Clue:
        usage = known.usages.get(parameter.name) or ParameterUsage()
        if later is not None:
            both = ParameterUsage()
            both.absorb(later)
            both.absorb(usage)
            usage = both
        choices = (*known.documented.choices.get(parameter.name, ()), *known.keys)
        return Clue(parameter.name, usage, known.near, self._wide, known.patterns, known.named, known.around, choices)

    def known(self, unit: Unit) -> UnitFacts:
        return self._known.remembered(unit, lambda: quietly(lambda: self._learn(unit), NOTHING_KNOWN))

    def _learn(self, unit: Unit) -> UnitFacts:
        place = self._sources.place_of(unit.function)
        if place is None and unit.node is not None:
            place = self._sources.place_in_module(unit.node, None, unit.owner)
        named = frozenset(words_in(*unit.qualname.split("."), *self._references.module_name.split(".")))
        around = (
            words_in(*self._imports)
            | set(_words(unit.docstring))
            | set(_words(ast.get_docstring(self._sources.tree) or ""))
        )
        hints = documented(unit.docstring)
        if place is None:
            return UnitFacts({}, hints, Literals(()), (), named, frozenset(around), ())
        node = _body(place)
        constants = [live(_dotted(name), place.names) for name in names_used(node)]
        patterns = [each for constant in constants for each in patterns_in(constant)]
        near = Literals([node])
        keys = [key for constant in constants for key in keys_in(constant)]
        return UnitFacts(
            self._reader.parameters(place),
            hints,
            near,
            tuple(dict.fromkeys([*patterns, *near.patterns]))[:8],
            named,
            frozenset(around),
            tuple(keys[:12]),
        )


def _body(place: SourceScope) -> ast.AST:
    """Of a class, its constructor: the rest of it is about other units."""
    if isinstance(place.node, ast.ClassDef):
        for each in place.node.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name in ("__init__", "__new__"):
                return each
    return place.node


def _dotted(name: str) -> ast.AST:
    nothing: ast.AST = ast.Constant(None)
    return quietly(lambda: ast.parse(name, mode="eval").body, nothing)


def _imported(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module or "", *(each.name for each in node.names)]
    return [part for name in names for part in name.split(".") if part]


def _words(docstring: str) -> list[str]:
    return [word.strip(".,:;()`'\"").lower() for word in docstring[:600].split()]
