"""Put the events of a run together again: which attempts make a result, which results make a suite."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.events import (
    AttemptFinished,
    CaughtUp,
    Collected,
    Counted,
    ProblemFound,
    RunEvent,
    RunnerStarted,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, CounterValue, Problem, RunResult, SuiteResult, TestResult

_NEVER_STARTED = Attempt(Outcome.INTERRUPTED, reason="not_started", message="The run ended before this test began.")
_NEVER_FINISHED = Attempt(Outcome.INTERRUPTED, reason="not_finished", message="The run ended while this test ran.")


class OutOfOrderError(Exception):
    """An event that cannot come where it came."""


@dataclass(slots=True)
class _OpenSuite:
    """A suite while its events come in."""

    framework: Framework
    root: str
    isolation: str
    announced: dict[TestId, TestCase] = field(default_factory=dict)
    started: dict[TestId, TestCase] = field(default_factory=dict)
    attempts: dict[TestId, tuple[TestCase, list[Attempt]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    end: SuiteEnded | None = None

    def holds(self, case: TestCase) -> bool:
        inside = self.root in ("", ".") or case.file == self.root or case.file.startswith(f"{self.root}/")
        return inside and case.framework is self.framework

    def unfinished(self) -> Iterator[TestResult]:
        for test_id, case in (self.announced | self.started).items():
            if test_id not in self.attempts:
                yield TestResult(case, (_NEVER_FINISHED if test_id in self.started else _NEVER_STARTED,))

    def result(self, *, abandoned: bool) -> SuiteResult:
        results = [TestResult(case, tuple(attempts)) for case, attempts in self.attempts.values()]
        suite = SuiteResult(
            framework=self.framework,
            root=self.root,
            results=(*results, *self.unfinished()) if abandoned else tuple(results),
            problems=tuple(self.problems),
            isolation=self.isolation,
        )
        if self.end is None:
            return suite
        return replace(
            suite,
            duration_ms=self.end.duration_ms,
            usage=self.end.usage,
            left_processes=self.end.left_processes,
            artifacts=self.end.artifacts,
        )


class Assembly:
    """A run while its events come in. Results stand in the order their tests first finished."""

    def __init__(self, run: RunResult) -> None:
        self._run = run
        self._suites: list[_OpenSuite] = []
        self._counted: dict[tuple[str, str], float] = {}

    def add(self, event: RunEvent) -> None:
        match event:
            case SuiteStarted():
                self._suites.append(_OpenSuite(event.framework, event.root, event.isolation))
            case Collected():
                for case in event.cases:
                    self._suite_of(case).announced[case.id] = case
            case TestStarted():
                self._suite_of(event.case).started[event.case.id] = event.case
            case AttemptFinished():
                attempts = self._suite_of(event.case).attempts
                attempts.setdefault(event.case.id, (event.case, []))[1].append(event.attempt)
            case ProblemFound():
                self._newest().problems.append(event.problem)
            case SuiteEnded():
                self._end(event)
            case Counted(counter):
                key = counter.name, counter.module
                self._counted[key] = self._counted.get(key, 0.0) + counter.value
            case RunnerStarted() | CaughtUp():
                pass  # of interest to those who watch, not to history

    def finished(self, *, duration_ms: float, interrupted: bool) -> RunResult:
        return self._whole(duration_ms, interrupted=interrupted, abandoned=False)

    def abandoned(self, *, duration_ms: float) -> RunResult:
        """The run of a process that died: tests without a finished attempt count as interrupted."""
        return self._whole(duration_ms, interrupted=True, abandoned=True)

    def _whole(self, duration_ms: float, *, interrupted: bool, abandoned: bool) -> RunResult:
        suites = tuple(suite.result(abandoned=abandoned) for suite in self._suites)
        counters = tuple(CounterValue(name, module, value) for (name, module), value in self._counted.items())
        return replace(self._run, suites=suites, duration_ms=duration_ms, interrupted=interrupted, counters=counters)

    def _suite_of(self, case: TestCase) -> _OpenSuite:
        """Suites may run side by side: the open one that holds the test, the innermost if several do.

        A test that was looked at once more after its suite had ended belongs where it was.
        """
        newest = self._newest()
        if len(self._suites) == 1:
            return newest
        if newest.end is not None:
            return next((suite for suite in reversed(self._suites) if case.id in suite.attempts), newest)
        holders = [suite for suite in self._suites if suite.end is None and suite.holds(case)]
        return max(holders, key=lambda suite: len(suite.root), default=newest)

    def _newest(self) -> _OpenSuite:
        if not self._suites:
            raise OutOfOrderError("it comes before any suite has started")
        still_open = [suite for suite in self._suites if suite.end is None]
        return (still_open or self._suites)[-1]

    def _end(self, event: SuiteEnded) -> None:
        for suite in reversed(self._suites):
            if suite.end is None and (suite.framework, suite.root) == (event.framework, event.root):
                suite.end = event
                return
        raise OutOfOrderError(f"it ends a suite ({event.framework} in {event.root!r}) that has not started")
