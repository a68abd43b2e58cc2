"""The checks of a test file, word for word: what a rewritten test must still say."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import chains_in, descend
from testwright.heal.source.languages import Language, ParsedSource, read_as
from testwright.heal.source.locator_finder import find_locators

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_definition", "function_declaration", "method_definition"})
_CALLED = frozenset({"test", "it", "testWidgets"})
# The last two hold the values that checks compare with.
_EXPECTING = frozenset({"expect", "expectLater", "raises", "warns", "fail", "assert", "parametrize", "each"})
_ASSIGNMENTS = frozenset({"assignment", "variable_declarator", "initialized_variable_definition"})
_LITERALS = frozenset({"integer", "float", "number", "string", "template_string", "regex", "true", "false", "none"})
# What can keep a check from being reached; a rewrite has no business adding one.
_BRANCHES = frozenset(
    {
        "if_statement",
        "conditional_expression",
        "ternary_expression",
        "switch_statement",
        "match_statement",
        "return_statement",
        "while_statement",
        "break_statement",
        "continue_statement",
        "function_declaration",
        "lambda",
    }
)
_LONGEST = 200


def missing_checks(before: bytes, after: bytes, language: Language) -> Iterator[str]:
    """What `after` no longer checks, or might not reach, in sentences."""
    old, new = read_as(before, language), read_as(after, language)
    old_checks, new_checks = _checks(old), _checks(new)
    for (where, said), count in (old_checks - new_checks).items():
        place = f" in {where}" if where else ""
        yield f"A check is gone or is another one: {said[:_LONGEST]}{place} ({count} fewer)."
    for said in _values(old, before) - _values(new, after):
        yield f"A value that checks may rest on is gone: {said[:_LONGEST]}."
    for kind, count in (_branches(new) - _branches(old)).items():
        yield f"A check could be left out: {kind.replace('_', ' ')} is new ({count} more)."


def _checks(source: ParsedSource) -> Counter[tuple[str, str]]:
    """Each check with the test it stands in."""
    found: Counter[tuple[str, str]] = Counter()
    for node in descend(source.root):
        if node.type in ("assert_statement", "assertion"):
            found[_test_around(source, node), _said(source, node)] += 1
    for chain in chains_in(source):
        names = {source.written(chain.base), *(link.name for link in chain.links)}
        if names & _EXPECTING or any(name.startswith("assert") for name in names):
            found[_test_around(source, chain.node), _said(source, chain.node)] += 1
    return found


def _branches(source: ParsedSource) -> Counter[str]:
    return Counter(node.type for node in descend(source.root) if node.type in _BRANCHES)


def _test_around(source: ParsedSource, node: "Node") -> str:
    """The name of the function around it, or the title of the test it is an argument of."""
    at = node.parent
    while at is not None:
        if at.type in _FUNCTIONS:
            name = at.child_by_field_name("name")
            return source.written(name) if name is not None else ""
        if at.type == "call_expression":
            called = at.child_by_field_name("function")
            given = at.child_by_field_name("arguments")
            if called is not None and given is not None and source.written(called).partition(".")[0] in _CALLED:
                title = given.named_children[0] if given.named_children else None
                return source.written(title)[:_LONGEST] if title is not None else ""
        at = at.parent
    return ""


def _said(source: ParsedSource, node: "Node") -> str:
    return " ".join(source.written(node).split())


def _values(source: ParsedSource, data: bytes) -> Counter[str]:
    """Literals that are given a name, selectors apart: a check may compare with the name."""
    selectors = [(use.start, use.end) for use in find_locators(data, source.file)]
    found: Counter[str] = Counter()
    for assigned in descend(source.root):
        if assigned.type in _ASSIGNMENTS:
            for node in descend(assigned):
                is_selector = any(node.start_byte < end and start < node.end_byte for start, end in selectors)
                if node.type in _LITERALS and not is_selector:
                    found[_said(source, node)] += 1
    return found
