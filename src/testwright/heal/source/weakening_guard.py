"""A guard: a patch of selectors may change selectors, and nothing that makes a test easier to pass."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import Arguments, CallChain, arguments_of, chains_in, descend
from testwright.heal.source.languages import Language, ParsedSource, read_as
from testwright.heal.source.locator_finder import find_locators
from testwright.heal.source.playwright_methods import camel

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_definition", "function_declaration", "method_definition"})
_CALLED = frozenset({"test", "it", "testWidgets"})
# The last two hold the values that checks compare with.
_EXPECTING = frozenset({"expect", "expectLater", "raises", "warns", "fail", "assert", "parametrize", "each"})
_ASSIGNMENTS = frozenset({"assignment", "variable_declarator", "initialized_variable_definition"})
_LITERALS = frozenset({"integer", "float", "number", "string", "template_string", "regex", "true", "false", "none"})
# What can keep a check from being reached; a rewrite has no business adding one.
_BRANCHES = frozenset({
    "if_statement", "conditional_expression", "ternary_expression", "switch_statement",
    "match_statement", "return_statement", "while_statement", "break_statement", "continue_statement",
    "function_declaration", "lambda",
})  # fmt: skip
_LONGEST = 200
_GUARDED = frozenset({"try_statement", "except_clause", "catch_clause"})
_SKIPPING = frozenset({"skip", "skipif", "skipIf", "fixme", "todo", "xfail", "fail", "only", "importorskip"})
_SKIPPED_TESTS = frozenset({"xit", "xtest", "xdescribe"})
_SWALLOWING = frozenset({"catch", "catchError", "suppress", "onError"})
_NARROWING = frozenset({"first", "last", "nth", "at"})
_WAITING = frozenset({"setTimeout", "waitForTimeout", "setDefaultTimeout", "setDefaultNavigationTimeout", "sleep"})
_LENIENT = frozenset({"force", "strict", "noWaitAfter", "ignoreCase", "skip", "retries"})
_NUMBER = re.compile(r"[\d_]+(?:\.\d+)?")


@dataclass
class _Facts:
    """What a file says, apart from where it looks for elements."""

    assertions: Counter[str] = field(default_factory=Counter)
    tests: int = 0
    guards: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    narrowed: int = 0
    leniency: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)  # all but the selectors, each with its line


def never_weaker(
    before: bytes, after: bytes, language: Language, *, replaced: tuple[int, int, int] | None = None
) -> tuple[str, ...]:
    """What `after` has that a patch of selectors must not have; nothing: it may pass. Both are whole files.

    `replaced`: where a selector is written that its file alone does not show to be one, such as a constant that tests
    elsewhere look for: its start, its end before, its end after, in bytes of UTF-8.
    """
    start, end, new_end = replaced or (0, 0, 0)
    old, new = _facts(before, language, (start, end)), _facts(after, language, (start, new_end))
    return tuple(dict.fromkeys((*_complaints(old, new), *_other_changes(old, new))))


def never_looser(before: bytes, after: bytes, language: Language) -> tuple[str, ...]:
    """What makes `after` easier to pass than `before`, where more than selectors may change. Both are whole files.

    Every check must still be there, word for word and in the same test: nothing shows here that another element or
    another value that a rewritten check would look at.
    """
    old, new = _facts(before, language), _facts(after, language)
    return tuple(dict.fromkeys((*missing_checks(before, after, language), *_looser(old, new))))


def _looser(old: _Facts, new: _Facts) -> Iterator[str]:
    if new.tests < old.tests:
        yield f"There were {old.tests} tests, and there would be {new.tests}."
    yield from _easier(old, new)
    if Counter(new.times) - Counter(old.times):
        yield "A time limit or a pause is new or longer."


def _complaints(old: _Facts, new: _Facts) -> Iterator[str]:
    for said, count in (old.assertions - new.assertions).items():
        yield f"An assertion is gone or is another one: {said} ({count} fewer)."
    for said, count in (new.assertions - old.assertions).items():
        yield f"An assertion is new or is another one: {said} ({count} more)."
    if old.tests != new.tests:
        yield f"There were {old.tests} tests, and there would be {new.tests}."
    yield from _easier(old, new)
    if len(new.times) != len(old.times) or any(a > b for a, b in zip(new.times, old.times, strict=False)):
        yield "A time limit is new, gone or longer."


def _easier(old: _Facts, new: _Facts) -> Iterator[str]:
    for said in new.guards - old.guards:
        yield f"An error could be swallowed: {said} is new."
    for said in new.skips - old.skips:
        yield f"A test could be left out: {said} is new."
    if new.narrowed > old.narrowed:
        yield "One of several matches would be picked by its position, which hides that there are several."
    for said in new.leniency - old.leniency:
        yield f"A check could be switched off: {said} is new."


def _other_changes(old: _Facts, new: _Facts) -> Iterator[str]:
    """Everything else that is not as it was, reported by its first line."""
    old_words, new_words = [word for word, _ in old.words], [word for word, _ in new.words]
    if old_words == new_words:
        return
    matcher = difflib.SequenceMatcher(None, old_words, new_words, autojunk=False)
    if len(old_words) * len(new_words) > 4_000_000:
        first = next((i for i, (a, b) in enumerate(zip(old_words, new_words, strict=False)) if a != b), 0)
    else:
        first = next(change[3] for change in matcher.get_opcodes() if change[0] != "equal")
    line = new.words[min(first, len(new.words) - 1)][1] if new.words else 1
    yield f"Something other than a selector changes at line {line}."


def _facts(data: bytes, language: Language, known: tuple[int, int] = (0, 0)) -> _Facts:
    source = read_as(data, language)
    facts = _Facts()
    uses = find_locators(data, source.file)
    selectors = _apart([(use.start, use.end) for use in uses if not use.is_dynamic], known)
    _note_words(facts, source, selectors)
    for node in descend(source.root):
        _note_node(facts, source, node)
    if language is Language.DART:
        _note_dart(facts, source)
    for chain in () if language is Language.DART else chains_in(source):
        _note_chain(facts, source, chain, selectors)
    return facts


def _apart(selectors: list[tuple[int, int]], known: tuple[int, int]) -> list[tuple[int, int]]:
    """The ranges in order, with `known` instead of what it overlaps."""
    start, end = known
    if start == end:
        return selectors
    return sorted([*(one for one in selectors if one[1] <= start or one[0] >= end), known])


def _note_words(facts: _Facts, source: ParsedSource, selectors: list[tuple[int, int]]) -> None:
    """Every token, with each selector as one."""
    waiting = [source.root]
    ranges = iter([*selectors, (len(source.text) + 1, len(source.text) + 1)])
    start, end = next(ranges)
    while waiting:
        node = waiting.pop()
        while node.start_byte >= end:
            start, end = next(ranges)
        if start <= node.start_byte and node.end_byte <= end:
            if node.start_byte == start:
                _add_word(facts, "a selector", node)
        elif node.children and node.type not in ("string", "template_string"):
            waiting.extend(reversed(node.children))
        elif _touches(node, start, end):
            _add_word(facts, "a selector", node)
        else:
            _add_word(facts, source.written(node), node)


def _touches(node: "Node", start: int, end: int) -> bool:
    return node.start_byte < end and start < node.end_byte


def _add_word(facts: _Facts, word: str, node: "Node") -> None:
    if word != "a selector" or not facts.words or facts.words[-1][0] != word:
        facts.words.append((word, node.start_point.row + 1))


def _note_node(facts: _Facts, source: ParsedSource, node: "Node") -> None:
    if node.type in _GUARDED:
        facts.guards[node.type.replace("_", " ")] += 1
    elif node.type == "assert_statement":
        facts.assertions["assert"] += 1
    elif node.type == "function_definition":
        name = node.child_by_field_name("name")
        facts.tests += name is not None and source.written(name).startswith("test")
    elif node.type in ("pair", "keyword_argument"):
        key = node.child_by_field_name("key") or node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if key is not None and value is not None:
            _note_option(facts, camel(source.written(key).strip("'\"")), source.written(value))


def _note_option(facts: _Facts, name: str, value: str) -> None:
    if name == "timeout" and _NUMBER.fullmatch(value):
        facts.times.append(float(value.replace("_", "")))
    elif name in _LENIENT:
        facts.leniency[f"{name}: {value}"] += 1


def _note_chain(facts: _Facts, source: ParsedSource, chain: CallChain, selectors: list[tuple[int, int]]) -> None:
    base = source.written(chain.base)
    names = [link.name for link in chain.links]
    if base == "expect" and len(names) > 1:
        last = chain.links[-1]
        given = arguments_of(source, last.arguments) if last.arguments is not None else None
        facts.assertions[".".join(("expect", *names[1:])) + _said_in_brackets(source, given, selectors)] += 1
    if base in ("test", "it") and names[:1] == [""]:
        facts.tests += 1
    if base in _SKIPPED_TESTS:
        facts.skips[base] += 1
    for link in chain.links:
        if link.name in _SWALLOWING:
            facts.guards[link.name] += 1
        elif link.name in _SKIPPING:
            facts.skips[f"{base}.{link.name}"] += 1
        elif link.name in _NARROWING:
            facts.narrowed += 1
        elif camel(link.name) in _WAITING and link.arguments is not None:
            facts.times.extend(float(n.replace("_", "")) for n in _NUMBER.findall(source.written(link.arguments)))
        elif link.name == "slow":
            facts.leniency["slow"] += 1


def _said_in_brackets(source: ParsedSource, given: Arguments | None, selectors: list[tuple[int, int]]) -> str:
    """A matcher's arguments, selectors left out."""
    if given is None:
        return "(...)"
    nodes = [*given.positional, *given.named.values()]
    kept = [node for node in nodes if not any(_touches(node, start, end) for start, end in selectors)]
    return f"({', '.join(' '.join(source.written(node).split()) for node in kept)})"


def _note_dart(facts: _Facts, source: ParsedSource) -> None:
    """Dart's chains are siblings and not nested, so its names are counted one by one."""
    for node in descend(source.root):
        if node.type != "identifier":
            continue
        name = source.written(node)
        if name in ("expect", "expectLater"):
            facts.assertions[name] += 1
        elif name in ("testWidgets", "test"):
            facts.tests += 1
        elif name in _SWALLOWING:
            facts.guards[name] += 1
        elif name == "skip":
            facts.skips[name] += 1
        elif name in _NARROWING:
            facts.narrowed += 1


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
