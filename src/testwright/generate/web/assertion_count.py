"""How many things a test file checks, counted on its syntax tree: a comment that says `expect(` checks nothing."""

from typing import TYPE_CHECKING

from testwright.generate.web.syntax_trees import root_of, walk, written

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = frozenset({"call_expression", "call"})
_MEMBERS = frozenset({"member_expression", "attribute"})
_CHAINED = frozenset({"not", "resolves", "rejects"})
_EXPECTING = frozenset({"expect", "expect.soft", "expect.poll"})
_ASSERTING = frozenset({"pytest.raises", "pytest.fail"})


def assertions_in(text: str, language: str) -> int:
    """Checks in a text of `typescript`, `tsx`, `javascript` or `python`.

    One for each `expect(...)` with a matcher that is called, and in Python for each `assert` and `pytest.raises`.
    """
    return sum(_is_assertion(node) for node in walk(root_of(text, language)))


def _is_assertion(node: "Node") -> bool:
    if node.type == "assert_statement":
        return True
    if node.type not in _CALLS:
        return False
    called = node.child_by_field_name("function")
    return called is not None and (_is_matcher(called) or written(called) in _ASSERTING)


def _is_matcher(called: "Node") -> bool:
    """`expect(x).toBe`, `expect(x).not.toBe`: a member of what `expect` gives, past words that only link."""
    if called.type not in _MEMBERS:
        return False
    at = called.child_by_field_name("object")
    while at is not None and at.type in _MEMBERS and _name(at) in _CHAINED:
        at = at.child_by_field_name("object")
    if at is None or at.type not in _CALLS:
        return False
    return written(at.child_by_field_name("function")) in _EXPECTING


def _name(member: "Node") -> str:
    return written(member.child_by_field_name("property") or member.child_by_field_name("attribute"))
