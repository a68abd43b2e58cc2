"""What came of a test over time: every try at it in the runs that are kept, the oldest first."""

from dataclasses import dataclass
from datetime import datetime

from testwright.model.case import TestId
from testwright.model.outcome import Outcome
from testwright.model.result import REPEATED, RunId

# These say nothing of the code as it is: a test that was not heard to the end, one that did not run,
# and one that passed after its source had been changed.
_NO_TRY = frozenset({Outcome.INTERRUPTED, Outcome.SKIPPED, Outcome.PASSED_WITH_HEAL})

# The reason of an attempt among tests in reverse order. Nobody runs them so: what fails there does not fail by chance.
IN_REVERSE = f"{REPEATED}reversed"


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run, as far as the histories of its tests need it."""

    id: RunId
    started_at: datetime
    commit: str = ""  # empty: unknown
    dirty: bool = False
    same_as: str = ""  # what repetitions of one run have in common: nothing was changed between them

    @property
    def code(self) -> str:
        """Equal for two runs only where both surely ran the same code; a work tree with changes is like no other."""
        if self.same_as:
            return f"same:{self.same_as}"
        return self.commit if self.commit and not self.dirty else f"run:{self.id}"

    @property
    def name(self) -> str:
        """What a person can look up: the commit, or the run where there is none."""
        if not self.commit:
            return f"run {self.id}"
        return f"commit {self.commit[:12]}{' with changes' if self.dirty else ''}"


@dataclass(frozen=True, slots=True)
class PastAttempt:
    run: PastRun
    failed: bool
    suite: int = 0  # which suite of the run
    position: int | None = None  # of the test among those of the run, by when they finished; None: unknown


@dataclass(frozen=True, slots=True)
class History:
    """Every try at one test, in time order; retries are tries like any other."""

    test: TestId
    tries: tuple[PastAttempt, ...]


def has_failed(outcome: Outcome, reason: str = "") -> bool | None:
    """Whether an attempt that ended so speaks against the test; None: it says nothing either way."""
    return None if outcome in _NO_TRY or reason == IN_REVERSE else not outcome.is_success
