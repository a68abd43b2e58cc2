"""Runs in which far more tests failed than usual say nothing of any single test."""

from testwright.classify.flakiness.outages import find_outages
from testwright.model.history import History

from .spelled import history


def suite(size: int, failing: dict[int, int], *, runs: int = 20) -> list[History]:
    """Tests that all pass, but for the first so many of them in the runs named."""
    return [
        history(f"test-{number:03d}", ["F" if number < failing.get(run, 0) else "P" for run in range(runs)])
        for number in range(size)
    ]


def found(histories: list[History]) -> list[str]:
    return [outage.run.id for outage in find_outages(histories).found]


def test_a_run_in_which_a_third_of_all_tests_failed_is_an_outage() -> None:
    outages = find_outages(suite(90, {7: 30, 3: 1}))

    [outage] = outages.found
    assert (outage.run.id, outage.failed, outage.ran) == ("run-7", 30, 90)
    assert outages.ids == {"run-7"}


def test_a_share_below_eight_points_above_the_usual_is_none() -> None:
    assert found(suite(100, {7: 8})) == []
    assert found(suite(100, {7: 9})) == ["run-7"]


def test_the_limit_grows_with_how_much_the_share_usually_varies() -> None:
    restless = {run: 5 * (run % 5) for run in range(20)}  # 0, 5, 10, 15 or 20 of 100

    assert found(suite(100, restless | {19: 35})) == []


def test_in_a_small_suite_a_few_failures_are_not_an_outage_however_large_their_share() -> None:
    assert found(suite(12, {7: 1, 9: 4})) == []
    assert found(suite(12, {7: 5})) == ["run-7"]


def test_a_run_of_just_the_tests_that_had_failed_is_not_an_outage() -> None:
    whole = suite(100, {7: 6})
    again = [history(f"test-{number:03d}", "F", first=50) for number in range(6)]
    both = [
        History(first.test, (*first.tries, *(again[number].tries if number < 6 else ())))
        for number, first in enumerate(whole)
    ]

    assert found(both) == []


def test_a_retry_that_passed_does_not_undo_the_failure_of_that_run() -> None:
    histories = [history(f"test-{number}", ["P"] * 9 + ["FP"] + ["P"] * 9) for number in range(20)]

    assert found(histories) == ["run-9"]


def test_outages_that_no_other_run_has_followed_are_kept_apart() -> None:
    outages = find_outages(suite(90, {4: 40, 18: 40, 19: 40}))

    assert [outage.run.id for outage in outages.found] == ["run-4", "run-18", "run-19"]
    assert outages.at_the_end == {"run-18", "run-19"}


def test_no_history_has_no_outage() -> None:
    assert found([]) == []
