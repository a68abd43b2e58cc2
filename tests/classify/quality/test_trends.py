"""Failures of each kind over the newest runs."""

from datetime import UTC, datetime, timedelta

from testwright.classify.quality.run_analysis import analyze_run
from testwright.classify.quality.trends import Trends, trends, trends_shape
from testwright.model.failure_labels import FailureLabel
from testwright.model.result import RunId

from .failures import failed

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def over(*runs: dict[FailureLabel, int]) -> Trends:
    return trends(
        (
            RunId(f"run-{number}"),
            NOON + timedelta(hours=number),
            analyze_run(failed(f"{label}-{n}", label) for label, count in run.items() for n in range(count)),
        )
        for number, run in enumerate(runs)
    )


def test_failures_are_counted_by_label_and_run() -> None:
    found = over({FailureLabel.REAL_BUG: 1}, {}, {FailureLabel.REAL_BUG: 2, FailureLabel.TIMING_FLAKY: 5})

    assert found.labels == ("timing_flaky", "real_bug")
    assert found.failures("real_bug") == (1, 0, 2)
    assert found.failures() == (1, 0, 7)
    assert [point.run for point in found.points] == ["run-0", "run-1", "run-2"]


def test_runs_come_in_the_order_of_time_however_they_are_given() -> None:
    newer = (RunId("new"), NOON + timedelta(hours=1), analyze_run([]))
    older = (RunId("old"), NOON, analyze_run([]))

    assert [point.run for point in trends([newer, older]).points] == ["old", "new"]


def test_the_change_compares_the_newer_half_with_the_older() -> None:
    found = over(
        {FailureLabel.REAL_BUG: 1},
        {FailureLabel.REAL_BUG: 1},
        {FailureLabel.REAL_BUG: 9},
        {FailureLabel.REAL_BUG: 3},
        {FailureLabel.REAL_BUG: 4},
    )

    assert found.change("real_bug") == 2.5
    assert over({FailureLabel.REAL_BUG: 1}, {}, {}).change() is None


def test_the_shape_can_be_traced_to_the_runs() -> None:
    shape = trends_shape(over({FailureLabel.REAL_BUG: 1}))

    assert shape["runs"] == [
        {
            "run": "run-0", "startedAt": "2024-05-01T12:00:00+00:00", "total": 1, "failed": 1,
            "byLabel": {"real_bug": 1},
        }
    ]  # fmt: skip
    assert shape["change"] == {"real_bug": None}
