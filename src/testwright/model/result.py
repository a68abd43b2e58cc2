"""What came of running tests: attempts, results, suites and whole runs.

Times are UTC; durations are milliseconds, as spec'd runners report them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NewType

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage

RunId = NewType("RunId", str)

REPEATED = "repeated_"  # how the reason begins of an attempt that was made only to see whether a failure repeats


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file a test left for its reader: a trace, a screenshot, a log."""

    name: str
    path: str  # from the project's root where it lies inside, else absolute
    content_type: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Counts:
    """Checks counted inside one test file, where a framework counts them (agent skills do)."""

    passed: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one test. Attempts are never merged: a retry that passed does not hide the failure before it."""

    outcome: Outcome
    number: int = 1
    duration_ms: float = 0.0
    started_at: datetime | None = None
    message: str = ""
    stack: str = ""
    reason: str = ""  # a stable code that says more than the outcome: memory_limit, write_blocked, signal_11, ...
    stdout: str = ""
    stderr: str = ""
    errors: tuple[str, ...] = ()  # the separate complaints, where a framework lists several
    counts: Counts | None = None
    artifacts: tuple[Artifact, ...] = ()

    @property
    def is_repetition(self) -> bool:
        """Whether it is a further look at a failure, which tells of the test and decides nothing about the run."""
        return self.reason.startswith(REPEATED)


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test and every attempt at it, in order."""

    __test__ = False

    case: TestCase
    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt:
        """The last attempt that counts; repetitions come after it, and do not."""
        last = self.attempts[-1]
        if not last.is_repetition:
            return last
        return next((attempt for attempt in reversed(self.attempts) if not attempt.is_repetition), last)

    @property
    def outcome(self) -> Outcome:
        return self.last.outcome

    @property
    def duration_ms(self) -> float:
        return sum(attempt.duration_ms for attempt in self.attempts if not attempt.is_repetition)

    @property
    def is_flaky(self) -> bool:
        """True when the same code both failed and passed within this run; a test that a heal mended is not the same."""
        return self.outcome is Outcome.PASSED and any(not attempt.outcome.is_success for attempt in self.attempts)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept tests from running, or their results from being trusted."""

    code: str
    message: str
    next_step: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The tests of one framework under one folder."""

    framework: Framework
    root: str  # from the project's root
    results: tuple[TestResult, ...] = ()
    problems: tuple[Problem, ...] = ()
    duration_ms: float = 0.0
    isolation: str = ""  # the level that was in force
    usage: ResourceUsage = field(default_factory=ResourceUsage)
    left_processes: int = 0  # that the tests started and did not end; we ended them
    artifacts: tuple[Artifact, ...] = ()  # of the suite as a whole, such as coverage data

    @property
    def total_tests(self) -> int:
        return len(self.results)

    @property
    def total_passed(self) -> int:
        return sum(passed_in(result) for result in self.results)

    @property
    def total_failed(self) -> int:
        return sum(failed_in(result) for result in self.results)

    @property
    def total_skipped(self) -> int:
        return sum(result.outcome is Outcome.SKIPPED for result in self.results)

    @property
    def success(self) -> bool:
        return not self.problems and all(result.outcome.is_success for result in self.results)

    @property
    def errors(self) -> tuple[str, ...]:
        complaints = (complaint for result in self.results for complaint in complaints_of(result))
        return (*complaints, *(problem.message for problem in self.problems))


@dataclass(frozen=True, slots=True)
class CounterValue:
    """Something that was counted during a run, such as the heals that were tried in one suite."""

    name: str
    module: str  # the root of the suite it was counted in
    value: float


@dataclass(frozen=True, slots=True)
class RunResult:
    """Everything one `testwright run` saw."""

    id: RunId
    started_at: datetime
    suites: tuple[SuiteResult, ...] = ()
    duration_ms: float = 0.0
    interrupted: bool = False
    commit: str = ""  # the git commit the project was at
    dirty: bool = False  # whether the work tree differed from that commit
    command: tuple[str, ...] = ()
    source: str = "run"  # or the format the results were imported from
    counters: tuple[CounterValue, ...] = ()

    @property
    def results(self) -> tuple[TestResult, ...]:
        return tuple(result for suite in self.suites for result in suite.results)

    @property
    def success(self) -> bool:
        return not self.interrupted and all(suite.success for suite in self.suites)


def passed_in(result: TestResult) -> int:
    """How many passes a result stands for: its own, or those counted inside it."""
    if result.last.counts is not None:
        return result.last.counts.passed
    return int(result.outcome.is_pass)


def failed_in(result: TestResult) -> int:
    """How many failures a result stands for; a file that failed counts at least one, also if it says none."""
    failed = int(not result.outcome.is_success)
    if result.last.counts is not None:
        return max(failed, result.last.counts.failed)
    return failed


def complaints_of(result: TestResult) -> tuple[str, ...]:
    if result.outcome.is_success:
        return ()
    return result.last.errors or (result.last.message or f"{result.case.name}: {result.outcome}",)
