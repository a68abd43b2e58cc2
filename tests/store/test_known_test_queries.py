"""What the store knows of tests over many runs."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from testwright.model.case import Framework, TestId
from testwright.model.errors import NotFound
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunResult
from testwright.store.project_store import Store
from testwright.store.summaries import TestFilter

MakeRun = Callable[..., RunResult]
PASSED, FAILED, SKIPPED, INTERRUPTED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED, Outcome.INTERRUPTED


def names(store: Store, wanted: TestFilter) -> list[str]:
    return [test.case.name for test in store.runs.list_tests(wanted)]


def failed(store: Store) -> list[str]:
    return [case.name for case in store.runs.last_failed()]


def test_a_test_tells_its_last_verdict_and_how_often_it_passed_and_failed(store: Store, make_run: MakeRun) -> None:
    for outcome in (FAILED, FAILED, SKIPPED, PASSED):
        last = make_run(a=outcome)
        store.runs.save_run(last)

    (test,) = store.runs.list_tests()

    assert test.case == last.results[0].case
    assert (test.last_outcome, test.last_run, test.last_run_at) == (PASSED, last.id, last.started_at)
    assert (test.runs, test.passed, test.failed, test.last_duration_ms) == (4, 1, 2, 2.0)


def test_the_last_verdict_is_the_newest_run_s_even_when_an_older_run_is_saved_later(
    store: Store, make_run: MakeRun
) -> None:
    older, newer = make_run(a=FAILED), make_run(a=PASSED)

    store.runs.save_run(newer)
    store.runs.save_run(older)

    assert [(test.last_outcome, test.last_run) for test in store.runs.list_tests()] == [(PASSED, newer.id)]
    assert failed(store) == []


def test_the_tests_that_failed_last_are_those_whose_newest_verdict_is_no_success(
    store: Store, make_run: MakeRun
) -> None:
    store.runs.save_run(make_run(mended=FAILED, broken=PASSED, elsewhere=FAILED, skipped=FAILED, fine=PASSED))
    store.runs.save_run(make_run(mended=PASSED, broken=Outcome.CRASHED, skipped=SKIPPED, fine=PASSED))

    assert failed(store) == ["broken", "elsewhere"]  # `elsewhere` was not in the second run: its failure stands


def test_an_interrupted_run_does_not_change_what_failed_last(store: Store, make_run: MakeRun) -> None:
    store.runs.save_run(make_run(good=PASSED, bad=FAILED))
    store.runs.save_run(make_run(good=INTERRUPTED, bad=INTERRUPTED, new=INTERRUPTED))

    assert failed(store) == ["bad"]
    summaries = {test.case.name: test for test in store.runs.list_tests()}
    assert (summaries["good"].last_outcome, summaries["good"].failed) == (PASSED, 0)
    assert summaries["new"].last_outcome is INTERRUPTED


def test_a_verdict_replaces_an_interruption_even_from_an_older_run(store: Store, make_run: MakeRun) -> None:
    older = make_run(a=FAILED)
    store.runs.save_run(make_run(a=INTERRUPTED))
    store.runs.save_run(older)

    assert failed(store) == ["a"]


def test_a_test_that_moved_in_its_file_is_known_by_its_new_line(store: Store, make_run: MakeRun) -> None:
    for line in (10, 20):
        run = make_run(a=FAILED)
        (result,) = run.results
        moved = replace(result, case=replace(result.case, line=line, native_id=f"native-{line}"))
        store.runs.save_run(replace(run, suites=(replace(run.suites[0], results=(moved,)),)))

    assert [(case.line, case.native_id) for case in store.runs.last_failed()] == [(20, "native-20")]
    assert [run.results[0].case.line for run in map(store.runs.get_run, ["run-0001", "run-0002"])] == [10, 20]


def test_tests_are_listed_by_id_page_by_page(store: Store, make_run: MakeRun) -> None:
    store.runs.save_run(make_run(b=PASSED, a=PASSED, C=PASSED, _d=PASSED, é=PASSED))

    pages: list[list[str]] = []
    cursor: TestId | None = None
    while page := store.runs.list_tests(limit=2, after=cursor):
        pages.append([test.case.name for test in page])
        cursor = page[-1].case.id

    assert pages == [["C", "_d"], ["a", "b"], ["é"]]  # by code point, the same in every database


def test_filters_narrow_the_list(store: Store, make_run: MakeRun) -> None:
    store.runs.save_run(make_run(login_works=PASSED, login_fails=FAILED, discount_100=FAILED))

    assert names(store, TestFilter(text="LOGIN")) == ["login_fails", "login_works"]
    assert names(store, TestFilter(text="0%")) == []  # no wildcard
    assert names(store, TestFilter(text="t_1")) == ["discount_100"]
    assert names(store, TestFilter(text="login", outcomes=(FAILED, Outcome.ERROR))) == ["login_fails"]
    assert (
        names(store, TestFilter(file="tests")) == names(store, TestFilter()) == names(store, TestFilter(file="tests/"))
    )
    assert len(names(store, TestFilter(file="tests/test_shop.py"))) == 3
    assert names(store, TestFilter(file="tests/test_s")) == []
    assert names(store, TestFilter(framework=Framework.JEST)) == []


def test_odd_names_can_be_searched_for(store: Store, rich_run: RunResult) -> None:
    store.runs.save_run(rich_run)

    assert len(names(store, TestFilter(text="drop table"))) == 1
    assert len(names(store, TestFilter(text="nul \x00, half a pair \ud83d"))) == 1


def test_a_history_tells_every_run_of_a_test_newest_first(store: Store, make_run: MakeRun) -> None:
    first = make_run(a=FAILED)
    second = replace(make_run(a=PASSED), commit="abc", dirty=True)
    (result,) = second.results
    tries = (Attempt(FAILED, 1, 1.0, message="no"), Attempt(PASSED, 2, 2.0, message="yes"))
    second = replace(second, suites=(replace(second.suites[0], results=(replace(result, attempts=tries),)),))
    for run in (first, second, make_run(other=PASSED)):
        store.runs.save_run(run)

    history = store.runs.get_test(result.case.id)

    assert history.summary.case == result.case
    newest, oldest = history.entries
    assert (newest.run, newest.started_at, newest.commit, newest.dirty) == (second.id, second.started_at, "abc", True)
    assert (newest.outcome, newest.attempts, newest.message) == (PASSED, (FAILED, PASSED), "yes")
    assert (newest.duration_ms, oldest.run, oldest.attempts) == (3.0, first.id, (FAILED,))
    assert [entry.run for entry in store.runs.get_test(result.case.id, limit=1).entries] == [second.id]


def test_a_test_that_never_ran_is_told_so(store: Store) -> None:
    with pytest.raises(NotFound, match="No test in the store"):
        store.runs.get_test(TestId("pytest:tests/test_a.py::nothing"))


def test_runs_at_the_same_moment_are_told_apart_by_the_order_they_came(store: Store, make_run: MakeRun) -> None:
    moment = datetime(2024, 5, 2, tzinfo=UTC)
    store.runs.save_run(make_run(at=moment, a=FAILED))
    store.runs.save_run(make_run(at=moment, a=PASSED))

    assert failed(store) == []
