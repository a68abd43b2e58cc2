"""What a run knows about its failures besides their words: the others, the retry, the page, the heal, the source."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.failure_labels import FailureLabel
from testwright.model.heal import HealOutcome, HealSuggestion, SelectorHeal
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.model.result_json import run_shape
from testwright.pipeline.explaining.journey import explain_run
from testwright.pipeline.explaining.shared_causes import Explanation
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

PASSED = Attempt(Outcome.PASSED)
REFUSED = "ConnectionRefusedError: [Errno 111] Connection refused"
LOST = (
    "TimeoutError: locator.click: Timeout 400ms exceeded.\nCall log:\n  - waiting for locator('#pay')\n\n"
    "    at tests/shop.spec.ts:7:20"
)


def failed(message: str, stack: str = "", outcome: Outcome = Outcome.FAILED, **more: object) -> Attempt:
    return replace(Attempt(outcome, message=message, stack=stack), **more)  # type: ignore[arg-type]  # fields of any kind


def run_of(*attempts: Attempt | tuple[Attempt, ...], framework: Framework = Framework.PYTEST) -> RunResult:
    """A run with one test for each attempt, or for several attempts at it."""
    results = [
        TestResult(
            TestCase(framework, "tests/test_shop.py", (f"test_{number}",)),
            tries if isinstance(tries, tuple) else (tries,),
        )
        for number, tries in enumerate(attempts)
    ]
    suite = SuiteResult(framework, ".", tuple(results))
    return RunResult(RunId("20260101-000000-abcdef"), datetime.now(UTC), (suite,))


def labels(explanation: Explanation) -> list[FailureLabel]:
    return [verdict.label for verdict in explanation.verdicts.values()]


# --- many at once ----------------------------------------------------------------------------


def test_one_cause_that_hits_many_tests_is_one_finding(tmp_path: Path) -> None:
    run = run_of(PASSED, *(failed(f"{REFUSED} (port {40000 + number})") for number in range(9)))

    explanation = explain_run(run, tmp_path)

    (cause,) = explanation.causes
    assert (cause.verdict.label, len(cause.tests)) == (FailureLabel.ENVIRONMENT, 9)
    assert "9 of 10 tests of this run failed so" in [quote.text for quote in cause.verdict.evidence]


def test_timeouts_all_over_a_run_are_the_machine_s(tmp_path: Path) -> None:
    message = "Test timed out in 5000ms."
    alone = explain_run(run_of(failed(message), *[PASSED] * 9, framework=Framework.VITEST), tmp_path)
    together = explain_run(run_of(*[failed(message)] * 6, *[PASSED] * 4, framework=Framework.VITEST), tmp_path)

    assert labels(alone) == [FailureLabel.TIMING_FLAKY]
    assert set(labels(together)) == {FailureLabel.ENVIRONMENT}
    assert len(together.causes) == 1


def test_when_every_test_fails_from_a_moment_on_it_is_one_finding(tmp_path: Path) -> None:
    words = [
        "socket hang up",
        "Test timed out in 5000ms.",
        REFUSED,
        "read ECONNRESET",
        "Test timed out in 99ms.",
        REFUSED,
    ]
    run = run_of(*[PASSED] * 6, *map(failed, words), framework=Framework.JEST)

    explanation = explain_run(run, tmp_path)

    (cause,) = explanation.causes
    assert (cause.verdict.label, len(cause.tests)) == (FailureLabel.ENVIRONMENT, 6)


def test_wrong_values_are_never_the_machine_s_however_many_there_are(tmp_path: Path) -> None:
    run = run_of(PASSED, *(failed(f"AssertionError: assert {n} == 7", f"E  assert {n} == 7") for n in range(6)))

    explanation = explain_run(run, tmp_path)

    assert set(labels(explanation)) == {FailureLabel.ASSERTION_MISMATCH}
    assert len(explanation.causes) == 6


def test_a_lost_element_that_many_tests_share_stays_a_lost_element_with_one_cause(tmp_path: Path) -> None:
    explanation = explain_run(run_of(*[failed(LOST)] * 6, PASSED, framework=Framework.PLAYWRIGHT), tmp_path)

    (cause,) = explanation.causes
    assert (cause.verdict.label, len(cause.tests)) == (FailureLabel.SELECTOR_BROKEN, 6)


def test_one_place_in_the_product_is_one_cause(tmp_path: Path) -> None:
    stack = (
        "tests/test_shop.py:{}: in test_pay\n    pay()\nshop/till.py:4: in pay\nE   ZeroDivisionError: division by zero"
    )
    run = run_of(*(failed("ZeroDivisionError: division by zero", stack.format(n)) for n in range(3)), *[PASSED] * 9)

    (cause,) = explain_run(run, tmp_path).causes

    assert (cause.verdict.label, len(cause.tests)) == (FailureLabel.REAL_BUG, 3)


# --- what else the run knows -----------------------------------------------------------------


def test_a_test_that_passed_when_it_was_run_again_is_explained_and_counts_as_no_failure(tmp_path: Path) -> None:
    explanation = explain_run(run_of((failed("assert 2 == 3", "E  assert 2 == 3"), PASSED)), tmp_path)

    assert labels(explanation) == [FailureLabel.TIMING_FLAKY]
    assert explanation.causes == ()


def test_an_element_that_was_there_again_makes_it_a_matter_of_time(tmp_path: Path) -> None:
    run = run_of(failed(LOST), framework=Framework.PLAYWRIGHT)
    entry = HealEntry(
        run.results[0].case, ".", HealStatus.REFUSED, SelectorHeal("", HealOutcome.ABSTAIN, "there_again")
    )

    assert labels(explain_run(run, tmp_path)) == [FailureLabel.SELECTOR_BROKEN]
    assert labels(explain_run(run, tmp_path, heals=[entry])) == [FailureLabel.TIMING_FLAKY]


def test_what_the_heal_pass_found_is_reported(tmp_path: Path) -> None:
    run = run_of(failed(LOST), framework=Framework.PLAYWRIGHT)
    suggestions = (HealSuggestion("locator('#pay-now')"),)
    heal = SelectorHeal("#pay", HealOutcome.SUGGEST, "ambiguous", suggestions=suggestions)
    entry = HealEntry(run.results[0].case, ".", HealStatus.SUGGESTED, heal)

    (verdict,) = explain_run(run, tmp_path, heals=[entry]).verdicts.values()

    assert verdict.fix is not None
    assert (verdict.fix.old, verdict.fix.new) == ("#pay", "locator('#pay-now')")
    assert verdict.evidence[-1].start == -1  # it is not from the text


def test_what_only_followed_from_the_first_error_is_not_the_reason(tmp_path: Path) -> None:
    first = (
        "Error: expect(locator).toHaveText(expected) failed\n\nLocator: locator('#price')\n"
        'Expected: "3.00"\nReceived: "3.50"\nTimeout: 800ms'
    )
    closed = "Error: page.screenshot: Target page, context or browser has been closed"
    attempt = failed(first, f"{first}\n    at tests/shop.spec.ts:7:2\n\n{closed}", errors=(first, closed))

    assert labels(explain_run(run_of(attempt, framework=Framework.PLAYWRIGHT), tmp_path)) == [
        FailureLabel.ASSERTION_MISMATCH
    ]


@pytest.mark.parametrize(
    ("page", "label"),
    [
        ('- heading "500 Internal Server Error" [level=1]', FailureLabel.REAL_BUG),
        ('- main:\n  - heading "Basket" [level=1]\n  - button "Pay now"', FailureLabel.SELECTOR_BROKEN),
    ],
)
def test_the_page_at_the_failure_has_its_say(tmp_path: Path, page: str, label: FailureLabel) -> None:
    (tmp_path / "error-context.md").write_text(f"# Page snapshot\n\n```yaml\n{page}\n```\n")
    attempt = failed(LOST, artifacts=(Artifact("error-context", "error-context.md"),))

    assert labels(explain_run(run_of(attempt, framework=Framework.PLAYWRIGHT), tmp_path)) == [label]


def test_a_page_that_is_gone_says_nothing(tmp_path: Path) -> None:
    attempt = failed(LOST, artifacts=(Artifact("error-context", "gone.md"),))

    assert labels(explain_run(run_of(attempt, framework=Framework.PLAYWRIGHT), tmp_path)) == [
        FailureLabel.SELECTOR_BROKEN
    ]


def test_the_line_that_failed_is_read_where_the_runner_leaves_it_out(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    source = tmp_path / "tests" / "shop.spec.ts"
    source.write_text("\n" * 6 + "  expect(response.status()).toBe(200);\n")
    said = "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 200\nReceived: 404"
    attempt = failed(said, f"{said}\n    at {source}:7:29")

    now = run_of(attempt, framework=Framework.PLAYWRIGHT)
    before = replace(now, started_at=datetime(2020, 1, 1, tzinfo=UTC))  # the file has changed since: it is not asked

    assert labels(explain_run(now, tmp_path)) == [FailureLabel.API_ASSERTION_FAIL]
    assert labels(explain_run(before, tmp_path)) == [FailureLabel.ASSERTION_MISMATCH]


def test_where_the_project_lies_says_nothing_about_its_files(tmp_path: Path) -> None:
    root = tmp_path / "tests" / "shop"
    said = "TypeError: Cannot read properties of undefined (reading 'level')"
    attempt = failed(said, f"{said}\n    at discountOf ({root}/src/discount.ts:4:12)")
    run = run_of(attempt, framework=Framework.JEST)

    assert labels(explain_run(run, root)) == [FailureLabel.REAL_BUG]


@pytest.mark.parametrize(
    ("attempt", "label"),
    [
        (failed("It was still running after 300 s.", outcome=Outcome.TIMEOUT), FailureLabel.TIMING_FLAKY),
        (failed("", outcome=Outcome.CRASHED, reason="signal_11"), FailureLabel.ENVIRONMENT),
        (failed("MemoryError", outcome=Outcome.FAILED, reason="memory_limit"), FailureLabel.ENVIRONMENT),
        (failed("Not started: the run was stopped.", outcome=Outcome.INTERRUPTED), FailureLabel.ENVIRONMENT),
        (failed("", outcome=Outcome.NO_VERDICT, reason="process_exited"), FailureLabel.TEST_BUG),
        (failed("It changed the umask.", outcome=Outcome.ENVIRONMENT_CHANGED), FailureLabel.TEST_BUG),
        (failed("", outcome=Outcome.NO_VERDICT), FailureLabel.UNKNOWN),
    ],
)
def test_how_a_test_ended_counts_where_no_check_said_no(tmp_path: Path, attempt: Attempt, label: FailureLabel) -> None:
    assert labels(explain_run(run_of(attempt), tmp_path)) == [label]


def test_a_run_whose_tests_all_crash_is_one_finding(tmp_path: Path) -> None:
    crashed = failed("", outcome=Outcome.CRASHED, reason="signal_9")
    hanging = failed("", outcome=Outcome.TIMEOUT)

    for attempt, label in ((crashed, FailureLabel.ENVIRONMENT), (hanging, FailureLabel.TIMING_FLAKY)):
        (cause,) = explain_run(run_of(*[attempt] * 6), tmp_path).causes
        assert (cause.verdict.label, len(cause.tests)) == (label, 6)


def test_every_failed_result_has_its_verdict_in_json(tmp_path: Path) -> None:
    run = run_of(PASSED, failed("assert 2 == 3", "E  assert 2 == 3"))
    shape = run_shape(run)
    explain_run(run, tmp_path).add_to(shape)

    passed, broken = shape["suites"][0]["results"]
    assert passed["verdict"] is None
    assert broken["verdict"]["label"] == "assertion_mismatch"
    assert shape["causes"][0]["tests"] == [broken["id"]]
