"""Every selector that a source file has written in it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import CallChain, chains_in, descend
from testwright.heal.source.call_pieces import string_piece
from testwright.heal.source.chain_selectors import selectors_in_chain
from testwright.heal.source.dart_finders import find_finders
from testwright.heal.source.expression_evaluator import Evaluator
from testwright.heal.source.expression_values import Locator, Text
from testwright.heal.source.imported_sources import ImportedSources
from testwright.heal.source.languages import Language, ParsedSource, read_source
from testwright.heal.source.literal_values import is_string
from testwright.heal.source.locator_uses import LiteralPlace, LocatorKind, LocatorUse, Piece
from testwright.heal.source.playwright_methods import camel, makes_locator
from testwright.model.selector import Dialect, Selector, SelectorPart

if TYPE_CHECKING:
    from tree_sitter import Node

# What a text must look like to be taken for a selector because of its name alone.
_LIKE_A_SELECTOR = re.compile(
    r"(?:#[A-Za-z_][\w-]*|\.[A-Za-z_][\w-]*|\[[A-Za-z][\w-]*|(?:xpath=)?\(*//[\w*]"
    r"|(?:css|text|role|id|data-test[\w-]*)=)(?!.*[{};])"
)
_NAMED_FOR_IT = re.compile(r"selector|locator|\bsel\b|_sel\b|(?<=[a-z])Sel\b|css|xpath", re.IGNORECASE)
_HOLDERS = frozenset(
    {"variable_declarator", "pair", "public_field_definition", "field_definition", "enum_assignment", "assignment"}
)


def find_locators(data: bytes, file: str) -> tuple[LocatorUse, ...]:
    """Selectors in the order they are written. Names are followed within the file."""
    source = read_source(data, file)
    if source.language is Language.DART:
        return find_finders(source)
    evaluator = Evaluator(ImportedSources({file: data}))
    found: dict[tuple[int, int], LocatorUse] = {}
    nested: list[tuple[int, int]] = []
    for chain in chains_in(source):
        nested.extend(_ranges_of_arguments(source, chain))
        if any(start <= chain.node.start_byte < end for start, end in nested):
            continue  # what `filter({ has: ... })` is given is part of that selector
        for reading in selectors_in_chain(evaluator, source, chain):
            use = use_of(source, reading.locator, chain)
            if use is not None:
                found.setdefault((use.start, use.end), use)
    for use in _constants(evaluator, source):
        found.setdefault((use.start, use.end), use)
    return tuple(sorted(found.values(), key=lambda use: (use.start, use.end)))


def use_of(source: ParsedSource, locator: Locator, chain: CallChain) -> LocatorUse | None:
    """The part of the locator that this chain writes itself; None: it only uses what is written elsewhere."""
    whole = (chain.node.start_byte, chain.node.end_byte)
    own = tuple(piece for piece in locator.pieces if piece.chain == whole and piece.file == source.file)
    if not own:
        return None
    outer = tuple(part for piece in locator.pieces if piece not in own for part in piece.parts)
    only = own[0] if len(own) == 1 else None
    if only is not None and only.literal is not None and (only.is_string or only.literal_is_elsewhere):
        return _string_use(source, only, chain)
    return _chain_use(source, own, outer, is_whole=locator.is_whole, problem=locator.problem)


def _string_use(source: ParsedSource, piece: Piece, chain: CallChain) -> LocatorUse | None:
    place = piece.literal
    assert place is not None
    inside = place.file == source.file and chain.node.start_byte <= place.start < chain.node.end_byte
    if not inside and (place.file != source.file or not (piece.is_string or _takes_selector(piece))):
        return _chain_use(source, (piece,), (), is_whole=True, problem=piece.problem)
    kind = LocatorKind.STRING if inside else LocatorKind.CONSTANT
    return _literal_use(source, place, piece, kind)


def _takes_selector(piece: Piece) -> bool:
    return piece.clean.startswith(("locator(", "frameLocator(", "frame_locator("))


def _literal_use(source: ParsedSource, place: LiteralPlace, piece: Piece, kind: LocatorKind) -> LocatorUse:
    selector = None if piece.problem else Selector(piece.parts, Dialect.INTERNAL, place.value)
    return LocatorUse(
        source.file,
        kind,
        selector,
        place.written,
        place.line,
        place.column,
        place.start,
        place.end,
        source.language.dialect,
        (piece,),
        string_only=True,
        problem=piece.problem,
    )


def _chain_use(
    source: ParsedSource, own: tuple[Piece, ...], outer: tuple[SelectorPart, ...], *, is_whole: bool, problem: str
) -> LocatorUse:
    first, last = own[0], own[-1]
    dialect = source.language.dialect
    parts = tuple(part for piece in own for part in piece.parts)
    clean = ".".join(piece.clean for piece in own)
    is_string = len(own) == 1 and (first.is_string or (_takes_selector(first) and first.literal is not None))
    return LocatorUse(
        source.file,
        LocatorKind.STRING if is_string else LocatorKind.CHAIN,
        None if problem else Selector(parts, dialect, clean),
        source.text[first.start : last.end].decode(),
        first.line,
        first.column,
        first.start,
        last.end,
        dialect,
        own,
        string_only=len(own) == 1 and first.is_string,
        outer=outer,
        is_whole=is_whole,
        problem=problem,
    )


def _ranges_of_arguments(source: ParsedSource, chain: CallChain) -> Iterator[tuple[int, int]]:
    is_python = source.language is Language.PYTHON
    for link in chain.links:
        makes = makes_locator(link.name, is_called=link.is_call, is_python=is_python)
        if link.arguments is not None and makes and camel(link.name) in ("locator", "filter", "and", "or"):
            yield link.arguments.start_byte, link.arguments.end_byte


def _constants(evaluator: Evaluator, source: ParsedSource) -> Iterator[LocatorUse]:
    """Texts that are kept under a name which says that they are selectors, though nothing in this file uses them."""
    for node in descend(source.root):
        if node.type not in _HOLDERS:
            continue
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is None or not is_string(value) or not _named_for_selectors(source, node):
            continue
        text = evaluator.value(source, value)
        if isinstance(text, Text) and _LIKE_A_SELECTOR.match(text.value):
            piece = string_piece(source, CallChain(value, (), value), text)
            if not piece.problem:
                yield _literal_use(source, text.place, piece, LocatorKind.CONSTANT)


def _named_for_selectors(source: ParsedSource, node: "Node") -> bool:
    """Its own name says so, or that of the object, enum or class it stands in, or that of the file."""
    at: Node | None = node
    while at is not None:
        if at.type in _HOLDERS or at.type in ("enum_declaration", "class_declaration", "class_definition"):
            names = [at.child_by_field_name(field) for field in ("name", "key", "left", "property")]
            if any(name is not None and _NAMED_FOR_IT.search(source.written(name)) for name in names):
                return True
        at = at.parent
    return _NAMED_FOR_IT.search(source.file.rpartition("/")[2]) is not None
