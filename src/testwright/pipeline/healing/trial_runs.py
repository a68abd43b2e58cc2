"""Run the tests that have a heal once more, in a copy of the project that holds the new selectors."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from testwright.model.case import TestCase, TestId
from testwright.model.events import AttemptFinished, ProblemFound
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run.driver import Driver
from testwright.run.overlay import overlay, rerun_on, traced_rerun
from testwright.run.suite_plan import PlannedSuite

DriverAt = Callable[[Path], Driver]
"""A driver for the project as it lies in that folder."""


@dataclass(frozen=True, slots=True)
class HealTrial:
    """How one test went with its new selector."""

    attempt: Attempt | None  # None: it did not run
    passed: bool
    said: str = ""  # what went wrong, in a line


def try_heals(
    project: Path,
    planned: Sequence[tuple[PlannedSuite, Sequence[TestCase]]],
    changed: Mapping[str, bytes],
    driver_at: DriverAt,
) -> dict[TestId, HealTrial]:
    """Each suite's tests, run once with all the changes in place. Nothing in the project itself is touched."""
    found: dict[TestId, HealTrial] = {}
    for item, cases in planned:
        with overlay(project, item.suite.root, changed) as copy:
            found |= _tried(rerun_on(copy, item, tuple(cases)), driver_at(copy))
    return found


def _tried(item: PlannedSuite, driver: Driver) -> dict[TestId, HealTrial]:
    attempts: dict[TestId, list[Attempt]] = {}
    problems: list[str] = []
    for event in driver.run(item.adapter, item.suite, item.request):
        match event:
            case AttemptFinished(case, attempt):
                attempts.setdefault(case.id, []).append(attempt)
            case ProblemFound(problem):
                problems.append(problem.message)
    return {case.id: _verdict(attempts.get(case.id, []), problems) for case in item.request.only or ()}


def _verdict(attempts: Sequence[Attempt], problems: Sequence[str]) -> HealTrial:
    """A runner may repeat a failed test by itself; a heal that needs a second try is none."""
    if not attempts:
        return HealTrial(None, passed=False, said=problems[0] if problems else "It did not run.")
    bad = next((attempt for attempt in attempts if attempt.outcome is not Outcome.PASSED), None)
    if bad is None:
        return HealTrial(attempts[-1], passed=True)
    first_line = (bad.message.strip().splitlines() or [str(bad.outcome)])[0]
    return HealTrial(bad, passed=False, said=first_line)


# --- A second look at tests that lost an element: run once more and traced, to see the page they lo -----------------
# To trace every test of every run would cost a green suite a tenth of its time; this costs only tests that failed.


SECOND_LOOK = "second_look"  # the reason of an attempt that was made only to see the page


@contextmanager
def looked_again(
    groups: Sequence[tuple[PlannedSuite, Sequence[TestCase]]], driver: Driver
) -> Iterator[dict[TestId, Attempt]]:
    """The last attempt of each test. What it left behind, the trace above all, is there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="testwright-", ignore_cleanup_errors=True) as folder:
        found: dict[TestId, Attempt] = {}
        for number, (item, cases) in enumerate(groups):
            planned = traced_rerun(item, cases, Path(folder, str(number)))
            for event in driver.run(planned.adapter, planned.suite, planned.request):
                if isinstance(event, AttemptFinished):
                    found[event.case.id] = event.attempt
        yield found
