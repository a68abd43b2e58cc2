"""One call of a chain, read: what it says on one clean line, and what it adds to the selector."""

from typing import TYPE_CHECKING, Protocol

from testwright.heal.source.call_chains import CallChain, ChainLink, arguments_of, unwrapped
from testwright.heal.source.expression_values import CodeEntity, EntityKind, Locator, Text, Value, Verbatim
from testwright.heal.source.languages import ParsedSource
from testwright.heal.source.locator_uses import LiteralPlace, Piece
from testwright.model.errors import TestwrightError
from testwright.model.selector import Dialect, SelectorPart
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import literal

if TYPE_CHECKING:
    from tree_sitter import Node

_BEFORE = "locator('x')."  # a call that narrows something down needs something before it

AT_RUN_TIME = "it is put together at run time"


class NodeEvaluator(Protocol):
    def value(self, source: ParsedSource, node: "Node") -> Value: ...


class Computed(Exception):
    """An argument that is only known at run time."""


def call_piece(evaluator: NodeEvaluator, source: ParsedSource, chain: CallChain, link: ChainLink) -> Piece:
    dialect = source.language.dialect
    parts: tuple[SelectorPart, ...] = ()
    clean, place, problem = "", None, ""
    try:
        clean, place = _clean_call(evaluator, source, link)
        parts = parse_selector(_BEFORE + clean, dialect).parts[1:]
    except Computed:
        problem = AT_RUN_TIME
    except TestwrightError as error:
        problem = error.message
    return Piece(
        source.file,
        link.start,
        link.end,
        link.line,
        link.column,
        source.text[link.start : link.end].decode(),
        (chain.node.start_byte, chain.node.end_byte),
        dialect,
        clean=clean,
        parts=parts,
        literal=place,
        problem=problem,
    )


def string_piece(source: ParsedSource, chain: CallChain, text: Text) -> Piece:
    """A text that a method takes as a selector."""
    place = text.place
    parts: tuple[SelectorPart, ...] = ()
    problem = ""
    try:
        parts = parse_selector(text.value, Dialect.INTERNAL).parts
    except TestwrightError as error:
        problem = error.message
    return Piece(
        place.file,
        place.start,
        place.end,
        place.line,
        place.column,
        place.written,
        (chain.node.start_byte, chain.node.end_byte),
        source.language.dialect,
        parts=parts,
        literal=place,
        is_string=True,
        problem=problem,
    )


def unknown_piece(source: ParsedSource, chain: CallChain, node: "Node") -> Piece:
    """A text that is put together at run time."""
    return Piece(
        source.file,
        node.start_byte,
        node.end_byte,
        node.start_point.row + 1,
        source.column(node),
        source.written(node),
        (chain.node.start_byte, chain.node.end_byte),
        source.language.dialect,
        is_string=True,
        problem=AT_RUN_TIME,
    )


def _clean_call(evaluator: NodeEvaluator, source: ParsedSource, link: ChainLink) -> tuple[str, LiteralPlace | None]:
    if link.arguments is None:
        return link.name, None
    given = arguments_of(source, link.arguments)
    if given is None:
        raise Computed
    said = [_clean(evaluator, source, node, 0) for node in given.positional]
    said += [f"{name}={_clean(evaluator, source, node, 0)}" for name, node in given.named.items()]
    first = next(iter((*given.positional, *given.named.values())), None)
    value = evaluator.value(source, first) if first is not None else None
    place = value.place if isinstance(value, Text) else None
    return f"{link.name}({', '.join(said)})", place


def _clean(evaluator: NodeEvaluator, source: ParsedSource, node: "Node", depth: int) -> str:
    if depth > 20:
        raise Computed
    value = evaluator.value(source, unwrapped(node))
    if isinstance(value, Text):
        return literal(value.value, source.language.dialect)
    if isinstance(value, Verbatim):
        return value.written
    if isinstance(value, Locator) and not value.problem:
        return ".".join(("page", *(piece.clean for piece in value.pieces)))
    if isinstance(value, CodeEntity) and value.kind is EntityKind.TABLE and value.node.type == "object":
        return _clean_object(evaluator, value.source, value.node, depth)
    raise Computed


def _clean_object(evaluator: NodeEvaluator, source: ParsedSource, node: "Node", depth: int) -> str:
    entries = []
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type == "shorthand_property_identifier":
            entries.append(f"{source.written(child)}: {_clean(evaluator, source, child, depth + 1)}")
            continue
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type != "pair" or key is None or value is None or key.type == "computed_property_name":
            raise Computed
        entries.append(f"{source.written(key)}: {_clean(evaluator, source, value, depth + 1)}")
    return f"{{ {', '.join(entries)} }}" if entries else "{}"
