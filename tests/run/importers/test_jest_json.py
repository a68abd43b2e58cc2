"""The JSON reports of Jest and of Vitest: one shape, two writers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, TestResult

ReadText = Callable[..., RunResult]
Json = dict[str, object]
JEST: Json = {"numRuntimeErrorTestSuites": 0, "wasInterrupted": False, "openHandles": []}


def assertion(title: str = "adds", status: str = "passed", **more: object) -> Json:
    plain = {"ancestorTitles": ["cart"], "title": title, "fullName": f"cart {title}", "status": status, "duration": 3}
    return {**plain, "failureMessages": [], **more}


def file(*assertions: Json, name: str = "/ci/shop/cart.test.js", status: str = "passed", **more: object) -> Json:
    times = {"startTime": 1_770_000_000_500, "endTime": 1_770_000_002_000}
    return {"name": name, "status": status, "message": "", "assertionResults": list(assertions), **times, **more}


def report(*files: Json, **more: object) -> str:
    return json.dumps(
        {"numTotalTests": 1, "success": True, "startTime": 1_770_000_000_000, "testResults": list(files), **more}
    )


def only(run: RunResult) -> TestResult:
    assert len(run.results) == 1
    return run.results[0]


def test_each_writer_is_known_by_its_own_fields(read_text: ReadText) -> None:
    assert read_text(report(file(assertion()), **JEST)).source == "jest"
    assert read_text(report(file(assertion(meta={})))).source == "vitest"


@pytest.mark.parametrize("name", ["jest", "vitest"])
def test_a_format_that_is_given_decides(read_text: ReadText, name: str) -> None:
    for markers in (JEST, {}):
        run = read_text(report(file(assertion()), **markers), format=name)
        assert (run.source, run.suites[0].framework) == (name, name)


def test_a_test_is_named_by_its_file_and_its_groups(read_text: ReadText, project: Path) -> None:
    found = only(
        read_text(report(file(assertion(location={"line": 9, "column": 2}), name=f"{project}/src/cart.test.js")))
    )

    assert found.case.id == "vitest:src/cart.test.js::cart › adds"
    assert found.case.line == 9
    assert found.duration_ms == 3


def test_the_run_lasts_from_its_start_to_its_last_file(read_text: ReadText) -> None:
    run = read_text(report(file(assertion())))

    assert run.started_at.timestamp() == 1_770_000_000
    assert run.duration_ms == 2000


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("passed", Outcome.PASSED),
        ("failed", Outcome.FAILED),
        ("pending", Outcome.SKIPPED),
        ("skipped", Outcome.SKIPPED),
        ("todo", Outcome.SKIPPED),
        ("disabled", Outcome.SKIPPED),
        ("focused?", Outcome.NO_VERDICT),
    ],
)
def test_each_status_has_its_outcome(read_text: ReadText, status: str, outcome: Outcome) -> None:
    assert only(read_text(report(file(assertion(status=status))))).outcome is outcome


def test_the_stack_is_split_from_the_message(read_text: ReadText) -> None:
    failure = "Error: expected 1\n\nto be 2\n    at cart.test.js:3:5\n    at run (x.js:1:1)"

    attempt = only(read_text(report(file(assertion(status="failed", failureMessages=[failure, "second"]))))).last

    assert attempt.message == "Error: expected 1\n\nto be 2"
    assert attempt.stack == failure
    assert attempt.errors == (failure, "second")


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("thrown: Exceeded timeout of 5000 ms for a test.", id="jest"),
        pytest.param("Error: Test timed out in 5000ms.\nIf this is", id="vitest"),
        pytest.param("Error: STACK_TRACE_ERROR\n    at cart.test.js:3:5", id="vitest 4, words lost"),
    ],
)
def test_a_timeout_is_called_one(read_text: ReadText, message: str) -> None:
    assert (
        only(read_text(report(file(assertion(status="failed", failureMessages=[message]))))).outcome is Outcome.TIMEOUT
    )


def test_jests_retries_are_attempts(read_text: ReadText) -> None:
    found = only(read_text(report(file(assertion(invocations=3, retryReasons=["first", "second"])), **JEST)))

    assert [attempt.outcome for attempt in found.attempts] == [Outcome.FAILED, Outcome.FAILED, Outcome.PASSED]
    assert [attempt.message for attempt in found.attempts] == ["first", "second", ""]
    assert found.is_flaky


def test_retries_that_left_no_words_are_attempts_too(read_text: ReadText) -> None:
    found = only(read_text(report(file(assertion(status="failed", invocations=2)), **JEST)))

    assert [attempt.outcome for attempt in found.attempts] == [Outcome.FAILED, Outcome.FAILED]


def test_a_pass_that_still_carries_failures_is_vitests_way_to_say_flaky(read_text: ReadText) -> None:
    found = only(read_text(report(file(assertion(failureMessages=["the first try"], meta={})))))

    assert [attempt.outcome for attempt in found.attempts] == [Outcome.FAILED, Outcome.PASSED]


def test_no_report_makes_us_build_a_million_attempts(read_text: ReadText) -> None:
    with pytest.raises(MalformedReport, match=r"assertionResults\[0\]\.invocations"):
        read_text(report(file(assertion(invocations=1_000_000_000)), **JEST))


def test_a_file_that_did_not_load_is_a_case_without_a_title(read_text: ReadText) -> None:
    run = read_text(report(file(status="failed", message="SyntaxError: no"), success=False))

    assert only(run).case.id == "vitest:/ci/shop/cart.test.js"
    assert (only(run).outcome, only(run).last.message) == (Outcome.ERROR, "SyntaxError: no")


def test_an_execution_error_says_what_happened(read_text: ReadText) -> None:
    error = {"message": "Cannot find module 'x'", "stack": "at y"}

    attempt = only(read_text(report(file(status="failed", message="long", testExecError=error), **JEST))).last

    assert (attempt.message, attempt.stack) == ("Cannot find module 'x'", "at y")


def test_a_hook_that_broke_is_not_lost_beside_skipped_tests(read_text: ReadText) -> None:
    run = read_text(report(file(assertion(status="skipped"), status="failed", message="beforeAll: no"), success=False))

    assert [found.outcome for found in run.results] == [Outcome.SKIPPED, Outcome.ERROR]


def test_a_file_with_a_failed_test_is_not_counted_again(read_text: ReadText) -> None:
    run = read_text(report(file(assertion(status="failed"), status="failed", message="1 failed"), success=False))

    assert len(run.results) == 1


def test_a_run_that_failed_outside_its_tests_is_not_a_success(read_text: ReadText) -> None:
    run = read_text(report(file(assertion()), success=False))

    assert [problem.code for problem in run.suites[0].problems] == ["unexplained_failure"]


def test_an_interrupted_run_says_so(read_text: ReadText) -> None:
    assert read_text(report(file(assertion()), **{**JEST, "wasInterrupted": True})).interrupted


@pytest.mark.parametrize("duration", [None, -5, 1e400])
def test_a_duration_that_is_none_counts_as_zero(read_text: ReadText, duration: float | None) -> None:
    text = report(file(assertion(duration=duration))).replace("Infinity", "1e400")

    assert only(read_text(text)).duration_ms == 0
