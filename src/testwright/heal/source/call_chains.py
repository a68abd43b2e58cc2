"""Chains of calls such as `page.locator('#x').first().click()`, the same to look at in TypeScript and Python."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.heal.source.languages import Language, ParsedSource
from testwright.heal.source.literal_values import is_string, string_value

if TYPE_CHECKING:
    from tree_sitter import Node

# What may stand around an expression without changing what it is.
WRAPPERS = frozenset({
    "parenthesized_expression", "await_expression", "await", "non_null_expression", "as_expression",
    "satisfies_expression",
})  # fmt: skip
_CALLS = frozenset({"call_expression", "call"})
_MEMBERS = frozenset({"member_expression", "attribute"})
_SUBSCRIPTS = frozenset({"subscript_expression", "subscript"})


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One step of a chain: `.name`, `.name(arguments)`, or `(arguments)` right after what the chain starts with."""

    name: str
    start: int  # of the name
    end: int
    line: int  # of the name, from 1
    column: int
    arguments: "Node | None" = None

    @property
    def is_call(self) -> bool:
        return self.arguments is not None


@dataclass(frozen=True, slots=True)
class CallChain:
    base: "Node"
    links: tuple[ChainLink, ...]
    node: "Node"  # all of it

    def covers(self, line: int) -> bool:
        return self.node.start_point.row < line <= self.node.end_point.row + 1


@dataclass(frozen=True, slots=True)
class Arguments:
    positional: "tuple[Node, ...]"
    named: "dict[str, Node]"


def unwrapped(node: "Node") -> "Node":
    while node.type in WRAPPERS:
        inside = next((child for child in node.named_children if child.type != "comment"), None)
        if inside is None:
            break
        node = inside
    return node


def is_chain(node: "Node") -> bool:
    return node.type in _CALLS or node.type in _MEMBERS or node.type in _SUBSCRIPTS


def chain_of(source: ParsedSource, node: "Node") -> CallChain:
    """The chain that ends with `node`; any other expression is a chain without links."""
    links: list[ChainLink] = []
    at = unwrapped(node)
    while True:
        step = _step(source, at)
        if step is None:
            break
        link, before = step
        links.append(link)
        at = unwrapped(before)
    return CallChain(at, tuple(reversed(links)), node)


def _step(source: ParsedSource, node: "Node") -> "tuple[ChainLink, Node] | None":
    """The last link of `node`, and what stands before it."""
    if node.type in _CALLS:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.type not in ("arguments", "argument_list"):
            return None  # a tagged template, or a generator as the only argument
        member = _member(source, function)
        if member is None:
            line, column = arguments.start_point.row + 1, source.column(arguments)
            return ChainLink("", arguments.start_byte, node.end_byte, line, column, arguments), function
        link, before = member
        return ChainLink(link.name, link.start, node.end_byte, link.line, link.column, arguments), before
    return _member(source, node)


def _member(source: ParsedSource, node: "Node") -> "tuple[ChainLink, Node] | None":
    name: Node | None
    if node.type in _MEMBERS:
        name = node.child_by_field_name("property") or node.child_by_field_name("attribute")
        before = node.child_by_field_name("object")
        said = source.written(name) if name is not None else None
    elif node.type in _SUBSCRIPTS:
        name = node.child_by_field_name("index") or node.child_by_field_name("subscript")
        before = node.child_by_field_name("object") or node.child_by_field_name("value")
        said = string_value(source, name) if name is not None and is_string(name) else None
    else:
        return None
    if name is None or before is None or said is None:
        return None
    return ChainLink(said, name.start_byte, node.end_byte, name.start_point.row + 1, source.column(name)), before


def descend(node: "Node") -> "Iterator[Node]":
    """`node` and every named node below it, in the order they are written; without recursion."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(reversed(at.named_children))


def chains_in(source: ParsedSource, node: "Node | None" = None) -> Iterator[CallChain]:
    """Every chain that is not the beginning of a longer one."""
    inner: set[int] = set()
    for at in descend(node or source.root):
        if not is_chain(at) or at.id in inner:
            continue
        chain = chain_of(source, at)
        if not chain.links:
            continue
        inner.update(_beginnings(at, chain.base))
        yield chain


def _beginnings(node: "Node", base: "Node") -> Iterator[int]:
    at: Node | None = node
    while at is not None and at.id != base.id:
        yield at.id
        if at.type in WRAPPERS:
            at = next((child for child in at.named_children if child.type != "comment"), None)
        else:
            fields = ("function", "object", "value")
            at = next((below for field in fields if (below := at.child_by_field_name(field)) is not None), None)


def arguments_of(source: ParsedSource, arguments: "Node") -> Arguments | None:
    """None: some of them are only known at run time (`...more`, `*more`, `**more`)."""
    positional: list[Node] = []
    named: dict[str, Node] = {}
    for node in arguments.named_children:
        if node.type == "comment":
            continue
        if node.type in ("spread_element", "list_splat", "dictionary_splat"):
            return None
        if node.type == "keyword_argument" and source.language is Language.PYTHON:
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                named[source.written(name)] = value
            continue
        positional.append(node)
    return Arguments(tuple(positional), named)
