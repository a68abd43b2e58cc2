"""A run's failures become a list of what to do, and a failed check is never written away."""

import pytest

from testwright.classify.quality.run_analysis import RunStats, analysis_shape, analyze_run
from testwright.model.case import TestId
from testwright.model.failure_labels import FailureLabel
from testwright.model.outcome import Outcome

from .failures import ended, failed, improvements


def test_the_stats_count_each_test_once() -> None:
    analysis = analyze_run(
        [
            (ended("good", Outcome.PASSED), None),
            (ended("healed", Outcome.FAILED, Outcome.PASSED_WITH_HEAL), None),
            (ended("shaky", Outcome.FAILED, Outcome.PASSED), None),
            (ended("skipped", Outcome.SKIPPED), None),
            (ended("cut off", Outcome.INTERRUPTED), None),
            failed("lost", FailureLabel.SELECTOR_BROKEN),
            failed("wrong", FailureLabel.ASSERTION_MISMATCH),
        ],
        flaky=[TestId("pytest:tests/test_a.py::good"), TestId("pytest:tests/test_a.py::of another run")],
    )

    assert analysis.stats == RunStats(total=7, passed=3, failed=2, flaky=2, needs_regeneration=1)
    assert [improvement.test for improvement in analysis.improvements] == [
        "pytest:tests/test_a.py::lost",
        "pytest:tests/test_a.py::wrong",
    ]


@pytest.mark.parametrize(
    ("label", "signature", "priority", "action"),
    [
        (FailureLabel.SELECTOR_BROKEN, "SELECTOR_ISSUE", "high", "regenerate"),
        (FailureLabel.TIMING_FLAKY, "TIMEOUT", "high", "regenerate"),
        (FailureLabel.NETWORK_MOCK_FAIL, "NETWORK_MOCK_FAIL", "high", "regenerate"),
        (FailureLabel.FRAME_FAIL, "FRAME_FAIL", "high", "regenerate"),
        (FailureLabel.URL_MISMATCH, "URL_MISMATCH", "high", "look"),
        (FailureLabel.API_ASSERTION_FAIL, "API_ASSERTION_FAIL", "high", "look"),
        (FailureLabel.ASSERTION_MISMATCH, "ASSERTION_FAIL", "medium", "look"),
        (FailureLabel.REAL_BUG, "ASSERTION_FAIL", "medium", "look"),
        (FailureLabel.SNAPSHOT_MISMATCH, "ASSERTION_FAIL", "medium", "look"),
        (FailureLabel.NAVIGATION_FAIL, "NAVIGATION_FAIL", "medium", "look"),
        (FailureLabel.ENVIRONMENT, "UNKNOWN", "medium", "look"),
        (None, "UNKNOWN", "medium", "look"),
    ],
)
def test_what_may_be_a_bug_is_looked_at_and_not_rewritten(
    label: FailureLabel | None, signature: str, priority: str, action: str
) -> None:
    [improvement] = improvements(failed("a", label))

    assert (improvement.signature, improvement.priority, improvement.action) == (signature, priority, action)


def test_the_shape_has_the_names_other_programs_know() -> None:
    message = "Error: expect(page).toHaveURL(expected) failed"
    shape = analysis_shape(analyze_run([failed("a", FailureLabel.URL_MISMATCH, message=message)]))

    assert shape["stats"] == {"total": 1, "passed": 0, "failed": 1, "flaky": 0, "needsRegeneration": 0}
    [improvement] = shape["improvements"]
    assert improvement == {
        "testId": "pytest:tests/test_a.py::a",
        "failureCategory": "URL_MISMATCH",
        "label": "url_mismatch",
        "errorMessage": message,
        "assertionMethod": "toHaveURL",
        "priority": "high",
        "action": "look",
    }


def test_an_empty_run_has_nothing_to_do() -> None:
    assert analyze_run([]).stats == RunStats()
