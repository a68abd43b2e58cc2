"""The model tells a test that fails by chance from one that a commit broke."""

import pytest

from testwright.classify.flakiness.flakiness_model import RATES, TryOutcome, believe


def seen(spelled: str) -> list[TryOutcome]:
    return [TryOutcome(is_new_code=True, failed=letter == "F") for letter in spelled]


# P(flaky), the rate and P(bad now), as they were worked out before this was written. The fifth was printed as .0359; a
# plain rewrite of the recursion with logarithms gives .035846 as well.
KNOWN = [
    ("P" * 50 + "F" * 50, 0.0093, 0.013, 1.000),
    ("F" * 30 + "P" * 30, 0.0122, 0.019, 0.0),
    ("P" * 20 + "F" * 5 + "P" * 35, 0.0089, 0.013, 0.0),
    ("P" * 59 + "F", 0.0126, 0.016, 0.891),
    ("P" * 29 + "F" + "P" * 30, 0.0358, 0.021, 0.0),
    ("P" * 20 + "F" + "P" * 19 + "F" + "P" * 19, 0.2246, 0.036, 0.0),
    (("P" * 9 + "F") * 6, 0.9999, 0.100, 0.161),
    ("PF" * 15, 1.0, 0.481, 0.035),
]


@pytest.mark.parametrize(("spelled", "flaky", "rate", "bad_now"), KNOWN)
def test_known_histories_give_the_known_numbers(spelled: str, flaky: float, rate: float, bad_now: float) -> None:
    belief = believe(seen(spelled))

    assert round(belief.flaky, 4) == flaky
    assert round(belief.rate, 3) == rate
    assert round(belief.bad_now, 3) == bad_now


def test_two_failures_that_passed_on_a_retry_weigh_more_than_two_that_a_commit_may_explain() -> None:
    history: list[TryOutcome] = []
    for commit in range(60):
        if commit in (20, 40):
            history += [TryOutcome(is_new_code=True, failed=True), TryOutcome(is_new_code=False, failed=False)]
        else:
            history.append(TryOutcome(is_new_code=True, failed=False))

    belief = believe(history)

    assert (round(belief.flaky, 4), round(belief.rate, 3), round(belief.bad_now, 3)) == (0.3375, 0.036, 0.0)


def test_a_history_without_failures_is_hardly_flaky_and_bounds_the_rate_by_its_length() -> None:
    belief = believe(seen("P" * 60))

    assert (belief.flaky, belief.rate, belief.low, belief.bad_now, belief.turned_bad) == (0.01, 0.0, 0.0, 0.0, None)
    assert belief.high == pytest.approx(1 - 0.05 ** (1 / 60))
    assert believe([]).high == 1.0


def test_the_interval_holds_the_rate_and_narrows_with_more_tries() -> None:
    short, long = believe(seen(("P" * 9 + "F") * 2)), believe(seen(("P" * 9 + "F") * 20))

    assert short.low <= 0.1 <= short.high
    assert long.low <= 0.1 <= long.high
    assert long.high - long.low < short.high - short.low
    assert {short.low, short.high} <= set(RATES)


@pytest.mark.parametrize(
    ("spelled", "turned_bad"),
    [
        ("P" * 50 + "F" * 50, 50),
        ("P" * 59 + "F", 59),
        ("F" * 30, 0),
        ("P" * 10 + "F" * 5 + "P" * 20 + "F" * 9, 35),  # the newest break, not one that was mended
        ("F" * 30 + "P" * 30, None),
        ("PF" * 15, None),
    ],
)
def test_the_most_probable_path_says_where_the_code_turned_bad(spelled: str, turned_bad: int | None) -> None:
    assert believe(seen(spelled)).turned_bad == turned_bad


def test_a_flaky_test_that_then_breaks_for_good_is_both() -> None:
    belief = believe(seen("PPPPPPFPPP" * 6 + "F" * 30))

    assert belief.flaky > 0.99
    assert belief.bad_now > 0.99
    assert belief.turned_bad == 60


def test_a_very_long_history_does_not_leave_what_a_number_can_hold() -> None:
    belief = believe(seen("PF" * 20_000))

    assert belief.flaky == pytest.approx(1.0)
    assert 0.4 <= belief.rate <= 0.5


def test_code_does_not_change_before_the_first_try() -> None:
    as_new = [TryOutcome(is_new_code=True, failed=True), *seen("PPPPPPPPPP")]
    as_old = [TryOutcome(is_new_code=False, failed=True), *seen("PPPPPPPPPP")]

    assert believe(as_new) == believe(as_old)
