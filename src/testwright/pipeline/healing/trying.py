"""Run the tests that have a heal once more, in a copy of the project that holds the new selectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testwright.model.case import TestCase, TestId
from testwright.model.events import AttemptFinished, ProblemFound
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run.driver import Driver
from testwright.run.overlay import overlay, rerun_on
from testwright.run.planning import Planned

DriverAt = Callable[[Path], Driver]
"""A driver for the project as it lies in that folder."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one test went with its new selector."""

    attempt: Attempt | None  # None: it did not run
    passed: bool
    said: str = ""  # what went wrong, in a line


def try_heals(
    project: Path,
    planned: Sequence[tuple[Planned, Sequence[TestCase]]],
    changed: Mapping[str, bytes],
    driver_at: DriverAt,
) -> dict[TestId, Trial]:
    """Each suite's tests, run once with all the changes in place. Nothing in the project itself is touched."""
    found: dict[TestId, Trial] = {}
    for item, cases in planned:
        with overlay(project, item.suite.root, changed) as copy:
            found |= _tried(rerun_on(copy, item, tuple(cases)), driver_at(copy))
    return found


def _tried(item: Planned, driver: Driver) -> dict[TestId, Trial]:
    attempts: dict[TestId, list[Attempt]] = {}
    problems: list[str] = []
    for event in driver.run(item.adapter, item.suite, item.request):
        match event:
            case AttemptFinished(case, attempt):
                attempts.setdefault(case.id, []).append(attempt)
            case ProblemFound(problem):
                problems.append(problem.message)
    return {case.id: _verdict(attempts.get(case.id, []), problems) for case in item.request.only or ()}


def _verdict(attempts: Sequence[Attempt], problems: Sequence[str]) -> Trial:
    """A runner may repeat a failed test by itself; a heal that needs a second try is none."""
    if not attempts:
        return Trial(None, passed=False, said=problems[0] if problems else "It did not run.")
    bad = next((attempt for attempt in attempts if attempt.outcome is not Outcome.PASSED), None)
    if bad is None:
        return Trial(attempts[-1], passed=True)
    first_line = (bad.message.strip().splitlines() or [str(bad.outcome)])[0]
    return Trial(bad, passed=False, said=first_line)
