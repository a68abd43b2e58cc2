"""Tests that fail for their order, and tests that fail together, are named where the data show it."""

from random import Random

from testwright.classify.flakiness.patterns import CoFailure, OrderDependence, co_failures, find_patterns
from testwright.model.case import TestId
from testwright.model.history import History, PastAttempt
from testwright.model.result import RunId

from .spelled import history, run_number

NAMES = [f"test-{number}" for number in range(8)]


def in_orders(orders: list[list[str]], fails: dict[str, object]) -> list[History]:
    """Histories of tests that ran in these orders; `fails` says of a test, given those before it, whether it failed."""
    tries: dict[str, list[PastAttempt]] = {}
    for number, order in enumerate(orders):
        for position, name in enumerate(order):
            rule = fails.get(name)
            failed = bool(callable(rule) and rule(set(order[:position]), number))
            tries.setdefault(name, []).append(PastAttempt(run_number(number), failed, 0, position))
    return [History(TestId(name), tuple(of_test)) for name, of_test in tries.items()]


def shuffled(count: int, *, seed: int = 1) -> list[list[str]]:
    chance = Random(seed)
    return [chance.sample(NAMES, len(NAMES)) for _ in range(count)]


def test_a_test_that_fails_only_after_another_is_named_with_it() -> None:
    histories = in_orders(shuffled(30), {"test-3": lambda before, _run: "test-5" in before})

    [found] = find_patterns(histories).order

    assert (found.test, found.others, found.fails_after) == ("test-3", ("test-5",), True)
    assert len(found.failed_in) + len(found.passed_in) == 30
    assert found.sentence.startswith("test-3 fails only after test-5: so in ")


def test_a_test_that_needs_another_before_it_is_named_with_it() -> None:
    histories = in_orders(shuffled(30), {"test-3": lambda before, _run: "test-5" not in before})

    [found] = find_patterns(histories).order

    assert (found.others, found.fails_after) == (("test-5",), False)
    assert "fails unless it comes after test-5" in found.sentence


def test_a_test_that_fails_by_chance_is_not_blamed_on_an_order() -> None:
    for seed in range(10):
        fails = Random(f"fails {seed}").choices([True, False], weights=[3, 7], k=30)
        histories = in_orders(shuffled(30, seed=seed), {"test-3": lambda _before, run, fails=fails: fails[run]})

        assert find_patterns(histories).order == ()


def test_one_order_for_all_runs_shows_nothing() -> None:
    histories = in_orders([NAMES] * 30, {"test-3": lambda _before, run: run % 3 == 0})

    assert find_patterns(histories).order == ()


def test_an_order_that_changed_when_the_code_broke_is_not_blamed() -> None:
    orders = [NAMES] * 15 + [NAMES[::-1]] * 15

    assert find_patterns(in_orders(orders, {"test-3": lambda _before, run: run >= 15})).order == ()


def test_tests_of_another_suite_are_not_before_it() -> None:
    histories = [
        History(one.test, tuple(PastAttempt(a.run, a.failed, int(one.test == "test-5"), a.position) for a in one.tries))
        for one in in_orders(shuffled(30), {"test-3": lambda before, _run: "test-5" in before})
    ]

    assert find_patterns(histories).order == ()


def test_outages_are_not_evidence_of_order() -> None:
    histories = in_orders(shuffled(30), {"test-3": lambda before, _run: "test-5" in before})

    assert find_patterns(histories, outages=[RunId(f"run-{number}") for number in range(25)]).order == ()


# Failing together -----------------------------------------------------------------------------------------------------


def spelled(failing: set[int], *, runs: int = 40) -> str:
    return "".join("F" if run in failing else "P" for run in range(runs))


def test_tests_that_fail_in_the_same_runs_are_one_group_with_those_runs() -> None:
    together = {4, 11, 19, 26, 33}
    histories = [
        history("login", spelled(together)),
        history("logout", spelled(together)),
        history("profile", spelled(together - {33} | {8})),
        history("search", spelled({2, 15, 22, 30})),
        history("fine", "P" * 40),
    ]

    [group] = co_failures(histories)

    assert group == CoFailure(
        (TestId("login"), TestId("logout"), TestId("profile")), tuple(RunId(f"run-{n}") for n in sorted(together))
    )
    assert group.sentence.startswith(
        "login, logout and profile fail together, in 5 runs (run-4, run-11, run-19 and 2 more)."
    )


def test_tests_that_fail_by_chance_are_not_a_group() -> None:
    chance = Random(5)
    for _ in range(10):
        histories = [
            history(f"test-{number}", "".join("F" if chance.random() < 0.15 else "P" for _ in range(60)))
            for number in range(40)
        ]
        assert co_failures(histories) == []


def test_tests_that_one_commit_broke_for_long_share_one_event_and_no_more() -> None:
    histories = [history(name, "P" * 20 + "F" * 20) for name in ("a", "b", "c")]

    assert co_failures(histories) == []


def test_what_failed_in_outages_only_is_not_a_group() -> None:
    histories = [history(name, spelled({4, 11, 19, 26, 33})) for name in ("a", "b")]

    assert co_failures(histories, outages=[RunId(f"run-{n}") for n in (4, 11, 19)]) == []


def test_groups_do_not_chain_and_do_not_depend_on_the_order_given() -> None:
    first, second = {4, 11, 19, 26, 33}, {2, 9, 16, 23, 37}
    histories = [history(f"a{n}", spelled(first)) for n in range(3)]
    histories += [history(f"b{n}", spelled(second)) for n in range(2)]

    groups = find_patterns(histories).together

    assert [group.tests for group in groups] == [("a0", "a1", "a2"), ("b0", "b1")]
    assert find_patterns(reversed(histories)).together == groups


def test_many_names_are_shortened() -> None:
    found = OrderDependence(TestId("a"), tuple(map(TestId, "bcdef")), True, (RunId("r"),) * 4, (RunId("r"),) * 5)

    assert "only after b, c, d or 2 more: so in 4 runs that failed and 5 that passed" in found.sentence
