"""Runs are kept whole, found again by the start of their id, and removed when they are old."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import MalformedReport, NotFound
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.store import run_store
from testwright.store.project_store import Store
from testwright.store.summaries import Pruned, RunSummary

MakeRun = Callable[..., RunResult]
PASSED, FAILED, SKIPPED, INTERRUPTED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED, Outcome.INTERRUPTED


def test_a_run_comes_back_exactly_as_it_was_saved(store: Store, rich_run: RunResult) -> None:
    assert store.runs.save_run(rich_run)

    assert store.runs.get_run(rich_run.id) == rich_run


def test_a_name_that_looks_like_sql_is_only_a_name(store: Store, rich_run: RunResult) -> None:
    store.runs.save_run(rich_run)

    assert [run.id for run in store.runs.list_runs()] == [rich_run.id]
    assert "x'); DROP TABLE runs;--" in store.runs.get_run(rich_run.id).results[0].case.title


def test_a_run_that_is_saved_twice_is_kept_once_as_it_was_first(store: Store, make_run: MakeRun) -> None:
    run = make_run(a=PASSED)

    assert store.runs.save_run(run)
    assert not store.runs.save_run(replace(run, duration_ms=99.0))

    assert store.runs.get_run(run.id) == run


def test_a_test_that_is_listed_twice_in_one_run_is_no_error(store: Store, make_run: MakeRun) -> None:
    run = make_run(a=PASSED)
    twice = replace(run, suites=(replace(run.suites[0], results=run.results * 2),))

    assert store.runs.save_run(twice)

    assert store.runs.get_run(run.id) == twice


def test_a_name_of_any_length_is_kept(store: Store, make_run: MakeRun) -> None:
    run = make_run(**{"x" * 100_000: PASSED})

    store.runs.save_run(run)

    assert store.runs.get_run(run.id) == run
    assert store.runs.get_test(run.results[0].case.id).summary.case == run.results[0].case


@pytest.mark.parametrize("number", [1 << 63, 10**40])
def test_a_number_too_large_to_keep_is_refused_and_nothing_is_kept(
    store: Store, make_run: MakeRun, number: int
) -> None:
    run = make_run(a=PASSED)
    case = replace(run.results[0].case, line=number)
    absurd = replace(run, suites=(SuiteResult(Framework.PYTEST, "", (TestResult(case, (Attempt(PASSED),)),)),))

    with pytest.raises(MalformedReport, match="too large"):
        store.runs.save_run(absurd)

    assert store.runs.list_runs() == []


def test_a_duration_that_is_no_number_is_kept_as_zero(store: Store, make_run: MakeRun) -> None:
    run = replace(make_run(a=PASSED), duration_ms=float("nan"))

    store.runs.save_run(run)

    assert store.runs.get_run(run.id).duration_ms == 0.0


def test_a_list_of_runs_tells_what_the_runs_themselves_would(store: Store, rich_run: RunResult) -> None:
    store.runs.save_run(rich_run)

    assert store.runs.list_runs() == [
        RunSummary(
            id=rich_run.id,
            started_at=rich_run.started_at,
            duration_ms=1234.5,
            interrupted=True,
            commit="0123abcd",
            dirty=True,
            source="run",
            success=False,
            total=2,
            passed=2,
            failed=0,
            skipped=0,
            flaky=1,
            problems=1,
        )
    ]


def test_runs_are_listed_newest_first_and_page_by_page(store: Store, make_run: MakeRun) -> None:
    same_time = datetime(2024, 5, 2, tzinfo=UTC)
    runs = [make_run(a=PASSED), make_run(a=PASSED), make_run(at=same_time), make_run(at=same_time), make_run()]
    for run in runs:
        store.runs.save_run(run)
    newest_first = [runs[3].id, runs[2].id, runs[4].id, runs[1].id, runs[0].id]

    pages, cursor = [], None
    while page := store.runs.list_runs(limit=2, before=cursor):
        pages.append([run.id for run in page])
        cursor = page[-1].id

    assert pages == [newest_first[:2], newest_first[2:4], newest_first[4:]]


def test_a_run_is_found_by_the_start_of_its_id_if_no_other_starts_so(store: Store, make_run: MakeRun) -> None:
    for name in ("abc-1", "abd-2", "abd", "a%c"):
        store.runs.save_run(make_run(run_id=name))

    assert store.runs.find_run("abc") == "abc-1"
    assert store.runs.find_run("abd") == "abd"  # exact, though another starts so
    assert store.runs.find_run("a%") == "a%c"  # no wildcard
    with pytest.raises(NotFound, match=r"several runs' ids: .*abd-2"):
        store.runs.find_run("ab")
    with pytest.raises(NotFound, match="No run in the store has the id 'x'"):
        store.runs.get_run("x")
    with pytest.raises(NotFound):
        store.runs.get_run("")


def test_pruning_keeps_the_newest_runs_and_forgets_tests_only_older_ones_knew(store: Store, make_run: MakeRun) -> None:
    old = make_run(gone=FAILED, stays=FAILED)
    shot = Artifact("shot", "out/shot.png")
    old = _with_artifacts(old, shot, Artifact("coverage", "cov.json"))
    runs = [old, make_run(stays=PASSED), make_run(stays=PASSED)]
    for run in runs:
        store.runs.save_run(run)

    removed = store.runs.prune(keep=2)

    assert removed == Pruned(runs=(old.id,), results=2, tests=1, artifacts=("out/shot.png", "cov.json"))
    assert [run.id for run in store.runs.list_runs()] == [runs[2].id, runs[1].id]
    (left,) = store.runs.list_tests()
    assert (left.case.name, left.runs, left.failed) == ("stays", 2, 0)
    assert store.runs.prune(keep=2) == Pruned()


def _with_artifacts(run: RunResult, of_attempt: Artifact, of_suite: Artifact) -> RunResult:
    first, *others = run.results
    attempt = replace(first.last, artifacts=(of_attempt,))
    suite = replace(run.suites[0], results=(replace(first, attempts=(attempt,)), *others), artifacts=(of_suite,))
    return replace(run, suites=(suite,))


def test_pruning_removes_runs_that_began_before_a_moment(store: Store, make_run: MakeRun) -> None:
    runs = [make_run(a=PASSED) for _ in range(4)]
    for run in runs:
        store.runs.save_run(run)

    removed = store.runs.prune(keep=3, older_than=runs[2].started_at)

    assert removed.runs == (runs[1].id, runs[0].id)


def test_pruning_more_runs_than_one_statement_may_name(
    store: Store, make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "_KEYS_PER_QUERY", 3)
    for _ in range(8):
        store.runs.save_run(make_run(a=PASSED))

    removed = store.runs.prune(keep=0)

    assert (len(removed.runs), removed.results, removed.tests) == (8, 8, 1)


def test_a_test_whose_last_verdict_was_pruned_tells_what_is_left(store: Store, make_run: MakeRun) -> None:
    store.runs.save_run(make_run(a=FAILED))
    cut = make_run(a=INTERRUPTED)
    store.runs.save_run(cut)
    assert store.runs.list_tests()[0].last_outcome is FAILED

    store.runs.prune(keep=1)

    (test,) = store.runs.list_tests()
    assert (test.last_run, test.last_outcome, test.runs) == (cut.id, INTERRUPTED, 1)


def test_moments_keep_their_microseconds_and_may_come_from_any_time_zone(store: Store, make_run: MakeRun) -> None:
    moment = datetime.fromisoformat("1969-12-31T23:59:59.999999+05:30")
    run = make_run(at=moment)
    store.runs.save_run(run)

    found = store.runs.get_run(run.id).started_at

    assert found == moment
    assert found.utcoffset() == timedelta(0)


def test_a_run_without_suites_is_kept_too(store: Store) -> None:
    run = RunResult(RunId("empty"), datetime(2024, 1, 1, tzinfo=UTC))

    store.runs.save_run(run)

    assert store.runs.get_run("empty") == run


def test_the_same_test_in_two_frameworks_is_two_tests(store: Store, make_run: MakeRun) -> None:
    run = make_run()
    cases = [TestCase(framework, "a.test.ts", ("works",)) for framework in (Framework.JEST, Framework.VITEST)]
    results = tuple(TestResult(case, (Attempt(PASSED),)) for case in cases)
    store.runs.save_run(replace(run, suites=(replace(run.suites[0], results=results),)))

    assert [test.case for test in store.runs.list_tests()] == cases
