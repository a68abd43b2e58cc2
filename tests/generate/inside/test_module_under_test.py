"""One case is tried: what it shows is told, and nothing that it does goes further."""

import ast
import time
from pathlib import Path

import pytest

from tests.generate.inside.grounds import call, loaded
from testwright.generate.inside.generated_case import CaseOutcome
from testwright.generate.inside.module_under_test import forbid_waiting, statement_lines
from testwright.instrument.probes import WorkExceeded

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
        plus, minus = it.ground.attempt(call("sign", "1")), it.ground.attempt(call("sign", "-1"))

        assert plus.observation.outcome is CaseOutcome.RETURNED
        assert any(check.expected == "'plus'" for check in plus.observation.checks)
        assert plus.hits & ~minus.hits
        assert minus.hits & ~plus.hits


def test_work_without_end_is_cut_off_by_counting_it(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        trial = it.ground.attempt(call("loop"))

        assert trial.observation.outcome is CaseOutcome.UNUSABLE
        assert trial.observation.reason == "used up the work it was allowed"
        assert it.ground.attempt(call("sign", "1")).observation.outcome is CaseOutcome.RETURNED


def test_what_is_known_of_a_case_holds_until_the_code_changes(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        known = it.ground.attempt(call("sign", "1")).observation

        assert it.ground.holds(call("sign", "1"), known)
        assert not it.ground.holds(call("sign", "-1"), known)
        assert not it.ground.holds(call("loop"), known)


def test_chance_is_not_settled(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        first = it.ground.attempt(call("chance"))
        settled = it.ground.settled(call("chance"), first)

        assert not any(check.expected.startswith("0.") for check in settled.observation.checks)


def test_a_long_wait_ends_the_case_at_once_and_a_short_one_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", time.sleep)  # so that it is put back
    forbid_waiting()

    time.sleep(0.001)
    with pytest.raises(WorkExceeded):
        time.sleep(3600)


def test_each_line_belongs_to_the_innermost_statement_on_it() -> None:
    lines = statement_lines(ast.parse("if (a and\n        b):\n    x = [\n        1,\n    ]\nelse:\n    y = 2\n"))

    assert lines[1] == lines[2] == 1
    assert lines[3] == lines[4] == lines[5] == 3
    assert lines[7] == 7
