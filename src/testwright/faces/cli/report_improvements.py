"""`testwright report improvements`: for each failure of a run, what to do about it and who does it."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.faces.cli.standard_output import print_json, when
from testwright.faces.cli.stored_run import chosen_run, is_newest
from testwright.faces.cli.verdict_view import verdict_words
from testwright.model.case import TestId
from testwright.model.proposal import ProposalStatus
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.pipeline.improving.analysed_runs import analysed, origins
from testwright.pipeline.improving.journey import plan_steps
from testwright.pipeline.improving.loop_report import LoopReport, LoopStep, Route, note_lines
from testwright.settings import load_settings
from testwright.wiring import file_rerunner

if TYPE_CHECKING:
    from testwright.store.project_store import Store

_MOST_PROPOSALS = 1000
_HISTORY = 200  # runs that say which tests are flaky
_TITLES = {
    Route.HEAL: "the element is looked for",
    Route.REFINE: "generated test, to be generated again",
    Route.REWRITE: "the test itself",
    Route.BUG_NOTE: "a bug until a person has looked",
    Route.ENVIRONMENT: "outside the test and the product",
    Route.LOOK: "to look at",
}


def show_improvements(store: "Store", options: argparse.Namespace) -> None:
    run = chosen_run(store, options.run)
    flaky = {test.test for test in judge_flakiness(store.runs.histories(runs=_HISTORY)).tests if test.is_flaky}
    seen = analysed(run, options.project.absolute(), flaky=flaky, is_newest=is_newest(store, run))
    report = plan_steps(seen, origins=origins(store), proposals=store.proposals.list(limit=_MOST_PROPOSALS))
    if options.propose:
        report = _with_drafts(report, store, options)
    if options.json:
        print_json({**report.shape(), "flakyTests": sorted(flaky)})
        return
    for line in _lines(report, flaky):
        sys.stdout.write(f"{harmless_in_ci_log(line)}\n")


def _with_drafts(report: LoopReport, store: "Store", options: argparse.Namespace) -> LoopReport:
    # late: start-up: needed only for --propose; exploring code and running tests load a lot
    from testwright.pipeline.generating.module_plan import Wish
    from testwright.pipeline.improving.rewritten_tests import (
        EngineRewriter,
        NoModel,
        RewriteDrafter,
        SuiteRewriter,
        modules_of,
    )
    from testwright.review.confined_root import ConfinedRoot
    from testwright.review.review_queue import ReviewQueue

    project = options.project.absolute()
    settings = load_settings(options.project)
    applied = store.proposals.list(status=ProposalStatus.APPLIED, limit=_MOST_PROPOSALS)
    with ConfinedRoot(project) as root:
        rewriters: dict[Route, SuiteRewriter] = {
            Route.REFINE: EngineRewriter(Wish(project, python=settings.python_at(project)), modules_of(applied)),
            Route.REWRITE: NoModel(),
        }
        rerun = file_rerunner(project, settings)
        return RewriteDrafter(root, ReviewQueue(root, store.proposals), rewriters, rerun).drafted(report)


def _lines(report: LoopReport, flaky: set[TestId]) -> Iterator[str]:
    run, stats = report.run, report.analysis.stats
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    yield visible_line(
        f"Run {run.id}, {when(run.started_at)}{commit}: {stats.passed} of {stats.total} tests passed, "
        f"{stats.failed} failed, {stats.flaky} flaky"
    )
    for step in report.steps:
        yield ""
        yield from _step_lines(step, is_flaky=step.improvement.test in flaky)
    if report.healed:
        yield ""
    for healed in report.healed:
        yield visible_line(healed.said, limit=1000)
    if report.steps:
        routes = Counter(step.route for step in report.steps)
        yield ""
        yield ", ".join(f"{routes[route]} {route}" for route in Route if routes[route])


def _step_lines(step: LoopStep, *, is_flaky: bool) -> Iterator[str]:
    improvement = step.improvement
    yield f"{improvement.priority}: {visible_line(improvement.test)}"
    label = verdict_words(step.verdict) if step.verdict is not None else "unknown"
    yield f"  {label}: {_TITLES[step.route]}"
    if is_flaky:
        yield "  known to be flaky: it may be a real failure all the same; testwright report flaky"
    if step.note is not None:
        yield from (f"  {line}" for line in note_lines(step.note))
    if step.said:
        yield f"  → {visible_line(step.said, limit=1000)}"
