"""What attempts, results and suites say about themselves, and in which words other programs read it."""

import json
from datetime import UTC, datetime

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage, total_usage
from testwright.model.result import (
    Attempt,
    Counts,
    Problem,
    RunId,
    RunResult,
    SuiteResult,
    TestResult,
    failed_in,
    passed_in,
)
from testwright.model.result_json import run_shape

CASE = TestCase(Framework.PYTEST, "test_a.py", ("test_x",))


def result_of(*outcomes: Outcome, counts: Counts | None = None) -> TestResult:
    return TestResult(CASE, tuple(Attempt(one, number, counts=counts) for number, one in enumerate(outcomes, 1)))


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_passes_and_skips_are_no_reason_to_worry(outcome: Outcome) -> None:
    assert outcome.is_pass == (outcome in (Outcome.PASSED, Outcome.PASSED_WITH_HEAL))
    assert outcome.is_success == (outcome.is_pass or outcome is Outcome.SKIPPED)


def test_a_retry_that_passed_does_not_hide_the_failure_before_it() -> None:
    result = result_of(Outcome.FAILED, Outcome.PASSED)
    assert (result.outcome, result.is_flaky) == (Outcome.PASSED, True)
    assert not result_of(Outcome.FAILED, Outcome.FAILED).is_flaky
    assert not result_of(Outcome.PASSED, Outcome.FAILED).is_flaky
    assert not result_of(Outcome.SKIPPED).is_flaky


def test_a_file_that_counts_its_checks_is_believed_upwards_only() -> None:
    assert (passed_in(result_of(Outcome.PASSED)), failed_in(result_of(Outcome.PASSED))) == (1, 0)
    counted = result_of(Outcome.FAILED, counts=Counts(passed=4, failed=2))
    assert (passed_in(counted), failed_in(counted)) == (4, 2)
    assert failed_in(result_of(Outcome.FAILED, counts=Counts(passed=9, failed=0))) == 1


def test_a_suite_succeeds_only_without_problems_and_failures() -> None:
    suite = SuiteResult(Framework.PYTEST, ".", (result_of(Outcome.PASSED), result_of(Outcome.SKIPPED)))
    assert (suite.success, suite.total_tests, suite.total_passed, suite.total_skipped) == (True, 2, 1, 1)
    problem = Problem("no_verdict", "it died")
    assert not SuiteResult(Framework.PYTEST, ".", problems=(problem,)).success
    assert SuiteResult(Framework.PYTEST, ".", problems=(problem,)).errors == ("it died",)
    assert not SuiteResult(Framework.PYTEST, ".", (result_of(Outcome.NO_VERDICT),)).success


def test_cpu_adds_up_and_memory_is_the_largest_seen() -> None:
    assert total_usage([ResourceUsage(1.0, 5), ResourceUsage(2.0, 3)]) == ResourceUsage(3.0, 5)
    assert total_usage([]) == ResourceUsage()


def test_the_shape_of_a_run_is_plain_json_with_the_agreed_fields() -> None:
    suite = SuiteResult(Framework.PYTEST, ".", (result_of(Outcome.FAILED, Outcome.PASSED), result_of(Outcome.ERROR)))
    run = RunResult(RunId("r1"), datetime(2024, 5, 1, tzinfo=UTC), (suite,))
    shape = json.loads(json.dumps(run_shape(run)))
    assert (shape["success"], shape["totalTests"], shape["totalPassed"], shape["totalFailed"]) == (False, 2, 1, 1)
    [told] = shape["suites"]
    assert {"success", "totalTests", "totalPassed", "totalFailed", "results", "errors", "duration"} <= set(told)
    assert [attempt["outcome"] for attempt in told["results"][0]["attempts"]] == ["failed", "passed"]
    assert told["results"][0]["flaky"] is True


def test_an_interrupted_run_is_no_success() -> None:
    assert not RunResult(RunId("r1"), datetime(2024, 5, 1, tzinfo=UTC), interrupted=True).success


def test_repetitions_are_kept_and_decide_nothing() -> None:
    again = tuple(Attempt(Outcome.PASSED, number, 5.0, reason="repeated_alone") for number in (2, 3))
    repeated = TestResult(CASE, (Attempt(Outcome.FAILED, 1, 2.0, message="no"), *again))

    assert (repeated.outcome, repeated.last.message, repeated.duration_ms) == (Outcome.FAILED, "no", 2.0)
    assert not repeated.is_flaky
    assert len(repeated.attempts) == 3
