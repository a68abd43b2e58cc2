"""Failures of a run tried again, alone and in other orders: do they come always, by chance, or after others?

The tries are kept with the run, and decide nothing about it: a test that failed has failed.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import AttemptFinished, CaughtUp, ProblemFound, RunEvent, RunnerStarted, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, TestResult
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.running.journey import Afterwards
from testwright.pipeline.running.repeat_counts import WORDS, Order, Repeated
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.suite_plan import PlannedSuite

MOST_TESTS = 20  # beyond it something is wrong with more than single tests
MOST_IN_FILE = 300  # tests that are named one by one to have them in reverse


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


class RepeatRounds:
    """`done` counts the rounds by their order, and `notes` says what else was seen, each once."""

    def __init__(self, driver: Driver, times: int) -> None:
        self._driver, self._times = replace(driver, head_start=None), times
        self._failures: frozenset[TestId] = frozenset()
        self.done: Counter[Order] = Counter()
        self.notes: dict[str, None] = {}

    def events(self, tests: Sequence[Repeated]) -> Iterator[RunEvent]:
        self._failures = frozenset(test.case.id for test in tests)
        try:
            with tempfile.TemporaryDirectory(prefix="testwright-", ignore_cleanup_errors=True) as folder:
                self._aside = Path(folder)
                yield from self._all_rounds(tests)
        except Exception as fault:  # noqa: BLE001  trouble with a second look must not cost the user the results of the run
            self._note(f"Trying again broke off: {visible_line(repr(fault))}")

    def _all_rounds(self, tests: Sequence[Repeated]) -> Iterator[RunEvent]:
        for _ in range(self._times):
            for test in tests:
                request = self._request(test.item, (test.case,))
                yield from self._round(test.item, request, Order.ALONE, [test])
        steady = [test for test in tests if not test.failed[Order.ALONE]]
        for _ in range(self._times):
            for together in _by_file(steady):
                yield from self._in_file(together)
        for together in _by_file(tests):
            yield from self._reversed(together)

    def _in_file(self, together: Sequence[Repeated]) -> Iterator[RunEvent]:
        one = together[0]
        if len(one.file_mates) > 1:
            request = self._request(one.item, one.file_mates)
            yield from self._round(one.item, request, Order.IN_FILE, together)

    def _reversed(self, together: Sequence[Repeated]) -> Iterator[RunEvent]:
        """pytest runs tests in the order they are named in; no other framework can do that."""
        one, mates = together[0], together[0].file_mates
        if len(mates) < 2:
            return
        if one.item.suite.framework is not Framework.PYTEST:
            self._note(f"{one.item.suite.framework} runs a file only in its own order: nothing was run in reverse.")
            return
        if len(mates) > MOST_IN_FILE or any(case.occurrence > 1 or not case.title for case in mates):
            self._note(f"{visible_line(one.case.file)} was not run in reverse: its tests cannot all be named.")
            return
        file = self._driver.project.path(one.case.file)
        named = tuple((file, "::".join(case.title)) for case in reversed(mates))
        request = replace(self._request(one.item, ()), only=None, named=named)
        yield from self._round(one.item, request, Order.REVERSED, together)

    def _request(self, item: PlannedSuite, cases: tuple[TestCase, ...]) -> RunRequest:
        return replace(
            item.request.for_cases(cases),
            workers=1,
            fail_fast=False,
            coverage_file=None,
            pages=None,
            aside=self._aside / str(self.done.total()) if item.suite.framework is Framework.PLAYWRIGHT else None,
        )

    def _round(
        self, item: PlannedSuite, request: RunRequest, order: Order, tests: Sequence[Repeated]
    ) -> Iterator[RunEvent]:
        """One process of its own. Only tries at `tests` are kept; the others only run beside them."""
        if self._driver.cancel.raised:
            return
        self.done[order] += 1
        wanted = {test.case.id: test for test in tests}
        others_failed: list[str] = []
        heard: set[TestId] = set()
        for event in self._driver.run(item.adapter, item.suite, request):
            match event:
                case AttemptFinished(case, attempt) if attempt.outcome is not Outcome.INTERRUPTED:
                    test = wanted.get(case.id)
                    if test is not None:
                        # A runner that repeats a failure by itself does so without the others before it.
                        if order is Order.ALONE or case.id not in heard:
                            test.note(order, failed=not attempt.outcome.is_success)
                        heard.add(case.id)
                        yield self._kept(test, event, order)
                    elif not attempt.outcome.is_success and case.id not in self._failures:
                        others_failed.append(case.id)
                case ProblemFound(problem):
                    self._note(f"{WORDS[order].capitalize()}: {visible_line(problem.message)}")
                case RunnerStarted():
                    yield event
                case TestStarted(case) if case.id in wanted:
                    yield event
        yield CaughtUp()
        for name in others_failed:
            self._note(f"{visible_line(name)} passed in the run and failed {WORDS[order]}.")

    def _note(self, text: str) -> None:
        self.notes[text] = None

    @staticmethod
    def _kept(test: Repeated, event: AttemptFinished, order: Order) -> RunEvent:
        test.attempts += 1
        # What it left behind went with its folder, or was written over.
        return replace(event, attempt=replace(event.attempt, number=test.attempts, reason=order.reason, artifacts=()))


def _by_file(tests: Iterable[Repeated]) -> list[list[Repeated]]:
    groups: dict[tuple[str, str, int], list[Repeated]] = {}
    for test in tests:
        groups.setdefault((test.case.file, test.case.variant, id(test.item.suite)), []).append(test)
    return list(groups.values())
