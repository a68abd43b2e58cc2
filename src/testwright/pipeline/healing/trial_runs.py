"""Run the tests that have a heal once more, in a copy of the project with the new selectors, and see which stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testwright.model.artifact_names import HEAL_PATCH
from testwright.model.case import TestCase, TestId
from testwright.model.events import AttemptFinished, ProblemFound
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, TestResult
from testwright.pipeline.healing.heal_candidate import HealCandidate
from testwright.pipeline.healing.heal_report import APPLIED, HealEntry
from testwright.pipeline.healing.remembered_elements import Memory
from testwright.run.driver import Driver
from testwright.run.overlay import overlay, rerun_on
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


def standing(
    candidates: Sequence[HealCandidate], trials: Mapping[TestId, HealTrial], memory: Memory
) -> tuple[list[HealCandidate], list[tuple[HealCandidate, str]]]:
    """The heals that stand, and those that do not, with what went wrong.

    Tests were tried with all heals in place. One that also uses a selector whose heal does not stand may have passed
    because of it, so it does not stand either.
    """
    stands = [one for one in candidates if trials[one.case.id].passed]
    fails = [(one, trials[one.case.id].said) for one in candidates if not trials[one.case.id].passed]
    withdrawn = {one.selector for one, _ in fails} - {one.selector for one in stands}
    for one in list(stands):
        used = {seen.selector for seen in memory.of_test(one.case.id)} if withdrawn else set()
        if used & withdrawn:
            stands.remove(one)
            fails.append((one, "it passed only together with another heal, which was withdrawn."))
    return stands, fails


def healed_attempt(result: TestResult, trial: HealTrial, entry: HealEntry) -> Attempt:
    """The trial as one more attempt of the test, which says that it passed with a heal."""
    assert trial.attempt is not None, "what did not run did not pass"
    row = entry.line()
    return replace(
        trial.attempt,
        outcome=Outcome.PASSED_WITH_HEAL,
        number=len(result.attempts) + 1,
        reason=APPLIED,
        message=row,
        stdout=f"{row}\n{trial.attempt.stdout}",
        # What the run in the copy left behind went with the copy.
        artifacts=(Artifact(HEAL_PATCH, entry.patch, "text/x-diff"),) if entry.patch else (),
    )
