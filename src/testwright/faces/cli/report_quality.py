"""`testwright report quality`: what the failures of the newest run have in common, and how they come and go."""

import argparse
import sys
from typing import TYPE_CHECKING

from testwright.classify.flakiness.flakiness_report import FlakinessReport
from testwright.classify.quality.failure_counts import FailureCounts, count_failures, failure_counts_shape
from testwright.classify.quality.html_report import report_html
from testwright.classify.quality.run_analysis import analysis_shape
from testwright.classify.quality.terminal_charts import can_draw_blocks, quality_text
from testwright.classify.quality.trends import Trends, trends_shape
from testwright.faces.cli.report_flaky import judged, patterns_shape
from testwright.faces.cli.standard_output import print_json, when, write_report
from testwright.faces.cli.stored_run import LATEST, chosen_run
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.pipeline.improving.analysed_runs import AnalysedRun, analysed, origins, over_time

if TYPE_CHECKING:
    from testwright.store.project_store import Store


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
    _print(newest, found, trend, report)
    if options.html is not None:
        sys.stdout.write(f"\nWritten to {visible_line(str(options.html))}.\n")


def _print(newest: AnalysedRun, found: FailureCounts, trend: Trends, report: FlakinessReport) -> None:
    run, stats = newest.run, newest.analysis.stats
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    head = (
        f"Run {run.id}, {when(run.started_at)}{commit}: {stats.passed} of {stats.total} tests passed, "
        f"{stats.failed} failed, {stats.flaky} flaky"
    )
    plain = not can_draw_blocks(sys.stdout.encoding)
    text = quality_text(found, over_time=trend, plain=plain)
    for line in (visible_line(head), "", *text.splitlines()):
        sys.stdout.write(f"{harmless_in_ci_log(line)}\n")
    if any(test.failed for test in report.tests):
        sys.stdout.write("\nWhich tests are flaky, and which broken: testwright report flaky\n")
    if found.total_failures:
        sys.stdout.write("What to do about each failure: testwright report improvements\n")
