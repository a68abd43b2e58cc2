"""What the store answers when somebody looks through runs and tests: short forms that a list can show."""

from dataclasses import dataclass
from datetime import datetime

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import RunId


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run in a list. It counts tests; what a test counts inside itself is in its result."""

    id: RunId
    started_at: datetime
    duration_ms: float
    interrupted: bool
    commit: str
    dirty: bool
    source: str
    success: bool
    total: int
    passed: int
    failed: int
    skipped: int
    flaky: int
    problems: int


@dataclass(frozen=True, slots=True)
class TestFilter:
    """Which tests to list; what is left empty lets everything through."""

    __test__ = False

    text: str = ""  # anywhere in the id, in either case
    file: str = ""  # exactly, or the folder it lies in
    framework: Framework | None = None
    outcomes: tuple[Outcome, ...] = ()  # of the last verdict


@dataclass(frozen=True, slots=True)
class TestSummary:
    """One test in a list: what it said last, and how often it passed and failed in the runs we keep.

    An interrupted result is not a verdict: it counts in `runs` only, and is "last" only where there is no other.
    """

    __test__ = False

    case: TestCase
    last_run: RunId
    last_run_at: datetime
    last_outcome: Outcome
    last_duration_ms: float
    runs: int
    passed: int
    failed: int


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One test in one run."""

    run: RunId
    started_at: datetime  # of the run
    commit: str
    dirty: bool
    outcome: Outcome
    duration_ms: float
    attempts: tuple[Outcome, ...]
    message: str  # of the last attempt


@dataclass(frozen=True, slots=True)
class TestHistory:
    """A test and what came of it, the newest run first."""

    __test__ = False

    summary: TestSummary
    entries: tuple[HistoryEntry, ...]


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed. The artifacts' files are the caller's to remove."""

    runs: tuple[RunId, ...] = ()
    results: int = 0
    tests: int = 0  # known from no other run
    artifacts: tuple[str, ...] = ()
