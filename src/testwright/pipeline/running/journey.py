"""The journey of a run: suites one after another, every event written down before anybody is told of it.

Events that come together are written together: a quick runner finishes many tests between two looks at it.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from testwright.model.errors import ExitCode, NoTests, TestwrightError
from testwright.model.events import AttemptFinished, CaughtUp, RunEvent, RunnerStarted, SuiteEnded
from testwright.model.outcome import Outcome
from testwright.model.result import RunId, RunResult
from testwright.run.driver import Driver
from testwright.run.suite_plan import PlannedSuite
from testwright.store.run_assembly import Assembly

# Problems that are the machine's or the project's lack, not a test's failure.
_LACKS = frozenset({"runner_missing", "isolation_unavailable", "spawn_failed", "coverage_missing", "disk_full"})

Listener = Callable[[RunEvent], None]
# What is done about a run once its suites have ended, such as healing; its events are part of the run.
Afterwards = Callable[[RunResult], Iterable[RunEvent]]


class RunRecorder(Protocol):
    """Keeps events where a sudden death cannot take them."""

    def append(self, *events: RunEvent) -> None: ...
    def finish(self, *, duration_ms: float, interrupted: bool) -> None: ...
    def close(self) -> None: ...


class Habits(NamedTuple):
    """How a run goes about its suites."""

    retries: int = 0
    parallel: int = 1
    fail_fast: bool = False


class Finished(NamedTuple):
    """A run, and what kept it from being written down, if anything did."""

    run: RunResult
    not_recorded: TestwrightError | None = None
    heals_fail: bool = False  # whether a test that passed only with a heal fails the run

    @property
    def exit_code(self) -> ExitCode:
        if self.run.interrupted or any(not result.outcome.is_success for result in self.run.results):
            return ExitCode.FAILURES
        if self.heals_fail and any(result.outcome is Outcome.PASSED_WITH_HEAL for result in self.run.results):
            return ExitCode.FAILURES
        codes = {problem.code for suite in self.run.suites for problem in suite.problems}
        if codes - _LACKS - {NoTests.code}:
            return ExitCode.FAILURES
        if codes & _LACKS or self.not_recorded:
            return ExitCode.ENVIRONMENT
        # Nothing was run, or a runner was asked for what it does not have: nothing to be called passed.
        return ExitCode.OK if self.run.results and not codes else ExitCode.USAGE


def new_run(command: Sequence[str]) -> RunResult:
    """A run that is about to begin. Its id sorts by time."""
    now = datetime.now(UTC)
    return RunResult(RunId(f"{now:%Y%m%d-%H%M%S}-{os.urandom(3).hex()}"), now, command=tuple(command))


def run_suites(
    planned: Sequence[PlannedSuite],
    driver: Driver,
    header: RunResult,
    *,
    habits: Habits,
    record: Callable[[RunResult], RunRecorder] | None,
    provenance: Callable[[], tuple[str, bool]],
    listen: Listener,
    afterwards: Afterwards | None = None,
) -> Finished:
    """Run everything that is planned. `listen` hears of a result only once `record` has it."""
    started = time.monotonic()
    book = _Book(header, record, provenance)
    for event in _events(planned, driver, habits):
        for written in book.write(event):
            listen(written)
    if afterwards is not None and not driver.cancel.raised:
        for event in afterwards(book.so_far()):
            for written in book.write(event):
                listen(written)
    duration_ms = (time.monotonic() - started) * 1000
    return book.close(duration_ms=duration_ms, interrupted=driver.cancel.raised)


def _events(planned: Sequence[PlannedSuite], driver: Driver, habits: Habits) -> Iterator[RunEvent]:
    for item in planned:
        if driver.cancel.raised:
            return
        failed = False
        for event in driver.run(
            item.adapter, item.suite, item.request, retries=habits.retries, parallel=habits.parallel
        ):
            failed |= isinstance(event, AttemptFinished) and not event.attempt.outcome.is_success
            yield event
        if failed and habits.fail_fast:
            return


class _Book:
    """Writes events down, in memory and in the journal, and says which ones are safely written."""

    def __init__(
        self,
        header: RunResult,
        record: Callable[[RunResult], RunRecorder] | None,
        provenance: Callable[[], tuple[str, bool]],
    ) -> None:
        self._header, self._open, self._provenance = header, record, provenance
        self._assembly: Assembly | None = None
        self._recorder: RunRecorder | None = None
        self._waiting: list[RunEvent] = []
        self.trouble: TestwrightError | None = None

    def write(self, event: RunEvent) -> list[RunEvent]:
        """The events that are safe now and were not before: none while more may be had to write along with them."""
        self._waiting.append(event)
        return self._settle() if isinstance(event, RunnerStarted | CaughtUp | SuiteEnded) else []

    def _settle(self) -> list[RunEvent]:
        if self._assembly is None:
            # Asking git and opening the journal take a while: they wait until a runner is starting up.
            self._assembly = self._begin()
        events, self._waiting = self._waiting, []
        for event in events:
            self._assembly.add(event)
        self._record(events)
        return events

    def _begin(self) -> Assembly:
        commit, dirty = self._provenance()
        header = replace(self._header, commit=commit, dirty=dirty)
        if self._open is not None:
            try:
                self._recorder = self._open(header)
            except TestwrightError as error:
                self.trouble = error
        return Assembly(header)

    def _record(self, events: Sequence[RunEvent]) -> None:
        if self._recorder is None:
            return
        try:
            self._recorder.append(*events)
        except TestwrightError as error:  # a full disk: the tests go on, and the end says what was not kept
            self.trouble = error
            self._recorder.close()  # what it holds is taken in all the same
            self._recorder = None

    def so_far(self) -> RunResult:
        self._settle()
        assert self._assembly is not None
        return self._assembly.finished(duration_ms=0.0, interrupted=False)

    def close(self, *, duration_ms: float, interrupted: bool) -> Finished:
        self._settle()
        assert self._assembly is not None
        if self._recorder is not None:
            try:
                self._recorder.finish(duration_ms=duration_ms, interrupted=interrupted)
            except TestwrightError as error:
                self.trouble = error
                self._recorder.close()
        return Finished(self._assembly.finished(duration_ms=duration_ms, interrupted=interrupted), self.trouble)
