"""Histories as strings: P is a try that passed, F one that failed; each letter is a run of a commit of its own."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.flakiness_report import Flakiness
from testwright.model.case import TestId
from testwright.model.history import History, PastAttempt, PastRun
from testwright.model.result import RunId

_STARTED = datetime(2024, 1, 1, tzinfo=UTC)


def run_number(number: int, *, commit: str | None = None, dirty: bool = False) -> PastRun:
    """The run with that number; its commit has the same one, unless another is given."""
    named = f"commit-{number}" if commit is None else commit
    return PastRun(RunId(f"run-{number}"), _STARTED + timedelta(hours=number), named, dirty)


def history(name: str, spelled: str | Sequence[str], *, first: int = 0) -> History:
    """A history; an item of several letters is a run with that many tries."""
    tries = [
        PastAttempt(run_number(number), letter == "F")
        for number, letters in enumerate(spelled, start=first)
        for letter in letters
        if letter in "PF"
    ]
    return History(TestId(name), tuple(tries))


def judged(**spelled: str | Sequence[str]) -> Mapping[str, Flakiness]:
    """The verdicts on these tests, by name."""
    report = judge_flakiness(history(name, letters) for name, letters in spelled.items())
    return {str(test.test): test for test in report.tests}
