"""The events of a run written down, in memory and in the journal, so that only what is safely written is shown.

A run that is over comes out of it, with the exit code that it deserves.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from testwright.model.errors import ExitCode, NoTests, TestwrightError
from testwright.model.events import CaughtUp, RunEvent, RunnerStarted, SuiteEnded
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.store.run_assembly import Assembly

# Something that the machine or the project lacks, not a failure of a test.
_LACKS = frozenset({"runner_missing", "isolation_unavailable", "spawn_failed", "coverage_missing", "disk_full"})


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
        # Nothing was run, or a runner was asked for what it does not have: nothing can be called passed.
        return ExitCode.OK if self.run.results and not codes else ExitCode.USAGE


class RunRecorder(Protocol):
    """Keeps events where a sudden death cannot take them."""

    def append(self, *events: RunEvent) -> None: ...
    def finish(self, *, duration_ms: float, interrupted: bool) -> None: ...
    def close(self) -> None: ...


class EventBook:
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
        self._trouble: TestwrightError | None = None

    def write(self, event: RunEvent) -> list[RunEvent]:
        """The events that are safe now and were not before: none while more may come to write along with them."""
        self._waiting.append(event)
        return self._settle()[1] if isinstance(event, RunnerStarted | CaughtUp | SuiteEnded) else []

    def so_far(self) -> RunResult:
        return self._settle()[0].finished(duration_ms=0.0, interrupted=False)

    def close(self, *, duration_ms: float, interrupted: bool) -> Finished:
        assembly, _ = self._settle()
        if self._recorder is not None:
            try:
                self._recorder.finish(duration_ms=duration_ms, interrupted=interrupted)
            except TestwrightError as error:
                self._trouble = error
                self._recorder.close()
        return Finished(assembly.finished(duration_ms=duration_ms, interrupted=interrupted), self._trouble)

    def _settle(self) -> tuple[Assembly, list[RunEvent]]:
        """The run so far, and the events that were waiting to become part of it."""
        if self._assembly is None:
            # Asking git and opening the journal take a while: they wait until a runner is starting up.
            self._assembly = self._begin()
        events, self._waiting = self._waiting, []
        for event in events:
            self._assembly.add(event)
        self._record(events)
        return self._assembly, events

    def _begin(self) -> Assembly:
        commit, dirty = self._provenance()
        header = replace(self._header, commit=commit, dirty=dirty)
        if self._open is not None:
            try:
                self._recorder = self._open(header)
            except TestwrightError as error:
                self._trouble = error
        return Assembly(header)

    def _record(self, events: Sequence[RunEvent]) -> None:
        if self._recorder is None:
            return
        try:
            self._recorder.append(*events)
        except TestwrightError as error:  # a full disk: the tests go on, and the end says what was not kept
            self._trouble = error
            self._recorder.close()  # what it holds is taken in all the same
            self._recorder = None
