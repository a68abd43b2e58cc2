"""Cases are seen again in clean forks: chance, order and what ends the process leave nothing behind."""

from pathlib import Path

from tests.generate.inside.loaded_modules import call, loaded
from testwright.generate.inside.case_replay import CaseReplay
from testwright.generate.inside.corpus import KeptCase
from testwright.generate.inside.generated_case import Case, Relation

SOURCE = """
import os
import random

_seen = set()


def sign(number: int) -> str:
    return "minus" if number < 0 else "plus"


def leave():
    os._exit(0)


def chance():
    return [random.random() for _ in range(3)]


class Counter:
    many = []


def count() -> int:
    Counter.__dict__["many"].append(1)
    return len(Counter.many)
"""


def _nothing() -> None:
    pass


def test_cases_are_seen_again_past_one_that_ends_the_process(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        again = CaseReplay(it.under_test, _nothing).see_again([call("sign", "1"), call("leave"), call("sign", "0")])

        assert [each is not None for each in again] == [True, False, True]


def test_only_what_is_the_same_in_every_order_is_settled(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:

        def kept(case: Case) -> KeptCase:
            return KeptCase.of(case, it.under_test.attempt(case))

        settled = CaseReplay(it.under_test, _nothing).settled(
            [kept(call("sign", "1")), kept(call("chance")), kept(call("count"))]
        )

        exact = {
            each.case.unit
            for each in settled
            if any(check.path == "{}" and check.relation is Relation.EQUAL for check in each.observation.checks)
        }
        assert exact == {"sign"}


def test_what_shows_something_else_the_second_time_is_not_steady(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        steady, chance = (
            KeptCase.of(case, it.under_test.attempt(case)) for case in (call("sign", "1"), call("chance"))
        )

        assert CaseReplay(it.under_test, _nothing).steady([steady, chance]) == [steady]
