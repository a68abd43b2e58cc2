"""What was measured of tests, and what the engine gives back for one module."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from testwright.generate.inside.promises.breach import Breach


@dataclass(frozen=True, slots=True)
class Covered:
    """Lines and branches of the module that the tests run, and what they leave out."""

    lines_covered: int = 0
    lines_total: int = 0
    branches_covered: int = 0
    branches_total: int = 0
    uncovered_lines: tuple[int, ...] = ()
    missing_branches: tuple[str, ...] = ()  # each as `L42: what was never seen`

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Covered":
        """As the explorer and our part in pytest report it."""
        return cls(
            lines_covered=record["lines_covered"],
            lines_total=record["lines_total"],
            branches_covered=record["branches_covered"],
            branches_total=record["branches_total"],
            uncovered_lines=tuple(record["uncovered_lines"]),
            missing_branches=tuple(record["missing_branches"]),
        )

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

    operator: str  # by its name in the literature: ROR, AOR, LCR, ...
    line: int
    description: str  # what became what: "`<` became `<=`"


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
    """Something that got no test, and why not: a unit, a module or a file."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SuiteWorth:
    """What tests that exist already show of a module: those of them that pass.

    Probes and mutants are named by their numbers, which the same source has in the same interpreter.
    """

    tests: int = 0  # how many pass and reach the module
    failed: tuple[Skipped, ...] = ()  # those that do not pass here, and files that cannot be collected
    covered: Covered = field(default_factory=Covered)
    hits: tuple[int, ...] = ()
    probes: int = 0  # how many probes there are in all
    killed: tuple[int, ...] = ()
    survived: tuple[int, ...] = ()
    """A mutant that is in neither was not tried: it is unknown whether a test for it would be news."""
    survivors: tuple[Survivor, ...] = ()  # those that survived, in words
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
    cpu_s: float = 0.0  # of all processes that worked on it: ours and the explorer's
    wall_s: float = 0.0
    time_cap_hit: bool = False
    broken_promises: tuple[Breach, ...] = ()
    """Where the code breaks its own word: each becomes a failing test and a bug note."""
