"""Carry out `testwright report`: open the store, and show the part that was asked for."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from testwright.faces.cli.run_summary import print_summary, summary_lines
from testwright.faces.cli.standard_output import duration_text, print_json, print_table, when, write_report
from testwright.faces.cli.stored_run import chosen_run
from testwright.model.case import Framework, TestId
from testwright.model.errors import NotFound, UsageError
from testwright.model.outcome import Outcome
from testwright.model.result_json import run_shape
from testwright.model.untrusted_text import visible_line
from testwright.settings import load_settings
from testwright.store.counter_store import AMBIGUITIES, SUCCESSES, ModuleDrift
from testwright.store.project_store import Store
from testwright.store.run_lines import export_run
from testwright.store.summaries import TestFilter, TestSummary
from testwright.wiring import keeping


def show_tests(store: Store, options: argparse.Namespace) -> None:
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


def _test_row(test: TestSummary) -> tuple[str, ...]:
    took = duration_text(test.last_duration_ms)
    return (test.last_outcome, str(test.runs), str(test.passed), str(test.failed), took, test.case.id)


def show_test(store: Store, options: argparse.Namespace) -> None:
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


def _the_one_test(store: Store, text: str) -> TestId:
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


def show_drift(store: Store, options: argparse.Namespace) -> None:
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


def _drift_shape(module: ModuleDrift) -> dict[str, object]:
    """With the runs behind the figure, so that each can be looked up."""
    return {
        "module": module.module,
        "totalRuns": len(module.runs),
        "attempts": module.attempts,
        "rate": module.rate,
        "trend": module.trend,
        "runs": [{"run": run.run, "startedAt": run.started_at, "counters": run.counters} for run in module.runs],
    }


def show_runs(store: Store, options: argparse.Namespace) -> None:
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


def show_run(store: Store, options: argparse.Namespace) -> None:
    run = chosen_run(store, options.id)
    if options.json:
        print_json(run_shape(run))
        return
    commit = f" at {run.commit[:12]}{' with changes' if run.dirty else ''}" if run.commit else ""
    sys.stdout.write(f"Run {run.id}, {when(run.started_at)}{commit}\n")
    print_summary(summary_lines(run, kept=False, trouble=None))


def prune_runs(store: Store, options: argparse.Namespace) -> None:
    if options.keep is None and options.days is None:
        raise UsageError("Nothing says what to forget.", next_step="Give --keep N, --days N, or both.")
    older_than = datetime.now(UTC) - timedelta(days=options.days) if options.days else None
    pruned = store.runs.prune(keep=options.keep, older_than=older_than)
    store.fingerprints.prune()
    if options.json:
        print_json(asdict(pruned))
        return
    sys.stdout.write(f"Forgot {len(pruned.runs)} run(s) with {pruned.results} result(s) and {pruned.tests} test(s).\n")


def export_runs(store: Store, options: argparse.Namespace) -> None:
    ids = options.ids or [run.id for run in reversed(store.runs.list_runs(limit=1_000_000))]
    if options.output is None:
        for run_id in ids:
            sys.stdout.buffer.writelines(export_run(store.runs.get_run(run_id)))
        return
    write_report(options.output, b"".join(line for run_id in ids for line in export_run(store.runs.get_run(run_id))))
    sys.stdout.write(f"{len(ids)} run(s) written to {options.output}.\n")


Report = Callable[[Store, argparse.Namespace], None]

_LIGHT: dict[str, Report] = {
    "runs": show_runs,
    "run": show_run,
    "tests": show_tests,
    "test": show_test,
    "prune": prune_runs,
    "export": export_runs,
    "drift": show_drift,
}


def carry_out(options: argparse.Namespace) -> int:
    report = _report(options.kind)
    kept = keeping(options.project.absolute(), load_settings(options.project))
    with kept.open() as store:
        for journal in kept.put_aside:
            sys.stderr.write(
                f"testwright: a run's journal could not be read and was put aside: {visible_line(str(journal))}\n"
            )
        report(store, options)
    return 0


def _report(kind: str) -> Report:
    match kind:
        case "flaky":
            from testwright.faces.cli.report_flaky import show_flaky  # late: start-up: judging flakiness

            return show_flaky
        case "quality" | "improvements":
            # late: start-up: explaining failures
            from testwright.faces.cli.report_failures import show_improvements, show_quality

            return show_quality if kind == "quality" else show_improvements
        case _:
            return _LIGHT[kind]
