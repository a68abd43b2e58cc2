"""Failures tried again in rounds, each in a new process: alone, with the tests of their file, and in reverse."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import AttemptFinished, CaughtUp, ProblemFound, RunEvent, RunnerStarted, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.running.repeat_counts import WORDS, Order, Repeated
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.suite_plan import PlannedSuite

MOST_IN_FILE = 300  # tests that are named one by one to have them in reverse


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
