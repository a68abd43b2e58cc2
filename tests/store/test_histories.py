"""The store tells the history of every test, oldest try first."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import select

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.history import IN_REVERSE, History, PastAttempt, PastRun, has_failed
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunResult, SuiteResult, TestResult
from testwright.store.known_test_queries import histories
from testwright.store.project_store import Store, open_store
from testwright.store.schema import projects

from .conftest import NOON, RunMaker

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def read(store: Store, *, runs: int = 200) -> tuple[History, ...]:
    with store.database.reading() as connection:
        project = connection.scalars(select(projects.c.pk).order_by(projects.c.pk)).first()
    assert project is not None
    return histories(store.database, project, runs=runs)


def spelled(history: History) -> str:
    return "".join("F" if attempt.failed else "P" for attempt in history.tries)


def histories_of(runs: Iterable[RunResult]) -> tuple[History, ...]:
    """The histories in `runs`, which come oldest first, worked out without the store."""
    tries: dict[TestId, list[PastAttempt]] = {}
    for run in runs:
        past = PastRun(run.id, run.started_at, run.commit, run.dirty)
        position = 0
        for number, suite in enumerate(run.suites):
            for result in suite.results:
                for attempt in result.attempts:
                    failed = has_failed(attempt.outcome, attempt.reason)
                    if failed is not None:
                        tries.setdefault(result.case.id, []).append(PastAttempt(past, failed, number, position))
                position += 1
    return tuple(History(test, tuple(of_test)) for test, of_test in sorted(tries.items()))


def with_attempts(run: RunResult, *outcomes: Outcome) -> RunResult:
    [suite] = run.suites
    result = replace(suite.results[0], attempts=tuple(Attempt(outcome, n) for n, outcome in enumerate(outcomes, 1)))
    return replace(run, suites=(replace(suite, results=(result, *suite.results[1:])),))


def test_each_test_s_tries_come_in_the_order_of_the_runs(store: Store, make_run: RunMaker) -> None:
    runs = [make_run(a=FAILED, b=PASSED), make_run(b=FAILED, a=PASSED), make_run(a=PASSED)]
    for run in reversed(runs):
        store.runs.save_run(run)

    a, b = read(store)

    assert (a.test, spelled(a)) == ("pytest:tests/test_shop.py::a", "FPP")
    assert (b.test, spelled(b)) == ("pytest:tests/test_shop.py::b", "PF")
    assert [attempt.run.id for attempt in a.tries] == [run.id for run in runs]
    assert [attempt.position for attempt in a.tries] == [0, 1, 0]


def test_what_the_store_tells_is_what_the_runs_themselves_tell(
    store: Store, make_run: RunMaker, rich_run: RunResult
) -> None:
    first = replace(make_run(a=FAILED, b=PASSED), commit="abc")
    second = with_attempts(make_run(a=FAILED, b=PASSED), FAILED, PASSED)
    rich = replace(rich_run, started_at=NOON + timedelta(days=1))
    for run in (first, second, rich):
        store.runs.save_run(run)

    assert read(store) == histories_of([first, second, rich])


def test_retries_are_tries_and_belong_to_their_run(store: Store, make_run: RunMaker) -> None:
    store.runs.save_run(with_attempts(make_run(a=PASSED), FAILED, FAILED, PASSED))

    [a] = read(store)

    assert spelled(a) == "FFP"
    assert len({attempt.run.id for attempt in a.tries}) == 1


def test_the_commit_and_whether_files_had_changed_come_along(store: Store, make_run: RunMaker) -> None:
    store.runs.save_run(replace(make_run(a=PASSED), commit="abc"))
    store.runs.save_run(replace(make_run(a=PASSED), commit="abc", dirty=True))

    [a] = read(store)

    assert [(attempt.run.commit, attempt.run.dirty) for attempt in a.tries] == [("abc", False), ("abc", True)]
    assert a.tries[0].run.code != a.tries[1].run.code


def test_what_says_nothing_of_the_code_is_no_try(store: Store, make_run: RunMaker) -> None:
    for outcome in (Outcome.SKIPPED, Outcome.INTERRUPTED, Outcome.CRASHED, Outcome.TIMEOUT, Outcome.NO_VERDICT):
        store.runs.save_run(make_run(a=outcome))
    store.runs.save_run(with_attempts(make_run(a=PASSED), FAILED, Outcome.PASSED_WITH_HEAL))

    [a] = read(store)

    assert spelled(a) == "FFFF"  # crashed, timed out, no verdict, and the try before the heal


def test_only_the_newest_runs_are_read(store: Store, make_run: RunMaker) -> None:
    for outcome in (FAILED, FAILED, PASSED, FAILED):
        store.runs.save_run(make_run(a=outcome))

    assert spelled(read(store, runs=2)[0]) == "PF"


def test_another_project_s_tests_stay_its_own(where: str, make_run: RunMaker) -> None:
    with open_store(where, project="one") as one, open_store(where, project="two") as two:
        one.runs.save_run(make_run(a=PASSED))
        two.runs.save_run(make_run(b=PASSED))

        assert [history.test for history in read(one)] == ["pytest:tests/test_shop.py::a"]


def test_suites_are_told_apart(store: Store, make_run: RunMaker) -> None:
    other = TestResult(TestCase(Framework.JEST, "web/a.test.js", ("x",)), (Attempt(PASSED),))
    run = make_run(a=PASSED)
    store.runs.save_run(replace(run, suites=(*run.suites, SuiteResult(Framework.JEST, "web", (other,)))))

    assert {history.test: history.tries[0].suite for history in read(store)} == {
        "jest:web/a.test.js::x": 1,
        "pytest:tests/test_shop.py::a": 0,
    }


def test_a_store_without_runs_tells_of_no_test(store: Store) -> None:
    assert read(store) == ()


def test_a_try_in_reverse_order_is_left_out_and_other_repetitions_count(store: Store, make_run: RunMaker) -> None:
    [suite] = (run := make_run(a=FAILED)).suites
    tries = [Attempt(PASSED, 2, reason="repeated_alone"), Attempt(FAILED, 3, reason=IN_REVERSE)]
    result = replace(suite.results[0], attempts=(*suite.results[0].attempts, *tries))
    repeated = replace(run, suites=(replace(suite, results=(result,)),))
    store.runs.save_run(repeated)

    [history] = store.runs.histories()

    assert spelled(history) == "FP"
    assert (history,) == histories_of([repeated])
