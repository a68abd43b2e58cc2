"""Failures of a run tried again, alone and in other orders: do they come always, by chance, or after others?

The tries are kept with the run, and decide nothing about it: a test that failed has failed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import AttemptFinished, RunEvent
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, TestResult
from testwright.pipeline.running.journey import Afterwards
from testwright.pipeline.running.repeat_counts import Order, Repeated
from testwright.pipeline.running.repeat_rounds import RepeatRounds
from testwright.run.driver import Driver
from testwright.run.suite_plan import PlannedSuite

MOST_TESTS = 20  # beyond it something is wrong with more than single tests


class FailureRepeats:
    """Called with the run once its suites have ended; `lines` and `add_to` then say what came of it."""

    def __init__(
        self,
        planned: Sequence[PlannedSuite],
        driver: Driver,
        times: int,
        *,
        root: Path,
        first: Afterwards | None = None,
    ) -> None:
        """`first` is what else is done after a run, such as healing: a test that it healed is not tried again."""
        self._planned, self._times, self._root, self._first = planned, times, root, first
        self._rounds = RepeatRounds(driver, times)
        self._tests: dict[TestId, Repeated] = {}
        self._left_out = 0

    def __call__(self, run: RunResult) -> Iterator[RunEvent]:
        before: Counter[TestId] = Counter()
        healed: set[TestId] = set()
        for event in self._first(run) if self._first is not None else ():
            if isinstance(event, AttemptFinished):
                before[event.case.id] += 1
                if event.attempt.outcome is Outcome.PASSED_WITH_HEAL:
                    healed.add(event.case.id)
            yield event
        self._choose(run, healed, before)
        yield from self._rounds.events(tuple(self._tests.values()))

    def _choose(self, run: RunResult, healed: set[TestId], before: Mapping[TestId, int]) -> None:
        for suite in run.suites:
            item = self._planned_for(suite.framework, suite.root)
            for result in suite.results:
                is_failure = not result.outcome.is_success and result.outcome is not Outcome.INTERRUPTED
                is_failure = is_failure or result.is_flaky  # a retry that passed may have lacked the others
                if item is None or not is_failure or result.case.id in healed:
                    continue
                if len(self._tests) == MOST_TESTS:
                    self._left_out += 1
                    continue
                self._tests[result.case.id] = _begun(result, item, suite.results, before[result.case.id])

    def _planned_for(self, framework: Framework, root: str) -> PlannedSuite | None:
        place = (self._root / root).resolve()
        mine = [item for item in self._planned if item.suite.framework is framework]
        return next((item for item in mine if item.suite.root.resolve() == place), mine[0] if mine else None)

    def lines(self) -> list[str]:
        if not self._tests:
            return []
        return [
            self.done,
            *(f"  {test.sentence}" for test in self._tests.values()),
            *(f"  {note}" for note in self._rounds.notes),
        ]

    @property
    def done(self) -> str:
        """What was tried, in a sentence."""
        said = f"Failures tried again, each time in a new process: {_many(len(self._tests), 'test')}, "
        said += f"{self._times} time{'' if self._times == 1 else 's'} alone"
        if self._rounds.done[Order.IN_FILE]:
            said += f"; {_many(self._rounds.done[Order.IN_FILE], 'time')} with the other tests of the file"
        if self._rounds.done[Order.REVERSED]:
            said += f"; {_many(self._rounds.done[Order.REVERSED], 'time')} with those in reverse"
        if self._left_out:
            said += f". {self._left_out} more failed and were not tried again: {MOST_TESTS} is the most"
        return f"{said}."

    def add_to(self, shape: dict[str, Any]) -> None:
        shape["repeated"] = {
            "times": self._times,
            "done": self.done if self._tests else "Nothing failed: nothing was tried again.",
            "tests": [test.shape() for test in self._tests.values()],
            "notTried": self._left_out,
            "notes": list(self._rounds.notes),
        }


def _begun(result: TestResult, item: PlannedSuite, results: Iterable[TestResult], added: int) -> Repeated:
    mates = tuple(
        other.case
        for other in results
        if other.case.file == result.case.file
        and other.case.variant == result.case.variant
        and other.outcome is not Outcome.SKIPPED
    )
    begun = Repeated(result.case, item, _as_collected(mates), len(result.attempts) + added)
    for attempt in result.attempts:
        begun.note(Order.IN_RUN, failed=not attempt.outcome.is_success)
    return begun


def _as_collected(cases: tuple[TestCase, ...]) -> tuple[TestCase, ...]:
    """By line where every test has one: what ran in several processes did not finish in the order of the file."""
    return tuple(sorted(cases, key=lambda case: case.line or 0)) if all(case.line for case in cases) else cases


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
