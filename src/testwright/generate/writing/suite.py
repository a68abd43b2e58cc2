"""Write a module's test file: group the cases, name the tests, and put the parts in order."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from testwright.generate.inside.case import Check, Relation
from testwright.generate.writing.draft import Draft, KnownUnits, WrittenCase, draft_of
from testwright.generate.writing.formatting import formatted
from testwright.generate.writing.functions import HELPERS, WrittenFunction, function_of
from testwright.generate.writing.grouping import grouped, without_repeats
from testwright.generate.writing.imports import WRITERS_OWN, ImportBook, Reference, UnknownName, references
from testwright.generate.writing.merging import within_limit
from testwright.generate.writing.naming import names_of
from testwright.generate.writing.style import ProjectStyle
from testwright.generate.writing.words import snake

__all__ = ["Dropped", "WrittenCase", "WrittenSuite", "compose_suite", "write_suite"]

MOST_TESTS = 60
_OWN_VARIABLES = ("result", "expected", "captured", "caught", "entered", "act", "error", "message")
_DEFAULT_STYLE = ProjectStyle()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A case that got no test, and why not."""

    written: WrittenCase
    reason: str


@dataclass(frozen=True, slots=True)
class WrittenSuite:
    text: str
    """The whole file; empty when no case could be written."""
    tests: tuple[str, ...]
    """Names of the test functions, in their order."""
    dropped: tuple[Dropped, ...] = ()


def write_suite(
    import_line: str,
    module_name: str,
    cases: Sequence[WrittenCase],
    *,
    line_length: int | None = None,
    style: ProjectStyle = _DEFAULT_STYLE,
) -> str:
    """The text of a pytest file for the cases; `line_length`, when given, goes before the style's."""
    return compose_suite(import_line, module_name, cases, line_length=line_length, style=style).text


def compose_suite(
    import_line: str,
    module_name: str,
    cases: Sequence[WrittenCase],
    *,
    line_length: int | None = None,
    style: ProjectStyle = _DEFAULT_STYLE,
) -> WrittenSuite:
    """The same with the names of the tests and what was left out. Units come in the order of their first case."""
    if line_length is not None:
        style = replace(style, line_length=line_length)
    drafts, dropped = _drafts(cases)
    if not drafts:
        return WrittenSuite("", (), tuple(dropped))
    plans = within_limit(grouped(drafts), MOST_TESTS, module_name)
    names = names_of(plans)
    wanted = [reference for draft in drafts for reference in references_of(draft)]
    # Variables keep clear of module names, and imported names keep clear of variables: so neither hides the other.
    roots = {*WRITERS_OWN, *(each.module.partition(".")[0] for each in wanted), *HELPERS}
    book = ImportBook(module_name, wanted, variable_names(drafts))
    functions = [
        function_of(name, plan, book, roots, style.line_length) for name, plan in zip(names, plans, strict=True)
    ]
    text = _file(import_line, module_name, book, functions, style)
    return WrittenSuite(text, tuple(names), tuple(dropped))


def _drafts(cases: Sequence[WrittenCase]) -> tuple[list[Draft], list[Dropped]]:
    known = KnownUnits.among(list(cases))
    drafts: list[Draft] = []
    dropped: list[Dropped] = []
    for written in _without_empty_talk(cases):
        if not written.checks:
            dropped.append(Dropped(written, "nothing was seen that a test could check"))
            continue
        try:
            draft = draft_of(written, known)
            list(references_of(draft))
        except SyntaxError as error:
            dropped.append(Dropped(written, f"an expression of it cannot be read: {error.msg}"))
        except UnknownName as error:
            dropped.append(Dropped(written, str(error)))
        else:
            drafts.append(draft)
    kept, repeated = without_repeats(drafts)
    dropped += [Dropped(draft.written, "the same as another case") for draft in repeated]
    return kept, dropped


def _without_empty_talk(cases: Sequence[WrittenCase]) -> list[WrittenCase]:
    """The cases without the check that nothing is returned, for units that never return anything and do something."""
    talkative = {
        written.case.unit
        for written in cases
        for check in written.checks
        if check.of == "result" and not _is_none(check)
    }
    shorter = []
    for written in cases:
        meaningful = tuple(check for check in written.checks if not _is_vacuous(check))
        others = tuple(check for check in meaningful if not _is_none(check))
        keeps_all = not others or written.case.unit in talkative
        shorter.append(replace(written, checks=meaningful if keeps_all else others))
    return shorter


def _is_vacuous(check: Check) -> bool:
    return check.relation is Relation.INSTANCE and check.expected == "object"  # everything is one


def _is_none(check: Check) -> bool:
    return check == Check("result", "{}", Relation.IDENTICAL, "None")


def references_of(draft: Draft) -> Iterable[Reference]:
    calls = [planned.callee for planned in (draft.subject, *draft.before, draft.action) if planned is not None]
    checks = [node for check in draft.checks for node in (check.path, check.expected)]
    nodes: list[ast.AST] = [*draft.setup, *calls, *(hole.node for hole in draft.holes.values()), *checks]
    for node in nodes:
        yield from references(node, draft.written.imports, given=draft.own_names)


def variable_names(drafts: Iterable[Draft]) -> frozenset[str]:
    names = set(_OWN_VARIABLES)
    for draft in drafts:
        names |= {hole.variable for hole in draft.holes.values()}
        names |= {f"{hole.variable}_" for hole in draft.holes.values()}
        names |= {snake(draft.owner), draft.subject_words}
    return frozenset(names)


def _file(
    import_line: str, module_name: str, book: ImportBook, functions: Sequence[WrittenFunction], style: ProjectStyle
) -> str:
    used = dict.fromkeys(helper for function in functions for helper in function.helpers)
    parts = [book.block(), *(HELPERS[helper] for helper in used), *(function.text for function in functions)]
    body = formatted("\n\n".join(filter(None, parts)), style)
    gap = "\n\n" if book.block() else "\n\n\n"
    # The import of the module under test is not formatted: whoever checks the file looks for exactly this line.
    return f"{_docstring(module_name, style.line_length)}\n\n{import_line}{gap}{body}"


def _docstring(module_name: str, line_length: int) -> str:
    whole = f'"""Tests for {module_name}, written by Testwright from the behaviour of the code."""'
    if len(whole) <= line_length:
        return whole
    return f'"""Tests for {module_name}.\n\nWritten by Testwright from the behaviour of the code.\n"""'
