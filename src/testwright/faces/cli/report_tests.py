"""What `testwright report` shows of tests: all of them, one over time, and how often each module loses an element."""

import argparse
import sys
from dataclasses import asdict

from testwright.faces.cli.standard_output import duration_text, print_json, print_table, when
from testwright.model.case import Framework, TestId
from testwright.model.errors import NotFound
from testwright.model.outcome import Outcome
from testwright.store.counter_store import AMBIGUITIES, SUCCESSES, ModuleDrift
from testwright.store.project_store import Store
from testwright.store.summaries import TestFilter, TestSummary


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
