"""A plan as a unit test for Vitest or Jest."""

from dataclasses import replace

from testwright.generate.web.assertion_count import assertions_in
from testwright.generate.web.code_literals import one_line, text
from testwright.generate.web.recorded_constants import recorded_lines, socket_lines
from testwright.generate.web.unit.approach import Approach, Level, approach_to
from testwright.generate.web.unit.import_style import NEEDS_FLAG, ImportStyle, import_style_of
from testwright.generate.web.unit.mounted_page import MountedPage, mounted_page_for
from testwright.generate.web.unit.page_fragment import MOST_ELEMENTS, no_page, page_lines
from testwright.generate.web.unit.runner_calls import RunnerCalls
from testwright.generate.web.unit.script_module import Module
from testwright.generate.web.unit.source_access import ProjectSources
from testwright.generate.web.unit.unit_facts import UnitTestFacts
from testwright.generate.web.unit.unit_text import UnitTestText
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.generate.web.web_plan_builder import PageOf
from testwright.model.errors import ReproNotPossible
from testwright.model.selector import Dialect

_TS = Dialect.TYPESCRIPT


def write_unit_test(
    plan: WebPlan,
    runner: RunnerCalls,
    sources: ProjectSources,
    polarity: Polarity = Polarity.GUARD,
    pages: PageOf = no_page,
    folder: str = "tests",
) -> WrittenTest:
    """The best unit test that the error's stack allows. Where that is none: a file that says why, and a `todo`.

    `folder` is where the file will lie, from the project's root: what it imports depends on that.
    Raises ReproNotPossible for what Jest cannot pass: a rejected promise that nothing waits for.
    """
    approach = approach_to(plan, sources)
    stage = mounted_page_for(plan, approach, pages)
    approach = _checked(approach, stage)
    module = Module(approach.module, sources.read(approach.module)) if approach.module else None
    loading = import_style_of(module, runner, sources.customs)
    if loading.reason:
        approach = replace(approach, level=Level.TODO, reason=loading.reason)
        loading = import_style_of(None, runner, sources.customs)
    if approach.level is Level.PROMISE and not runner.allows_rejections and polarity is not Polarity.GUARD:
        raise ReproNotPossible(
            f"A {polarity.value} test of {plan.error.error_id if plan.error else 'this'} is not possible in Jest: "
            "nobody waits for the promise that is rejected, and Jest fails any test in which that happens.",
            next_step="Ask for a guard, or for another framework: vitest, playwright.",
        )
    facts = UnitTestFacts(plan, runner, polarity, approach, stage, loading, folder)
    is_todo = approach.level is Level.TODO
    content = _todo(facts) if is_todo else UnitTestText(facts).file()
    return WrittenTest(
        runner.framework,
        f"{plan.slug}{'-repro' if polarity is Polarity.REPRO else ''}{sources.customs.test_infix}.{loading.ending}",
        content,
        () if is_todo else facts.selectors,
        assertions_in(content, "typescript" if loading.is_typed else "javascript"),
        approach.level.value,
        _notes(plan, approach, stage, loading),
        uses_mocks=bool(plan.mocks) and not is_todo,
        uses_state=facts.uses_state and not is_todo,
    )


def _checked(approach: Approach, stage: MountedPage) -> Approach:
    """An action needs an element to happen to."""
    if approach.level in (Level.TODO, Level.MODULE) or not approach.acts or stage.reaches_last:
        return approach
    reason = "the element of the last action could not be found again in the page that was kept"
    if not stage.is_kept:
        reason = "the page before the last action was not kept"
    return replace(approach, level=Level.TODO, reason=reason)


def _notes(plan: WebPlan, approach: Approach, stage: MountedPage, loading: ImportStyle) -> tuple[str, ...]:
    found = list(plan.notes)
    if approach.level is Level.TODO:
        return (*found, f"No unit test could be written: {approach.reason}.")
    if loading.needs_flag:
        found.append(NEEDS_FLAG)
    if approach.level is not Level.MODULE and stage.left_out:
        found.append(f"{stage.left_out} of the earlier actions could not be repeated here; the error may need them.")
    if stage.fragment.is_cut:
        found.append(f"The page is larger than {MOST_ELEMENTS} elements; the test holds a part of it.")
    return tuple(found)


def _todo(facts: UnitTestFacts) -> str:
    """The reason, and what was recorded, for the person who writes the test by hand."""
    lines = [
        *UnitTestText(facts).head(),
        f"// TODO: no unit test could be written: {one_line(facts.approach.reason)}.",
        "// What was recorded is below. A Playwright test needs none of this.",
        *facts.runner.todo_imports,
    ]
    sections = ["\n".join(lines)]
    if facts.stage.fragment.lines:
        sections.append("\n".join(page_lines(facts.stage.fragment)))
    if facts.plan.mocks:
        sections.append("\n".join(recorded_lines(facts.plan.mocks, facts.type_name("any[]"))))
    if facts.plan.sockets:
        sections.append("\n".join(socket_lines(facts.plan.sockets, facts.type_name("any"))))
    sections.append(f"test.todo({text(facts.plan.title, _TS)});")
    return "\n\n".join(sections) + "\n"
