"""`testwright report`: look back at runs and tests."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project, count, whole_number
from testwright.faces.cli.progress_view import duration_text
from testwright.faces.cli.standard_output import print_json, print_table, when
from testwright.model.case import Framework, TestId
from testwright.model.errors import NotFound
from testwright.model.outcome import Outcome
from testwright.model.untrusted_text import visible_line
from testwright.settings import load_settings
from testwright.wiring import keeping

if TYPE_CHECKING:
    from testwright.store.counter_store import ModuleDrift
    from testwright.store.project_store import Store
    from testwright.store.summaries import TestSummary

DESCRIPTION = "Show what earlier runs saw. Every number can be followed to the runs behind it."


def configure(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    runs = kinds.add_parser("runs", help="the newest runs")
    runs.add_argument("--limit", type=whole_number, default=20, metavar="N")
    runs.add_argument("--before", metavar="ID", help="continue behind this run")
    one_run = kinds.add_parser("run", help="one run, with what failed")
    one_run.add_argument("id", metavar="ID", help="a run's id, or the start of it; `latest` for the newest")
    tests = kinds.add_parser("tests", help="every test, with what it said last")
    tests.add_argument("text", nargs="?", default="", metavar="TEXT", help="only tests whose id holds this")
    tests.add_argument("--outcome", action="append", choices=list(Outcome), help="only tests that last ended so")
    tests.add_argument("--framework", choices=list(Framework))
    tests.add_argument("--limit", type=whole_number, default=100, metavar="N")
    one_test = kinds.add_parser("test", help="one test over time")
    one_test.add_argument("id", metavar="ID", help="a test's id, or a part of it that no other has")
    one_test.add_argument("--limit", type=whole_number, default=30, metavar="N")
    prune = kinds.add_parser("prune", help="forget old runs")
    prune.add_argument("--keep", type=count, metavar="N", help="keep the newest N runs")
    prune.add_argument("--days", type=whole_number, metavar="N", help="forget runs older than N days")
    export = kinds.add_parser("export", help="runs as JSON lines, which `testwright import` reads")
    export.add_argument("ids", nargs="*", metavar="ID", help="which runs (default: all)")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to the terminal")
    drift = kinds.add_parser("drift", help="how often each module's tests lost an element")
    drift.add_argument("--limit", type=whole_number, default=100, metavar="N", help="over the newest N runs of each")
    flaky = kinds.add_parser("flaky", help="which tests fail by chance, and which are broken since when")
    flaky.add_argument("--runs", type=whole_number, default=200, metavar="N", help="over the newest N runs")
    quality = kinds.add_parser("quality", help="what the newest failures have in common, and the trend")
    quality.add_argument("--runs", type=whole_number, default=30, metavar="N", help="the trend of the newest N runs")
    quality.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page, with charts")
    improvements = kinds.add_parser("improvements", help="what to do about each failure of a run")
    improvements.add_argument(
        "--run", default="latest", metavar="ID", help="a run's id, or the start of it (default: the newest)"
    )
    improvements.add_argument(
        "--propose", action="store_true", help="have tests written anew where that may help; they wait in `review`"
    )
    for kind in (runs, one_run, tests, one_test, prune, export, drift, flaky, quality, improvements):
        add_project(kind)
        if kind is not export:
            add_json(kind)


def execute(options: argparse.Namespace) -> int:
    kept = keeping(options.project.absolute(), load_settings(options.project))
    show: dict[str, Callable[[Store, argparse.Namespace], None]] = {
        "runs": _runs, "run": _run, "tests": _tests, "test": _test, "prune": _prune, "export": _export,
        "drift": _drift, "flaky": _flaky, "quality": _quality, "improvements": _improvements,
    }  # fmt: skip
    with kept.open() as store:
        for journal in kept.put_aside:
            sys.stderr.write(
                f"testwright: a run's journal could not be read and was put aside: {visible_line(str(journal))}\n"
            )
        show[options.kind](store, options)
    return 0


def _runs(store: "Store", options: argparse.Namespace) -> None:
    before = store.runs.find_run(options.before) if options.before else None
    found = store.runs.list_runs(limit=options.limit, before=before)
    if options.json:
        print_json([asdict(run) for run in found])
        return
    print_table(
        ("run", "started", "took", "tests", "passed", "failed", "skipped", "ended"),
        [
            (
                run.id,
                when(run.started_at),
                duration_text(run.duration_ms),
                str(run.total),
                str(run.passed),
                str(run.failed),
                str(run.skipped),
                "interrupted" if run.interrupted else "passed" if run.success else "failed",
            )
            for run in found
        ],
    )


def _run(store: "Store", options: argparse.Namespace) -> None:
    from testwright.faces.cli.report_run_lookup import chosen_run
    from testwright.faces.cli.run_summary import print_summary
    from testwright.model.result_json import run_shape

    run = chosen_run(store, options.id)
    if options.json:
        print_json(run_shape(run))
        return
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    sys.stdout.write(f"Run {run.id}, {when(run.started_at)}{commit}\n")
    print_summary(run, kept=False, trouble=None)


def _tests(store: "Store", options: argparse.Namespace) -> None:
    from testwright.store.summaries import TestFilter

    wanted = TestFilter(
        text=options.text,
        framework=Framework(options.framework) if options.framework else None,
        outcomes=tuple(Outcome(name) for name in options.outcome or ()),
    )
    found = store.runs.list_tests(wanted, limit=options.limit)
    if options.json:
        print_json([{"id": test.case.id, **asdict(test)} for test in found])
        return
    print_table(("last", "runs", "passed", "failed", "took", "test"), [_test_row(test) for test in found])


def _test_row(test: "TestSummary") -> tuple[str, ...]:
    took = duration_text(test.last_duration_ms)
    return (test.last_outcome, str(test.runs), str(test.passed), str(test.failed), took, test.case.id)


def _test(store: "Store", options: argparse.Namespace) -> None:
    history = store.runs.get_test(_the_one_test(store, options.id), limit=options.limit)
    if options.json:
        print_json({"id": history.summary.case.id, **asdict(history)})
        return
    sys.stdout.write(f"{history.summary.case.id}\n")
    print_table(
        ("outcome", "took", "attempts", "run", "started", "message"),
        [
            (
                entry.outcome,
                duration_text(entry.duration_ms),
                " ".join(entry.attempts),
                entry.run,
                when(entry.started_at),
                entry.message.splitlines()[0] if entry.message else "",
            )
            for entry in history.entries
        ],
    )


def _the_one_test(store: "Store", text: str) -> TestId:
    from testwright.store.summaries import TestFilter

    found = [test.case.id for test in store.runs.list_tests(TestFilter(text=text), limit=50)]
    if text in found:
        return TestId(text)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(f"No test's id holds {text!r}.", next_step="`testwright report tests` lists them.")
    raise NotFound(
        f"{len(found)} tests' ids hold {text!r}, such as {found[0]!r} and {found[1]!r}.",
        next_step="Write more of the id.",
    )


def _drift(store: "Store", options: argparse.Namespace) -> None:
    from testwright.store.counter_store import AMBIGUITIES, SUCCESSES

    found = store.counters.drift(limit=options.limit)
    if options.json:
        print_json([_drift_shape(module) for module in found])
        return
    print_table(
        ("module", "runs", "heal attempts", "rate", "trend", "healed", "ambiguous", "last attempt in"),
        [
            (
                module.module or ".",
                str(len(module.runs)),
                f"{module.attempts:.0f}",
                f"{module.rate:.2f}",
                "" if module.trend is None else f"{module.trend:+.2f}",
                f"{module.total(SUCCESSES):.0f}",
                f"{module.total(AMBIGUITIES):.0f}",
                next((run.run for run in module.runs if run.attempts), ""),
            )
            for module in found
        ],
    )


def _drift_shape(module: "ModuleDrift") -> dict[str, object]:
    """With the runs behind the figure, so that each can be looked up."""
    return {
        "module": module.module,
        "totalRuns": len(module.runs),
        "attempts": module.attempts,
        "rate": module.rate,
        "trend": module.trend,
        "runs": [{"run": run.run, "startedAt": run.started_at, "counters": run.counters} for run in module.runs],
    }


def _flaky(store: "Store", options: argparse.Namespace) -> None:
    from testwright.faces.cli.report_flaky import show_flaky

    show_flaky(store, options)


def _quality(store: "Store", options: argparse.Namespace) -> None:
    from testwright.faces.cli.report_quality import show_quality

    show_quality(store, options)


def _improvements(store: "Store", options: argparse.Namespace) -> None:
    from testwright.faces.cli.report_improvements import show_improvements

    show_improvements(store, options)


def _prune(store: "Store", options: argparse.Namespace) -> None:
    from testwright.model.errors import UsageError

    if options.keep is None and options.days is None:
        raise UsageError("Nothing says what to forget.", next_step="Give --keep N, --days N, or both.")
    older_than = datetime.now(UTC) - timedelta(days=options.days) if options.days else None
    pruned = store.runs.prune(keep=options.keep, older_than=older_than)
    store.fingerprints.prune()
    if options.json:
        print_json(asdict(pruned))
        return
    sys.stdout.write(f"Forgot {len(pruned.runs)} run(s) with {pruned.results} result(s) and {pruned.tests} test(s).\n")


def _export(store: "Store", options: argparse.Namespace) -> None:
    from testwright.faces.cli.output_file import write_report
    from testwright.store.run_lines import export_run

    ids = options.ids or [run.id for run in reversed(store.runs.list_runs(limit=1_000_000))]
    if options.output is None:
        for run_id in ids:
            sys.stdout.buffer.writelines(export_run(store.runs.get_run(run_id)))
        return
    write_report(options.output, b"".join(line for run_id in ids for line in export_run(store.runs.get_run(run_id))))
    sys.stdout.write(f"{len(ids)} run(s) written to {options.output}.\n")
