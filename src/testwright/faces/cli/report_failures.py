"""`testwright report improvements` and `report quality`: what to do about failures, and what they have in common."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.flakiness_report import FlakinessReport
from testwright.classify.quality.failure_counts import FailureCounts, count_failures, failure_counts_shape
from testwright.classify.quality.html_report import report_html
from testwright.classify.quality.run_analysis import RunAnalysis, analysis_shape
from testwright.classify.quality.terminal_charts import can_draw_blocks, quality_text
from testwright.classify.quality.trends import Trends, trends_shape
from testwright.faces.cli.report_flaky import judged, patterns_shape
from testwright.faces.cli.standard_output import print_json, when, write_report
from testwright.faces.cli.stored_run import LATEST, chosen_run, is_newest
from testwright.faces.cli.verdict_view import verdict_words
from testwright.model.case import TestId
from testwright.model.proposal import ProposalStatus
from testwright.model.result import RunResult
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.pipeline.improving.analysed_runs import AnalysedRun, analysed, origins, over_time
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
    yield _head(report.run, report.analysis)
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


def _head(run: RunResult, analysis: RunAnalysis) -> str:
    stats = analysis.stats
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    return visible_line(
        f"Run {run.id}, {when(run.started_at)}{commit}: {stats.passed} of {stats.total} tests passed, "
        f"{stats.failed} failed, {stats.flaky} flaky"
    )


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


def show_quality(store: "Store", options: argparse.Namespace) -> None:
    run = chosen_run(store, LATEST)
    report, patterns = judged(store, runs=max(options.runs, 1))
    flaky = {test.test for test in report.tests if test.is_flaky}
    root = options.project.absolute()
    newest = analysed(run, root, flaky=flaky)
    found = count_failures(newest.analysis.improvements, origins=origins(store), flaky=flaky)
    trend = over_time(store, root, runs=options.runs, newest=newest, flaky=flaky)
    if options.html is not None:
        page = report_html(found, over_time=trend, flakiness=report, patterns=patterns, title=f"Test quality: {run.id}")
        write_report(options.html, page.encode("utf-8"))
    if options.json:
        print_json(
            {
                "run": run.id,
                "commit": run.commit,
                **analysis_shape(newest.analysis),
                "qualityAnalytics": failure_counts_shape(found),
                "trends": trends_shape(trend),
                **patterns_shape(patterns),
            }
        )
        return
    _print_quality(newest, found, trend, report)
    if options.html is not None:
        sys.stdout.write(f"\nWritten to {visible_line(str(options.html))}.\n")


def _print_quality(newest: AnalysedRun, found: FailureCounts, trend: Trends, report: FlakinessReport) -> None:
    plain = not can_draw_blocks(sys.stdout.encoding)
    text = quality_text(found, over_time=trend, plain=plain)
    for line in (_head(newest.run, newest.analysis), "", *text.splitlines()):
        sys.stdout.write(f"{harmless_in_ci_log(line)}\n")
    if any(test.failed for test in report.tests):
        sys.stdout.write("\nWhich tests are flaky, and which broken: testwright report flaky\n")
    if found.total_failures:
        sys.stdout.write("What to do about each failure: testwright report improvements\n")
