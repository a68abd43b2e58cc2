"""From the place where a test failed to the place where the lost selector is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import CallChain, arguments_of, chains_in
from testwright.heal.source.call_pieces import string_piece
from testwright.heal.source.chain_selectors import selectors_in_chain
from testwright.heal.source.dart_finders import finders_at
from testwright.heal.source.expression_evaluator import Evaluator
from testwright.heal.source.expression_values import Locator, Text
from testwright.heal.source.imported_sources import ImportedSources
from testwright.heal.source.languages import Language, ParsedSource
from testwright.heal.source.locator_uses import Piece
from testwright.model.errors import TestwrightError
from testwright.model.heal import CallSite
from testwright.model.selector import Dialect, Selector
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical_parts

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class SelectorDefinition:
    """Where a selector is written. Its pieces may be spread over several places, and even files."""

    selector: Selector  # as it failed
    pieces: tuple[Piece, ...]  # the outermost first
    unknown: int = 0  # how many parts of the selector come before the pieces, and are handed in from somewhere
    site: CallSite | None = None  # the call that led here

    @property
    def last(self) -> Piece:
        return self.pieces[-1]

    @property
    def file(self) -> str:
        """Where the last piece is written, which is what most patches change."""
        piece = self.last
        return piece.literal.file if piece.literal is not None and piece.literal_is_elsewhere else piece.file

    @property
    def line(self) -> int:
        piece = self.last
        return piece.literal.line if piece.literal is not None and piece.literal_is_elsewhere else piece.line

    @property
    def text(self) -> str:
        """The last place's own words."""
        together = [piece for piece in self.pieces if (piece.file, piece.chain) == (self.last.file, self.last.chain)]
        return ".".join(piece.clean or piece.written for piece in together)

    @property
    def string_only(self) -> bool:
        """Only a string should be put in its place: a method takes it, or a constant keeps it."""
        piece = self.last
        return piece.is_string or (piece.literal_is_elsewhere and piece.clean.startswith(("locator(", "frame")))


@dataclass(frozen=True, slots=True)
class NotDefinable:
    """The place is unknown; `reason` is a sentence for a person."""

    reason: str


def definition_of(
    files: Mapping[str, bytes], sites: Sequence[CallSite], selector: str
) -> SelectorDefinition | NotDefinable:
    """Where `selector` is written. `sites` are the failure's own stack, innermost first."""
    try:
        lost = parse_selector(selector)
    except TestwrightError as error:
        return NotDefinable(error.message)
    project = ImportedSources(files)
    search = _Search(Evaluator(project), lost)
    problems: list[str] = []
    for site in sites:
        source = project.source(site.file)
        if source is None:
            problems.append(f"{site.file} is not among the project's sources, or cannot be read.")
            continue
        found = search.at(source, site)
        if isinstance(found, SelectorDefinition):
            return found
        problems.append(found.reason)
        if found.is_final:
            break
    if not problems:
        return NotDefinable("The failure names no place in the project.")
    return NotDefinable(problems[-1 if search.is_ambiguous else 0])


@dataclass(frozen=True, slots=True)
class _Miss:
    reason: str
    is_final: bool = False


class _Search:
    def __init__(self, evaluator: Evaluator, lost: Selector) -> None:
        self._evaluator = evaluator
        self._lost = lost
        self._keys = canonical_parts(lost.parts, lost.dialect)
        self.is_ambiguous = False

    def at(self, source: ParsedSource, site: CallSite) -> SelectorDefinition | _Miss:
        locators = self._locators(source, site)
        matching = [one for one in locators if not one.problem and self._fits(one)]
        exact = [one for one in matching if len(_keys(one)) == len(self._keys)]
        places = {_place(one): one for one in exact or matching}
        where = f"{site.file}:{site.line}"
        if len(places) > 1:
            self.is_ambiguous = True
            message = f"{where} uses this selector {len(places)} times, and it cannot be told which one failed."
            return _Miss(message, is_final=True)
        if not places:
            computed = next((one.problem for one in locators if one.problem), "")
            return _Miss(
                f"The selector at {where} cannot be followed: {computed}."
                if computed
                else f"{where} does not use this selector, as far as can be told without running it."
            )
        (only,) = places.values()
        unknown = len(self._keys) - len(_keys(only))
        return SelectorDefinition(self._lost, only.pieces, unknown, site)

    def _fits(self, locator: Locator) -> bool:
        keys = _keys(locator)
        if keys == self._keys:
            return True
        return not locator.is_whole and 0 < len(keys) < len(self._keys) and self._keys[-len(keys) :] == keys

    def _locators(self, source: ParsedSource, site: CallSite) -> list[Locator]:
        if source.language is Language.DART:
            return finders_at(source, site.line)
        chains = [chain for chain in chains_in(source) if chain.covers(site.line)]
        exact = [chain for chain in chains if site.column and _is_called_at(chain, site)]
        chains = exact or chains
        found = [locator for chain in chains for locator in self._used_by(source, chain)]
        if any(self._fits(one) for one in found if not one.problem):
            return found
        # A helper of the test's own may have been handed the selector as a text.
        return found + [one for chain in chains for one in self._handed_over(source, chain)]

    def _used_by(self, source: ParsedSource, chain: CallChain) -> Iterator[Locator]:
        for reading in selectors_in_chain(self._evaluator, source, chain):
            yield reading.locator
        for node in _expected(source, chain):
            value = self._evaluator.value(source, node)
            if isinstance(value, Locator):
                yield value

    def _handed_over(self, source: ParsedSource, chain: CallChain) -> Iterator[Locator]:
        for link in chain.links:
            given = arguments_of(source, link.arguments) if link.arguments is not None else None
            for node in (*given.positional, *given.named.values()) if given is not None else ():
                value = self._evaluator.value(source, node)
                if isinstance(value, Text):
                    piece = string_piece(source, chain, value)
                    if not piece.problem:
                        yield Locator((piece,), is_whole=True)
                elif isinstance(value, Locator):
                    yield value


def _keys(locator: Locator) -> tuple[str, ...]:
    parts = [part for piece in locator.pieces for part in piece.parts]
    is_finder = locator.pieces[0].dialect is Dialect.FLUTTER
    return canonical_parts(parts, Dialect.FLUTTER if is_finder else Dialect.INTERNAL)


def _place(locator: Locator) -> tuple[tuple[str, int, int], ...]:
    return tuple((piece.file, piece.start, piece.end) for piece in locator.pieces)


def _is_called_at(chain: CallChain, site: CallSite) -> bool:
    return any((link.line, link.column) == (site.line, site.column) for link in chain.links)


def _expected(source: ParsedSource, chain: CallChain) -> "tuple[Node, ...]":
    """What `expect(...)` or `expect.soft(...)` is asked about."""
    if source.written(chain.base) != "expect":
        return ()
    call = next((link for link in chain.links[:2] if link.arguments is not None), None)
    given = arguments_of(source, call.arguments) if call is not None and call.arguments is not None else None
    return given.positional[:1] if given is not None else ()
