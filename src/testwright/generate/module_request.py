"""What the engine is asked for, and what it gives back: one module in, one pytest file out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.isolate.guard import IsolationLevel
from testwright.repo.import_map import ImportMap

if TYPE_CHECKING:
    from testwright.generate.broken_promise import BrokenPromise

DEFAULT_SEED = 1337  # as the conventions of a context pack have it
DEFAULT_BUDGET_SECONDS = 10.0
_SHORTEST_CAP_SECONDS = 60.0  # a small budget must not depend on how busy the machine is


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be tried for one module.

    `seconds` is an amount of work, named by the CPU time an ordinary machine takes for it. The engine counts work,
    not time, so that the same budget gives the same tests on every machine. `cap_seconds`, on the wall, is the safety
    net beneath it: reaching it is told (`Generated.time_cap_hit`), because then two machines may differ.
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

    file: Path
    """The module's source, absolute."""
    import_map: ImportMap
    """How a test imports it."""
    python: Path
    """The project's interpreter."""
    root: Path
    """The project: readable to the explored code, never writable."""
    qualnames: tuple[str, ...] = ()
    """Which functions, classes and methods; empty: all of them."""
    seed: int = DEFAULT_SEED
    budget: Budget = field(default_factory=Budget)
    harvested: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Calls found in tests, doctests and documents, by the qualname of what they call, as expressions."""
    existing_tests: tuple[Path, ...] = ()
    """Test files that are about this module already."""
    baseline: "SuiteWorth | None" = None
    """What those tests show of the module: it is not news. None: there are none, or they showed nothing."""
    level: IsolationLevel = IsolationLevel.R1
    """The isolation that the explored code and the generated tests run under."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on one module is."""

    stage: str
    """What is being done, in one or two words: "exploring", "choosing", "writing", "checking"."""
    done: float = 0.0
    """The share of the stage that is done, 0.0 to 1.0."""
    covered: float | None = None
    """The share of lines and branches covered so far, 0.0 to 1.0."""
    cases: int = 0
    """Inputs worth keeping so far."""


@dataclass(frozen=True, slots=True)
class Covered:
    """Lines and branches of the module that the tests run, and what they leave out."""

    lines_covered: int = 0
    lines_total: int = 0
    branches_covered: int = 0
    branches_total: int = 0
    uncovered_lines: tuple[int, ...] = ()
    missing_branches: tuple[str, ...] = ()
    """Each as `L42: what was never seen`."""

    @property
    def done(self) -> int:
        return self.lines_covered + self.branches_covered

    @property
    def share(self) -> float:
        """Lines and branches together, 0.0 to 1.0; a module that has none is covered."""
        return self.done / self.total if self.total else 1.0

    @property
    def total(self) -> int:
        return self.lines_total + self.branches_total


@dataclass(frozen=True, slots=True)
class Survivor:
    """A change to the module that no test noticed."""

    operator: str
    """By its name in the literature: ROR, AOR, LCR, ..."""
    line: int
    description: str
    """What became what: "`<` became `<=`"."""


@dataclass(frozen=True, slots=True)
class Mutants:
    """How many small changes to the module the tests notice."""

    killed: int = 0
    total: int = 0
    survivors: tuple[Survivor, ...] = ()
    before: int = 0
    """Of those killed, how many the tests notice that existed already; the new ones were not asked about them."""

    @property
    def gain(self) -> int:
        return self.killed - self.before

    @property
    def share(self) -> float | None:
        """0.0 to 1.0; None where nothing was tried."""
        return self.killed / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that got no test, and why not."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SuiteWorth:
    """What tests that exist already show of a module: those of them that pass.

    Probes and mutants are named by their numbers, which the same source has in the same interpreter.
    """

    tests: int = 0
    """How many pass and reach the module."""
    failed: tuple[Skipped, ...] = ()
    """Those that do not pass here, and files that cannot be collected."""
    covered: Covered = field(default_factory=Covered)
    hits: tuple[int, ...] = ()
    probes: int = 0
    """How many probes there are in all."""
    killed: tuple[int, ...] = ()
    survived: tuple[int, ...] = ()
    """A mutant that is in neither was not tried: whether a test for it would be news, nobody knows."""
    survivors: tuple[Survivor, ...] = ()
    """Those that survived, in words."""
    time_cap_hit: bool = False
    cpu_s: float = 0.0

    @property
    def mutants(self) -> Mutants:
        killed = len(self.killed)
        return Mutants(killed, killed + len(self.survived), self.survivors, before=killed)


@dataclass(frozen=True, slots=True)
class Generated:
    """What the engine made of one module. No text: nothing could be tested, and `skipped` says why."""

    suite_text: str | None
    cases: int = 0
    tests: int = 0
    covered: Covered = field(default_factory=Covered)
    mutants: Mutants = field(default_factory=Mutants)
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    cpu_s: float = 0.0
    """Of all processes that worked on it: ours and the explorer's."""
    wall_s: float = 0.0
    time_cap_hit: bool = False
    broken_promises: "tuple[BrokenPromise, ...]" = ()
    """Where the code breaks its own word: each becomes a failing test and a bug note."""
