"""A run's failures become a list of what to do, and a failed check is never written away."""

import pytest

from testwright.classify.quality.analysis import Stats, analysis_shape, analyze_run
from testwright.model.case import TestId
from testwright.model.outcome import Outcome
from testwright.model.verdict import Label

from .failures import ended, failed, improvements


def test_the_stats_count_each_test_once() -> None:
    analysis = analyze_run(
        [
            (ended("good", Outcome.PASSED), None),
            (ended("healed", Outcome.FAILED, Outcome.PASSED_WITH_HEAL), None),
            (ended("shaky", Outcome.FAILED, Outcome.PASSED), None),
            (ended("skipped", Outcome.SKIPPED), None),
            (ended("cut off", Outcome.INTERRUPTED), None),
            failed("lost", Label.SELECTOR_BROKEN),
            failed("wrong", Label.ASSERTION_MISMATCH),
        ],
        flaky=[TestId("pytest:tests/test_a.py::good"), TestId("pytest:tests/test_a.py::of another run")],
    )

    assert analysis.stats == Stats(total=7, passed=3, failed=2, flaky=2, needs_regeneration=1)
    assert [improvement.test for improvement in analysis.improvements] == [
        "pytest:tests/test_a.py::lost",
        "pytest:tests/test_a.py::wrong",
    ]


@pytest.mark.parametrize(
    ("label", "signature", "priority", "action"),
    [
        (Label.SELECTOR_BROKEN, "SELECTOR_ISSUE", "high", "regenerate"),
        (Label.TIMING_FLAKY, "TIMEOUT", "high", "regenerate"),
        (Label.NETWORK_MOCK_FAIL, "NETWORK_MOCK_FAIL", "high", "regenerate"),
        (Label.FRAME_FAIL, "FRAME_FAIL", "high", "regenerate"),
        (Label.URL_MISMATCH, "URL_MISMATCH", "high", "look"),
        (Label.API_ASSERTION_FAIL, "API_ASSERTION_FAIL", "high", "look"),
        (Label.ASSERTION_MISMATCH, "ASSERTION_FAIL", "medium", "look"),
        (Label.REAL_BUG, "ASSERTION_FAIL", "medium", "look"),
        (Label.SNAPSHOT_MISMATCH, "ASSERTION_FAIL", "medium", "look"),
        (Label.NAVIGATION_FAIL, "NAVIGATION_FAIL", "medium", "look"),
        (Label.ENVIRONMENT, "UNKNOWN", "medium", "look"),
        (None, "UNKNOWN", "medium", "look"),
    ],
)
def test_what_may_be_a_bug_is_looked_at_and_not_written_anew(
    label: Label | None, signature: str, priority: str, action: str
) -> None:
    [improvement] = improvements(failed("a", label))

    assert (improvement.signature, improvement.priority, improvement.action) == (signature, priority, action)


def test_the_shape_has_the_names_other_programs_know() -> None:
    message = "Error: expect(page).toHaveURL(expected) failed"
    shape = analysis_shape(analyze_run([failed("a", Label.URL_MISMATCH, message=message)]))

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
    assert analyze_run([]).stats == Stats()
