"""What was counted travels with its run, and tells how fast a module's pages drift."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from testwright.model.case import Framework
from testwright.model.events import Counted, SuiteEnded, SuiteStarted
from testwright.model.outcome import Outcome
from testwright.model.result import CounterValue, RunResult
from testwright.store.counter_store import ATTEMPTS, SUCCESSES
from testwright.store.journal import Journal, take_in_pending
from testwright.store.project_store import Store
from testwright.store.run_lines import export_run, import_runs

from .conftest import NOON, RunMaker


def counted(run: RunResult, attempts: float, *, module: str = "") -> RunResult:
    return replace(run, counters=(CounterValue(ATTEMPTS, module, attempts), CounterValue(SUCCESSES, module, 1.0)))


def test_counters_are_kept_with_their_run(store: Store, make_run: RunMaker) -> None:
    run = counted(make_run(a=Outcome.PASSED), 3.0)

    store.runs.save_run(run)

    assert store.runs.get_run(run.id) == run


def test_counters_survive_an_export(make_run: RunMaker) -> None:
    run = counted(make_run(a=Outcome.PASSED), 3.0)

    assert list(import_runs(export_run(run))) == [run]


def test_counters_in_a_journal_reach_the_store_and_add_up(store: Store, make_run: RunMaker, tmp_path: Path) -> None:
    run = make_run()
    journal = Journal.create(tmp_path, run)
    journal.append(
        SuiteStarted(Framework.PLAYWRIGHT, "web", ""),
        SuiteEnded(Framework.PLAYWRIGHT, "web", 1.0),
        Counted(CounterValue(ATTEMPTS, "web", 2.0)),
        Counted(CounterValue(ATTEMPTS, "web", 1.0)),
    )
    journal.finish(duration_ms=1.0)

    take_in_pending(tmp_path, store.runs)

    assert store.runs.get_run(run.id).counters == (CounterValue(ATTEMPTS, "web", 3.0),)


def test_the_drift_rate_is_attempts_by_runs_with_the_runs_behind_it(store: Store, make_run: RunMaker) -> None:
    runs = [make_run(a=Outcome.PASSED) for _ in range(4)]
    for run, attempts in zip(runs, (0.0, 0.0, 2.0, 4.0), strict=True):
        store.runs.save_run(counted(run, attempts))

    [drift] = store.counters.drift()

    assert (drift.attempts, drift.rate, drift.trend) == (6.0, 1.5, 3.0)
    assert [(run.run, run.attempts) for run in drift.runs] == [
        (runs[3].id, 4.0), (runs[2].id, 2.0), (runs[1].id, 0.0), (runs[0].id, 0.0),
    ]  # fmt: skip
    assert drift.total(SUCCESSES) == 4.0


def test_a_run_without_any_attempt_is_a_run_all_the_same(store: Store, make_run: RunMaker) -> None:
    store.runs.save_run(counted(make_run(a=Outcome.FAILED), 1.0))
    store.runs.save_run(make_run(a=Outcome.PASSED))

    [drift] = store.counters.drift()

    assert (drift.rate, drift.trend) == (0.5, None)


def test_only_the_newest_runs_count_when_asked_for(store: Store, make_run: RunMaker) -> None:
    store.runs.save_run(counted(make_run(a=Outcome.FAILED), 8.0))
    store.runs.save_run(counted(make_run(a=Outcome.FAILED), 1.0))

    assert store.counters.drift(limit=1)[0].rate == 1.0


def test_results_that_were_imported_do_not_count_as_runs(store: Store, make_run: RunMaker) -> None:
    store.runs.save_run(replace(make_run(a=Outcome.PASSED), source="junit"))

    assert store.counters.drift() == []


def test_the_module_that_drifts_fastest_comes_first(store: Store, make_run: RunMaker) -> None:
    run = make_run(a=Outcome.PASSED)
    [suite] = run.suites
    suites = (replace(suite, root="calm"), replace(suite, root="wild", results=()))
    store.runs.save_run(counted(replace(run, suites=suites, started_at=NOON + timedelta(days=1)), 2.0, module="wild"))

    assert [drift.module for drift in store.counters.drift()] == ["wild", "calm"]
