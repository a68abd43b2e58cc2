"""Events become the run they tell of."""

from datetime import UTC, datetime

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.events import (
    AttemptFinished,
    Collected,
    ProblemFound,
    RunnerStarted,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage
from testwright.model.result import Artifact, Attempt, Problem, RunId, RunResult
from testwright.store.run_assembly import Assembly, OutOfOrderError

RUN = RunResult(RunId("r"), datetime(2024, 5, 1, tzinfo=UTC), commit="abc")
ONE = TestCase(Framework.PYTEST, "tests/test_a.py", ("one",))
TWO = TestCase(Framework.PYTEST, "tests/test_a.py", ("two",))
START = SuiteStarted(Framework.PYTEST, "", "R1")


def test_attempts_at_one_test_become_one_result_in_the_order_they_were_made() -> None:
    assembly = Assembly(RUN)
    for event in (
        START,
        AttemptFinished(ONE, Attempt(Outcome.FAILED, number=1)),
        AttemptFinished(TWO, Attempt(Outcome.PASSED)),
        AttemptFinished(ONE, Attempt(Outcome.PASSED, number=2)),
    ):
        assembly.add(event)

    run = assembly.finished(duration_ms=7.0, interrupted=False)

    assert [(result.case, [a.outcome for a in result.attempts]) for result in run.results] == [
        (ONE, [Outcome.FAILED, Outcome.PASSED]),
        (TWO, [Outcome.PASSED]),
    ]
    assert (run.id, run.commit, run.duration_ms, run.interrupted) == ("r", "abc", 7.0, False)


def test_the_end_of_a_suite_tells_what_it_took_and_left() -> None:
    assembly = Assembly(RUN)
    file = Artifact("coverage", "cov.json")
    assembly.add(START)
    assembly.add(RunnerStarted())
    assembly.add(ProblemFound(Problem("x", "y")))
    assembly.add(SuiteEnded(Framework.PYTEST, "", 5.0, ResourceUsage(1.0, 2), 3, (file,)))

    suite = assembly.finished(duration_ms=0.0, interrupted=False).suites[0]

    assert (suite.isolation, suite.duration_ms, suite.usage) == ("R1", 5.0, ResourceUsage(1.0, 2))
    assert (suite.left_processes, suite.artifacts, suite.problems) == (3, (file,), (Problem("x", "y"),))


def test_suites_that_run_side_by_side_keep_their_own_tests() -> None:
    inner = TestCase(Framework.VITEST, "packages/web/a.test.ts", ("inner",))
    outer = TestCase(Framework.VITEST, "packages/a.test.ts", ("outer",))
    assembly = Assembly(RUN)
    for event in (
        SuiteStarted(Framework.VITEST, "packages", ""),
        SuiteStarted(Framework.VITEST, "packages/web", ""),
        START,
        AttemptFinished(inner, Attempt(Outcome.PASSED)),
        AttemptFinished(ONE, Attempt(Outcome.PASSED)),
        AttemptFinished(outer, Attempt(Outcome.PASSED)),
    ):
        assembly.add(event)

    suites = assembly.finished(duration_ms=0.0, interrupted=False).suites

    assert [[result.case for result in suite.results] for suite in suites] == [[outer], [inner], [ONE]]


def test_an_abandoned_run_counts_tests_without_a_verdict_as_interrupted() -> None:
    three = TestCase(Framework.PYTEST, "tests/test_a.py", ("three",))
    assembly = Assembly(RUN)
    for event in (
        START,
        Collected((ONE, TWO, three)),
        TestStarted(ONE),
        AttemptFinished(ONE, Attempt(Outcome.PASSED)),
        TestStarted(TWO),
    ):
        assembly.add(event)

    run = assembly.abandoned(duration_ms=0.0)

    assert run.interrupted
    assert [(result.case, result.outcome, result.last.reason) for result in run.results] == [
        (ONE, Outcome.PASSED, ""),
        (TWO, Outcome.INTERRUPTED, "not_finished"),
        (three, Outcome.INTERRUPTED, "not_started"),
    ]


def test_a_problem_that_comes_after_its_suite_has_ended_still_belongs_to_it() -> None:
    assembly = Assembly(RUN)
    assembly.add(START)
    assembly.add(SuiteEnded(Framework.PYTEST, "", 1.0))
    assembly.add(ProblemFound(Problem("late", "coverage could not be read")))

    suite = assembly.finished(duration_ms=0.0, interrupted=False).suites[0]

    assert [problem.code for problem in suite.problems] == ["late"]


def test_events_that_no_suite_can_own_are_refused() -> None:
    with pytest.raises(OutOfOrderError, match="before any suite"):
        Assembly(RUN).add(AttemptFinished(ONE, Attempt(Outcome.PASSED)))
    with pytest.raises(OutOfOrderError, match="has not started"):
        Assembly(RUN).add(SuiteEnded(Framework.PYTEST, "", 1.0))


def test_an_attempt_that_comes_after_its_suite_has_ended_belongs_to_that_suite() -> None:
    healed = TestCase(Framework.PLAYWRIGHT, "web/a.spec.ts", ("healed",))
    assembly = Assembly(RUN)
    for event in (
        SuiteStarted(Framework.PLAYWRIGHT, "web", ""),
        AttemptFinished(healed, Attempt(Outcome.FAILED)),
        SuiteEnded(Framework.PLAYWRIGHT, "web", 1.0),
        START,
        AttemptFinished(ONE, Attempt(Outcome.PASSED)),
        SuiteEnded(Framework.PYTEST, "", 1.0),
        AttemptFinished(healed, Attempt(Outcome.PASSED_WITH_HEAL, number=2)),
    ):
        assembly.add(event)

    web, rest = assembly.finished(duration_ms=1.0, interrupted=False).suites

    assert [len(result.attempts) for result in web.results] == [2]
    assert [result.case for result in rest.results] == [ONE]
