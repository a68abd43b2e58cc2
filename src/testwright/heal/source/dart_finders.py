"""Flutter's finders in Dart: `find.byKey(const Key('pay')).first`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import descend
from testwright.heal.source.call_pieces import AT_RUN_TIME, Computed
from testwright.heal.source.expression_values import Locator
from testwright.heal.source.languages import ParsedSource
from testwright.heal.source.literal_values import string_value
from testwright.heal.source.locator_uses import LocatorKind, LocatorUse, Piece
from testwright.model.errors import TestwrightError
from testwright.model.selector import Dialect, Selector, SelectorPart
from testwright.selectors.selector_parser import parse_selector

if TYPE_CHECKING:
    from tree_sitter import Node

_NARROWING = frozenset({"first", "last", "at"})
_DECLARATIONS = frozenset({"initialized_variable_definition", "static_final_declaration", "initialized_identifier"})


def find_finders(source: ParsedSource) -> tuple[LocatorUse, ...]:
    constants = _constants(source)
    return tuple(_use(source, _piece(source, nodes, constants)) for nodes in _finders(source))


def finders_at(source: ParsedSource, line: int) -> list[Locator]:
    """The finders that a line uses, written there or through a variable."""
    constants = _constants(source)
    found = [
        Locator((_piece(source, nodes, constants),), is_whole=True)
        for nodes in _finders(source)
        if nodes[0].start_point.row < line <= nodes[-1].end_point.row + 1
    ]
    for node in descend(source.root):
        if node.type == "identifier" and node.start_point.row == line - 1:
            value = constants.get(source.written(node), [])
            if value and source.written(value[0]) == "find":
                found.append(Locator((_piece(source, value, constants),), is_whole=True))
    return found


def _finders(source: ParsedSource) -> "Iterator[list[Node]]":
    """Each finder that is not part of another: `find` and the selectors after it, as long as they make a finder."""
    covered = 0
    for node in descend(source.root):
        is_find = node.type == "identifier" and node.start_byte >= covered and source.written(node) == "find"
        nodes = _with_selectors(source, node) if is_find else []
        if len(nodes) > 2:
            covered = nodes[-1].end_byte
            yield nodes


def _with_selectors(source: ParsedSource, find: "Node") -> "list[Node]":
    nodes = [find]
    at = find.next_named_sibling
    while at is not None and at.type == "selector":
        # `find.byKey(...)`: the name and its arguments; after that only what narrows the finder down.
        name = source.written(at).lstrip("?.")
        if len(nodes) > 2 and not at.named_children[0].type.startswith("argument") and name not in _NARROWING:
            break
        nodes.append(at)
        at = at.next_named_sibling
    return nodes


def _constants(source: ParsedSource) -> "dict[str, list[Node]]":
    """What names of the file stand for; those that are given two values are left out."""
    found: dict[str, list[Node]] = {}
    for node in descend(source.root):
        if node.type not in _DECLARATIONS:
            continue
        names = [child for child in node.named_children if child.type == "identifier"]
        if len(names) < 1:
            continue
        after = [child for child in node.named_children if child.start_byte > names[0].start_byte]
        name = source.written(names[0])
        found[name] = [] if name in found else after
    return found


def _piece(source: ParsedSource, nodes: "list[Node]", constants: "dict[str, list[Node]]") -> Piece:
    first, last = nodes[0], nodes[-1]
    written = source.text[first.start_byte : last.end_byte].decode()
    parts: tuple[SelectorPart, ...] = ()
    clean = problem = ""
    try:
        clean = _clean(source, nodes, constants, 0)
        parts = parse_selector(clean, Dialect.FLUTTER).parts
    except Computed:
        problem = AT_RUN_TIME
    except TestwrightError as error:
        problem = error.message
    return Piece(
        source.file,
        first.start_byte,
        last.end_byte,
        first.start_point.row + 1,
        source.column(first),
        written,
        (first.start_byte, last.end_byte),
        Dialect.FLUTTER,
        clean=clean,
        parts=parts,
        problem=problem,
    )


def _clean(source: ParsedSource, nodes: "list[Node]", constants: "dict[str, list[Node]]", depth: int) -> str:
    """The expression on one line, without comments, with names of the file replaced by what they stand for."""
    if depth > 10:
        raise Computed
    said: list[str] = []
    for leaf in (leaf for node in nodes for leaf in _leaves(node)):
        word = source.written(leaf)
        if leaf.type == "string_literal":
            if string_value(source, leaf) is None:
                raise Computed
        elif leaf.type == "identifier" and constants.get(word) and _is_name(leaf, said):
            word = _clean(source, constants[word], constants, depth + 1)
        if word == ")" and said and said[-1] == ", ":
            said.pop()
        said.append({"const": "const ", "new": "new ", ",": ", ", ":": ": "}.get(word, word))
    return "".join(said)


def _is_name(leaf: "Node", said: list[str]) -> bool:
    """It is not a member of something, and not the label of an argument."""
    return said[-1:] != ["."] and not (leaf.parent is not None and leaf.parent.type == "label")


def _leaves(node: "Node") -> "Iterator[Node]":
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if "comment" in at.type:
            continue
        if at.type == "string_literal" or not at.children:
            yield at
        else:
            waiting.extend(reversed(at.children))


def _use(source: ParsedSource, piece: Piece) -> LocatorUse:
    use = LocatorUse(
        source.file,
        LocatorKind.FINDER,
        Selector(piece.parts, Dialect.FLUTTER, piece.clean),
        piece.written,
        piece.line,
        piece.column,
        piece.start,
        piece.end,
        Dialect.FLUTTER,
        (piece,),
    )
    return replace(use, selector=None, problem=piece.problem) if piece.problem else use
