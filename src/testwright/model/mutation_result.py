"""Small wrong changes to a module, and whether its tests noticed them."""

from dataclasses import dataclass
from enum import StrEnum


class MutantStatus(StrEnum):
    KILLED = "killed"  # a test failed
    TIMEOUT = "timeout"  # the tests did not come to an end with it: noticed as well
    SURVIVED = "survived"  # every test that reaches it still passes
    UNCOVERED = "uncovered"  # no test reaches it

    @property
    def is_noticed(self) -> bool:
        return self in (MutantStatus.KILLED, MutantStatus.TIMEOUT)


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """One mutant, and what came of it."""

    number: int  # the same as long as the source is
    operator: str  # by its name in the literature: ROR, AOR, SDL, ...
    line: int
    column: int
    function: str | None  # the qualified name of what runs it; None: the module or a class body does
    description: str
    status: MutantStatus
    killed_by: str = ""  # the test that noticed it first, as pytest names it


@dataclass(frozen=True, slots=True)
class MutationResult:
    """What the tests of a project noticed of the mutants of one file."""

    file: str
    mutants: int  # that the file has; those tried may be a sample
    verdicts: tuple[MutantVerdict, ...]  # in the order of the source
    tests: int
    reaching: int  # tests that run any of the file's code
    duration_ms: float = 0.0

    @property
    def noticed(self) -> int:
        return sum(verdict.status.is_noticed for verdict in self.verdicts)

    @property
    def score(self) -> float | None:
        """The share of the mutants that was noticed; None where there was none to notice."""
        return self.noticed / len(self.verdicts) if self.verdicts else None

    @property
    def survivors(self) -> tuple[MutantVerdict, ...]:
        return tuple(verdict for verdict in self.verdicts if not verdict.status.is_noticed)
