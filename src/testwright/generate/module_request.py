"""What the engine is asked for: one module in, one pytest file out. And how it tells of its progress."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testwright.generate.measured_results import SuiteWorth
from testwright.isolate.guard import IsolationLevel
from testwright.repo.import_map import ImportMap

DEFAULT_SEED = 1337  # as the conventions of a context pack have it
DEFAULT_BUDGET_SECONDS = 10.0
_SHORTEST_CAP_SECONDS = 60.0  # a small budget must not depend on how busy the machine is


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be tried for one module.

    `seconds` is an amount of work, named by the CPU time an ordinary machine takes for it. The engine counts work,
    not time, so that the same budget gives the same tests on every machine. `cap_seconds`, in real time, is only the
    safety net: reaching it is reported (`Generated.time_cap_hit`), because then two machines may differ.
    """

    seconds: float = DEFAULT_BUDGET_SECONDS
    cap_seconds: float = 12 * DEFAULT_BUDGET_SECONDS

    @classmethod
    def of(cls, seconds: float) -> "Budget":
        """A budget of `seconds`, with a cap far enough above it that only a machine in trouble gets there."""
        return cls(seconds, cap_seconds=max(_SHORTEST_CAP_SECONDS, 12 * seconds))


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """One module to write tests for.

    It holds plain values only, so that it can be sent to another process or another machine.
    """

    file: Path  # the module's source, absolute
    import_map: ImportMap  # how a test imports it
    python: Path  # the project's interpreter
    root: Path  # the project: readable to the explored code, never writable
    qualnames: tuple[str, ...] = ()  # which functions, classes and methods; empty: all of them
    seed: int = DEFAULT_SEED
    budget: Budget = field(default_factory=Budget)
    harvested: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Calls found in tests, doctests and documents, by the qualname of what they call, as expressions."""
    existing_tests: tuple[Path, ...] = ()  # test files that are about this module already
    baseline: SuiteWorth | None = None
    """What those tests show of the module: it is not news. None: there are none, or they showed nothing."""
    level: IsolationLevel = IsolationLevel.R1
    """The isolation that the explored code and the generated tests run under."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on one module is."""

    stage: str  # what is being done, in one or two words: "exploring", "choosing", "writing", "checking"
    done: float = 0.0  # the share of the stage that is done, 0.0 to 1.0
    covered: float | None = None  # the share of lines and branches covered so far, 0.0 to 1.0
    cases: int = 0  # inputs worth keeping so far
