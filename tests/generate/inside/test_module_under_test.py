"""One case is tried: what it shows is returned, and what it does has no other effect."""

from pathlib import Path

from tests.generate.inside.loaded_modules import call, loaded
from testwright.generate.inside.generated_case import CaseOutcome

SOURCE = """
import random


def sign(number):
    if number < 0:
        return "minus"
    return "plus"


def loop():
    while True:
        pass


def chance():
    return random.random()
"""


def test_an_attempt_tells_what_was_seen_and_which_way_it_went(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        plus, minus = it.under_test.attempt(call("sign", "1")), it.under_test.attempt(call("sign", "-1"))

        assert plus.observation.outcome is CaseOutcome.RETURNED
        assert any(check.expected == "'plus'" for check in plus.observation.checks)
        assert plus.hits & ~minus.hits
        assert minus.hits & ~plus.hits


def test_work_without_end_is_cut_off_by_counting_it(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        run = it.under_test.attempt(call("loop"))

        assert run.observation.outcome is CaseOutcome.UNUSABLE
        assert run.observation.reason == "used up the work it was allowed"
        assert it.under_test.attempt(call("sign", "1")).observation.outcome is CaseOutcome.RETURNED


def test_what_is_known_of_a_case_holds_until_the_code_changes(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        known = it.under_test.attempt(call("sign", "1")).observation

        assert it.under_test.holds(call("sign", "1"), known)
        assert not it.under_test.holds(call("sign", "-1"), known)
        assert not it.under_test.holds(call("loop"), known)


def test_chance_is_not_settled(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        first = it.under_test.attempt(call("chance"))
        settled = it.under_test.settled(call("chance"), first)

        assert not any(check.expected.startswith("0.") for check in settled.observation.checks)
