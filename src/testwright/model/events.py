"""What happens while tests run, in the order it happens. Faces show events; the journal keeps them."""

from dataclasses import dataclass, field

from testwright.model.case import Framework, TestCase
from testwright.model.resource_usage import ResourceUsage
from testwright.model.result import Artifact, Attempt, CounterValue, Problem


@dataclass(frozen=True, slots=True)
class SuiteStarted:
    framework: Framework
    root: str
    isolation: str


@dataclass(frozen=True, slots=True)
class RunnerStarted:
    """A runner process is up and busy with itself: the moment to do slow things of our own."""


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """All that a runner has said so far has been passed on: the moment to write it down, all at once."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Tests that a runner has announced. A runner may announce file by file."""

    cases: tuple[TestCase, ...]


@dataclass(frozen=True, slots=True)
class TestStarted:
    __test__ = False

    case: TestCase


@dataclass(frozen=True, slots=True)
class AttemptFinished:
    case: TestCase
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class ProblemFound:
    problem: Problem


@dataclass(frozen=True, slots=True)
class SuiteEnded:
    framework: Framework
    root: str
    duration_ms: float
    usage: ResourceUsage = field(default_factory=ResourceUsage)
    left_processes: int = 0  # that the tests started and did not end; we ended them
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted over the whole run; values of the same name and module add up."""

    counter: CounterValue


KeptEvent = SuiteStarted | Collected | TestStarted | AttemptFinished | ProblemFound | SuiteEnded | Counted
RunEvent = KeptEvent | RunnerStarted | CaughtUp  # the last two are news for a moment only
