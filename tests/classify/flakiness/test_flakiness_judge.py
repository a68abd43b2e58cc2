"""Every test gets a verdict that can be traced to its runs."""

from datetime import UTC, datetime
from random import Random

import pytest

from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.flakiness_report import FlakinessVerdict, flakiness_shape, report_shape
from testwright.model.case import TestId
from testwright.model.history import History, PastAttempt, PastRun
from testwright.model.result import RunId

from .spelled import history, judged, run_number


@pytest.mark.parametrize(
    ("spelled", "verdict"),
    [
        ("PF" * 15, FlakinessVerdict.CONFIRMED),
        (("P" * 9 + "F") * 6, FlakinessVerdict.CONFIRMED),
        ("P" * 29 + "F" + "P" * 30, FlakinessVerdict.SUSPECTED),
        ("P" * 50 + "F" * 50, FlakinessVerdict.BROKEN),
        ("P" * 59 + "F", FlakinessVerdict.BROKEN),
        ("F" * 60, FlakinessVerdict.BROKEN),
        ("F" * 30 + "P" * 30, FlakinessVerdict.HEALTHY),
        ("P" * 20 + "F" * 5 + "P" * 35, FlakinessVerdict.HEALTHY),
        ("P" * 60, FlakinessVerdict.HEALTHY),
        ("P" * 9, FlakinessVerdict.INSUFFICIENT_DATA),
        ("PFPFPFPFP", FlakinessVerdict.INSUFFICIENT_DATA),
    ],
)
def test_the_verdict_tells_flaky_broken_and_healthy_apart(spelled: str, verdict: FlakinessVerdict) -> None:
    assert judged(a=spelled)["a"].verdict is verdict


def test_fifty_passes_then_fifty_failures_are_a_break_and_not_a_coin() -> None:
    broken, coin = judged(broken="P" * 50 + "F" * 50)["broken"], judged(coin="PF" * 50)["coin"]

    assert (broken.flaky_rate, coin.flaky_rate) == (50, 50)
    assert (broken.state, coin.state) == ("broken", "flaky")
    assert broken.broken_since == run_number(50)
    assert broken.reasons[-1] == (
        "It most probably broke at commit commit-50 (run run-50), and has not been seen to work since."
    )


def test_display_fields_count_every_try() -> None:
    test = judged(a=["P"] * 6 + ["FP"] + ["P"] * 4 + ["F"] * 2)["a"]

    shape = flakiness_shape(test)

    assert (shape["passCount"], shape["failCount"]) == (11, 3)
    assert shape["flakyRate"] == 21  # 3 of 14
    assert shape["failedIn"] == ["run-12", "run-11", "run-6"]


def test_half_a_percent_is_rounded_up_as_other_tools_do() -> None:
    assert judged(a="F" + "P" * 199)["a"].flaky_rate == 1


def test_reasons_name_the_code_that_gave_both_answers_and_the_flips() -> None:
    test = judged(a=["P", "FP", "P", "P", "FP", "P", "P", "P", "FP", "P", "FP", "P"])["a"]

    assert test.verdict is FlakinessVerdict.CONFIRMED
    assert [run.commit for run in test.discordant] == ["commit-1", "commit-4", "commit-8", "commit-10"]
    assert test.reasons[0] == (
        "It both passed and failed on the same code, 4 times: at commit commit-1, commit commit-4,"
        " commit commit-8 and 1 more."
    )
    assert test.reasons[1] == "It went from passing to failing or back 8 times in 16 tries."


def test_a_test_that_was_always_red_is_reported_as_such() -> None:
    test = judged(a="F" * 12)["a"]

    assert test.always_broken
    assert "for as long as it is known" in test.reasons[-1]


def test_failures_that_were_mended_are_reported_as_such() -> None:
    assert judged(a="P" * 20 + "F" * 5 + "P" * 35)["a"].reasons[-1] == (
        "Its failures look like 1 break that was mended: it has passed in the 35 tries since the last of them."
    )


def test_too_few_tries_are_said_to_be_too_few() -> None:
    assert judged(a="PFP")["a"].reasons[0] == "Only 3 tries of it can be used; 10 are needed for a verdict."


def test_runs_on_changed_files_or_without_a_commit_are_never_the_same_code() -> None:
    def on(run_of: list[PastRun]) -> History:
        return History(TestId("a"), tuple(PastAttempt(run, number % 5 == 0) for number, run in enumerate(run_of)))

    clean = [run_number(number, commit="abc") for number in range(20)]
    changed = [run_number(number, commit="abc", dirty=True) for number in range(20)]
    unknown = [run_number(number, commit="") for number in range(20)]

    assert [len(judge_flakiness([on(runs)]).tests[0].discordant) for runs in (clean, changed, unknown)] == [1, 0, 0]


def test_repetitions_of_one_run_are_the_same_code_in_any_work_tree() -> None:
    moment = datetime(2024, 1, 1, tzinfo=UTC)
    runs = [PastRun(RunId(f"run-{n}"), moment, "", dirty=True, same_as="now") for n in range(12)]

    [test] = judge_flakiness(
        [History(TestId("a"), tuple(PastAttempt(run, n in (3, 7)) for n, run in enumerate(runs)))]
    ).tests

    assert test.verdict is FlakinessVerdict.CONFIRMED
    assert test.discordant == (runs[0],)


# Outages --------------------------------------------------------------------------------------------------------------


def suite_with(**spelled: str) -> list[History]:
    """These tests, among 40 that do what `most` does."""
    most = spelled.pop("most")
    others = [history(f"other-{number:02d}", most) for number in range(40)]
    return [*(history(name, letters) for name, letters in spelled.items()), *others]


def test_a_failure_in_an_outage_does_not_count() -> None:
    report = judge_flakiness(suite_with(most="P" * 10 + "F" + "P" * 20, a="P" * 10 + "F" + "P" * 20))

    assert [outage.run.id for outage in report.outages] == ["run-10"]
    assert {test.verdict for test in report.tests} == {FlakinessVerdict.HEALTHY}
    test = report.tests[0]
    assert (test.failed, test.flips, test.probability) == (1, 0, 0.01)
    assert test.reasons == ("1 failure was left out: up to 100% of all tests failed in the same run (run-10).",)


def test_a_test_known_from_outages_only_keeps_its_history() -> None:
    alone = History(TestId("alone"), (PastAttempt(run_number(10), failed=True),))

    report = judge_flakiness([*suite_with(most="P" * 10 + "F" + "P" * 20), alone])

    test = next(test for test in report.tests if test.test == "alone")
    assert (test.tries, test.verdict) == (1, FlakinessVerdict.INSUFFICIENT_DATA)


def test_one_outage_at_the_end_asks_for_another_run() -> None:
    report = judge_flakiness(suite_with(most="P" * 20 + "F", a="P" * 21))

    test = next(test for test in report.tests if test.failed)
    assert test.verdict is FlakinessVerdict.HEALTHY
    assert "run the tests again" in test.reasons[0]


def test_an_outage_that_does_not_end_is_a_break_for_the_tests_it_broke() -> None:
    report = judge_flakiness(suite_with(most="P" * 20 + "FF", a="P" * 22))

    by_name = {test.test: test for test in report.tests}
    assert by_name[TestId("a")].verdict is FlakinessVerdict.HEALTHY
    other = by_name[TestId("other-00")]
    assert (other.verdict, other.broken_since) == (FlakinessVerdict.BROKEN, run_number(20))


# The report -----------------------------------------------------------------------------------------------------------


def test_the_report_puts_the_most_pressing_first_and_only_counts_what_never_failed() -> None:
    report = judge_flakiness(
        history(name, spelled)
        for name, spelled in {
            "fine": "P" * 20, "new": "PFP", "broken": "P" * 15 + "F" * 5, "coin": "PF" * 10,
            "maybe": "P" * 10 + "F" + "P" * 20,
        }.items()
    )  # fmt: skip

    assert [test.test for test in report.tests] == ["coin", "maybe", "broken", "new", "fine"]
    shape = report_shape(report)
    assert [test["testId"] for test in shape["flakyTests"]] == ["coin", "maybe", "broken", "new"]
    assert shape["counts"] == {"confirmed": 1, "suspected": 1, "broken": 1, "insufficient_data": 1, "healthy": 1}
    assert (shape["runs"], shape["tests"], shape["outages"]) == (31, 5, [])


def test_the_same_histories_give_the_same_report_in_any_order() -> None:
    chance = Random(3)
    histories = [history(f"test-{number}", "".join(chance.choice("PPPPPF") for _ in range(30))) for number in range(30)]

    forwards, backwards = judge_flakiness(histories), judge_flakiness(reversed(histories))

    assert forwards == backwards


def test_nothing_known_gives_an_empty_report() -> None:
    assert judge_flakiness([History(TestId("a"), ())]).tests == ()
