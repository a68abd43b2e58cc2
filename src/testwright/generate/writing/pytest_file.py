"""Write a module's test file: group the cases, name the tests, and put the parts in order."""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from testwright.generate.inside.generated_case import Check, Relation, Use
from testwright.generate.writing.argument_tables import with_built_arguments, with_shared_tables
from testwright.generate.writing.case_groups import FunctionPlan, grouped, without_repeats
from testwright.generate.writing.draft import UNIT_CONSTRUCTOR, CaseDraft, ChosenCase, KnownUnits, draft_of
from testwright.generate.writing.expression_trees import literal_of, parse
from testwright.generate.writing.function_names import names_of
from testwright.generate.writing.functions import HELPERS, fixture_function, function_of
from testwright.generate.writing.import_book import WRITERS_OWN, ImportBook, Reference, UnknownName, references
from testwright.generate.writing.name_words import snake
from testwright.generate.writing.several_calls import SeveralCalls, within_limit
from testwright.generate.writing.shared_setup import can_be_a_fixture, fixtures_of, made_classes, subject_text
from testwright.generate.writing.source_layout import formatted
from testwright.generate.writing.style import ProjectStyle

_NOTHING_RETURNED = Check("result", "{}", Relation.IDENTICAL, "None")
# The builtin that the test calls instead already demands the type.
_ALWAYS_OF_ONE_TYPE = (".__len__", ".__str__", ".__repr__", ".__hash__", ".__bool__")
__all__ = ["ChosenCase", "Dropped", "WrittenSuite", "compose_suite"]

MOST_TESTS = 60
_REPEATED = "the same as another case"
_OWN_VARIABLES = ("result", "expected", "captured", "caught", "entered", "args", "kwargs", "message")
_DEFAULT_STYLE = ProjectStyle()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A case that got no test, and why not."""

    written: ChosenCase
    reason: str


@dataclass(frozen=True, slots=True)
class WrittenSuite:
    text: str  # the whole file; empty when no case could be written
    tests: tuple[str, ...]  # names of the test functions, in their order
    dropped: tuple[Dropped, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the cases that were lost; a repeated one is not."""
        lost = [each for each in self.dropped if each.reason != _REPEATED]
        return tuple(dict.fromkeys(f"{each.written.case.unit}: a case was left out: {each.reason}" for each in lost))


def compose_suite(
    import_line: str,
    module_name: str,
    cases: Sequence[ChosenCase],
    *,
    line_length: int | None = None,
    style: ProjectStyle = _DEFAULT_STYLE,
) -> WrittenSuite:
    """A pytest file for the cases, with units in the order of their first case.

    `line_length`, when given, goes before the style's.
    """
    if line_length is not None:
        style = replace(style, line_length=line_length)
    drafts, dropped = _drafts(cases)
    if not drafts:
        return WrittenSuite("", (), tuple(dropped))
    in_tables = with_built_arguments(grouped(drafts), KnownUnits.among(list(cases)))
    plans = within_limit(with_shared_tables(in_tables, MOST_TESTS), MOST_TESTS, module_name)
    names = names_of(plans)
    wanted = [reference for draft in drafts for reference in references_of(draft)]
    # Variables keep clear of module names, and imported names keep clear of variables: so neither hides the other.
    roots = {*WRITERS_OWN, *(each.module.partition(".")[0] for each in wanted), *HELPERS}
    book = ImportBook(module_name, wanted, variable_names(drafts))
    classes = made_classes(drafts, book, variable_names(drafts) | {each.member for each in wanted})
    book.stand_ins |= {made.expression: made.name for made in classes}
    parts = [made.definition for made in classes]
    parts += _functions(names, plans, book, roots, style.line_length)
    return WrittenSuite(_file(import_line, module_name, book, parts, style), tuple(names), tuple(dropped))


def _functions(
    names: Sequence[str],
    plans: Sequence[FunctionPlan | SeveralCalls],
    book: ImportBook,
    reserved: Collection[str],
    line_length: int,
) -> list[str]:
    """The tests, and before them what they call or ask for."""
    fixtures = fixtures_of(plans)
    chosen = [_fixture_for(plan, fixtures) for plan in plans]
    functions = [
        function_of(name, plan, book, reserved, line_length, fixture=fixture)
        for name, plan, fixture in zip(names, plans, chosen, strict=True)
    ]
    givers = {
        fixture: fixture_function(fixture, plan.drafts[0], book)
        for plan, fixture in zip(plans, chosen, strict=True)
        if fixture
    }
    helpers = dict.fromkeys(helper for function in functions for helper in function.helpers)
    return [*(HELPERS[helper] for helper in helpers), *givers.values(), *(function.text for function in functions)]


def _drafts(cases: Sequence[ChosenCase]) -> tuple[list[CaseDraft], list[Dropped]]:
    known = KnownUnits.among(list(cases))
    drafts: list[CaseDraft] = []
    dropped: list[Dropped] = []
    for written in with_telling_checks(cases):
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
    dropped += [Dropped(draft.written, _REPEATED) for draft in repeated]
    return kept, dropped


def references_of(draft: CaseDraft) -> Iterable[Reference]:
    calls = [planned.callee for planned in (draft.subject, *draft.before, draft.action) if planned is not None]
    checks = [node for check in draft.checks for node in (check.path, check.expected)]
    nodes: list[ast.AST] = [*draft.setup, *calls, *(hole.node for hole in draft.holes.values()), *checks]
    for node in nodes:
        yield from references(node, draft.written.imports, given=draft.own_names)


def variable_names(drafts: Iterable[CaseDraft]) -> frozenset[str]:
    names = set(_OWN_VARIABLES)
    for draft in drafts:
        names |= {hole.variable for hole in draft.holes.values()}
        names |= {f"{hole.variable}_" for hole in draft.holes.values()}
        names |= {snake(draft.owner), draft.subject_words}
    return frozenset(names)


def _fixture_for(plan: FunctionPlan | SeveralCalls, fixtures: Mapping[str, str]) -> str:
    return (
        fixtures.get(subject_text(plan.first), "") if isinstance(plan, FunctionPlan) and can_be_a_fixture(plan) else ""
    )


def _file(import_line: str, module_name: str, book: ImportBook, texts: Sequence[str], style: ProjectStyle) -> str:
    body = formatted("\n\n".join(filter(None, [book.block(), *texts])), style)
    gap = "\n\n" if book.block() else "\n\n\n"
    # The import of the module under test is not formatted: the import gate looks for exactly this line.
    return f"{_docstring(module_name, style.line_length)}\n\n{import_line}{gap}{body}"


def _docstring(module_name: str, line_length: int) -> str:
    whole = f'"""Tests for {module_name}, written by Testwright from the behaviour of the code."""'
    if len(whole) <= line_length:
        return whole
    return f'"""Tests for {module_name}.\n\nWritten by Testwright from the behaviour of the code.\n"""'


def with_telling_checks(cases: Sequence[ChosenCase]) -> list[ChosenCase]:
    """The cases, without checks that are true of everything or follow from another check of the same case."""
    talkative = {
        written.case.unit
        for written in cases
        for check in written.checks
        if check.of == "result" and check != _NOTHING_RETURNED
    }
    return [replace(written, checks=_telling(written, talkative)) for written in cases]


def _telling(written: ChosenCase, talkative: set[str]) -> tuple[Check, ...]:
    checks = [check for check in written.checks if not _is_of_everything(check)]
    kept = [check for check in checks if not _goes_without_saying(check, checks, written)] or checks
    others = [check for check in kept if check != _NOTHING_RETURNED]
    # That nothing is returned is not news of a unit that never returns anything and does something else.
    return tuple(kept if written.case.unit in talkative else others or kept)


def _is_of_everything(check: Check) -> bool:
    return check.relation is Relation.INSTANCE and check.expected == "object"


def _goes_without_saying(check: Check, checks: Sequence[Check], written: ChosenCase) -> bool:
    """Whether a check of the type adds nothing to what is said besides."""
    if check.relation is not Relation.INSTANCE or check.path != "{}":
        return False
    if check.of == "subject":  # calling a method does not change the class of its object
        return any(other.of == "subject" for other in checks if other is not check)
    if check.of != "result":
        return False
    about_result = [other for other in checks if other.of == "result" and other is not check]
    if written.unit_kind == UNIT_CONSTRUCTOR and written.case.use is Use.CALL:
        return bool(about_result) and written.case.action.callee == check.expected
    whole = next((other for other in about_result if other.path == "{}" and other.relation is Relation.EQUAL), None)
    if whole is None:
        return False
    return written.case.unit.endswith(_ALWAYS_OF_ONE_TYPE) or _has_a_fraction(whole.expected)


def _has_a_fraction(expression: str) -> bool:
    """Whether it is a number like 1.5, which nothing but a float is likely to equal."""
    try:
        value = literal_of(parse(expression))
    except SyntaxError:
        return False
    return isinstance(value, float) and not value.is_integer()
