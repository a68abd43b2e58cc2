"""The order in which a test asks to be healed: `// testwright:heal-strategy=byRole,byText`."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import chain_of, descend
from testwright.heal.source.languages import Language, ParsedSource, read_as
from testwright.model.heal import Strategy
from testwright.model.untrusted_text import visible_line

if TYPE_CHECKING:
    from tree_sitter import Node

_ASKS = re.compile(r"(?:testwright|koder):heal-strategy=([^\s*]*)")
_TESTS = frozenset({"test", "it", "testWidgets", "testUI"})
_GROUPS = frozenset({"describe", "beforeEach", "afterEach", "beforeAll", "afterAll", "step"})
_NAMES = {strategy.value.lower(): strategy for strategy in Strategy}


@dataclass(frozen=True, slots=True)
class UnknownStrategy:
    """A comment that asks for something there is not; `complaint` is a sentence for a person."""

    complaint: str


def strategy_order(data: bytes, language: Language, test_line: int) -> tuple[Strategy, ...] | UnknownStrategy | None:
    """What the comment inside or directly above the test at that line asks for; None: there is none."""
    source = read_as(data, language)
    first, end = _extent(source, test_line)
    comments = sorted(
        (node for node in descend(source.root) if "comment" in node.type), key=lambda node: node.start_byte
    )
    above = first
    for node in reversed(comments):  # a block of comments that ends right above the test belongs to it
        if node.end_point.row + 1 == above - 1 and _stands_alone(source, node):
            above = node.start_point.row + 1
    for node in comments:
        asked = _ASKS.search(source.written(node))
        if asked is not None and above <= node.start_point.row + 1 and node.start_byte < end:
            return _order(asked[1], node.start_point.row + 1)
    return None


def _order(asked: str, line: int) -> tuple[Strategy, ...] | UnknownStrategy:
    names = [name for name in asked.split(",") if name]
    unknown = [name for name in names if name.lower() not in _NAMES]
    if unknown or not names:
        known = ", ".join(Strategy)
        named = visible_line(unknown[0], limit=80) if unknown else "nothing"
        return UnknownStrategy(f"Line {line} asks for the heal strategy {named}; there are {known}.")
    return tuple(dict.fromkeys(_NAMES[name.lower()] for name in names))


def _stands_alone(source: ParsedSource, comment: "Node") -> bool:
    """Only white space is before it on its line: it is not a comment on code."""
    line_start = source.text.rfind(b"\n", 0, comment.start_byte) + 1
    return not source.text[line_start : comment.start_byte].removeprefix(b"\xef\xbb\xbf").strip()


def _extent(source: ParsedSource, line: int) -> tuple[int, int]:
    """The first line and the last byte of the smallest test around a line; nothing where there is none."""
    found = (line, 0)
    for node in descend(source.root):
        if not node.start_point.row < line <= node.end_point.row + 1:
            continue
        if _is_test(source, node):
            found = (node.start_point.row + 1, node.end_byte)
    return found


def _is_test(source: ParsedSource, node: "Node") -> bool:
    if source.language is Language.PYTHON:
        return _is_python_test(source, node)
    if source.language is Language.DART:
        first = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        return first is not None and source.written(first) in _TESTS
    if node.type != "call_expression":
        return False
    chain = chain_of(source, node)
    is_group = any(link.name in _GROUPS for link in chain.links)
    return source.written(chain.base) in _TESTS and not is_group and chain.links[-1].is_call


def _is_python_test(source: ParsedSource, node: "Node") -> bool:
    """A test with its decorators, if it has any."""
    if node.type == "decorated_definition":
        node = node.child_by_field_name("definition") or node
    elif node.parent is not None and node.parent.type == "decorated_definition":
        return False
    name = node.child_by_field_name("name")
    return node.type == "function_definition" and name is not None and source.written(name).startswith("test")
