"""What becomes of the modules that tests are generated for, who hears of it meanwhile, and how the work is stopped."""

import resource
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from testwright.generate.measured_results import Covered, Generated, Mutants, Skipped
from testwright.generate.module_request import ModuleRequest, Progress
from testwright.generate.quality_gates.all_gates import GateVerdict
from testwright.isolate.child import Cancel
from testwright.model.errors import ExitCode, TestwrightError, UsageError
from testwright.model.execution_feedback import ExecutionFeedback, feedback_shape

Engine = Callable[[ModuleRequest, Callable[[Progress], None], Cancel], Generated]


class Status(StrEnum):
    TESTED = "tested"  # tests came through all gates
    NOTHING = "nothing"  # there is nothing in it to test, or nothing that is not tested already
    FAILED = "failed"  # there should have been tests, and `reason` says why there are none


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is to be written, as a whole."""

    path: Path
    text: str
    title: str


@dataclass(frozen=True)
class ModuleOutcome:
    shown: str
    status: Status
    reason: str = ""
    suite: NewFile | None = None
    conftest: NewFile | None = None
    bugs: tuple[NewFile, ...] = ()
    feedback: ExecutionFeedback | None = None
    verdicts: tuple[GateVerdict, ...] = ()
    covered: Covered = field(default_factory=Covered)
    mutants: Mutants = field(default_factory=Mutants)
    tests: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()
    """What the code says of itself and does not keep, a sentence each."""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    time_cap_hit: bool = False
    error: Exception | None = None
    """What prevented it, where it was not the module itself: an error that we raise, or a fault of Testwright's own."""


@dataclass(frozen=True, slots=True)
class Begun:
    shown: str


@dataclass(frozen=True, slots=True)
class Advanced:
    shown: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: ModuleOutcome


Happening = Begun | Advanced | Ended
Listener = Callable[[Happening], None]


def exit_code_of(outcomes: Sequence[ModuleOutcome]) -> ExitCode:
    """0 all done, 1 some modules should have tests and have none. Where all failed alike, the code says how."""
    failed = [outcome for outcome in outcomes if outcome.status is Status.FAILED]
    if not failed:
        return ExitCode.OK
    codes = {_code_of(outcome.error) for outcome in outcomes}
    return codes.pop() if len(codes) == 1 else ExitCode.FAILURES


def _code_of(error: Exception | None) -> ExitCode:
    if error is None:
        return ExitCode.FAILURES
    return error.exit_code if isinstance(error, TestwrightError) else ExitCode.INTERNAL


def cpu_seconds() -> float:
    """What this process and its children that have ended have used so far."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def outcome_shape(outcome: ModuleOutcome) -> dict[str, Any]:
    return {
        "module": outcome.shown,
        "status": str(outcome.status),
        "reason": outcome.reason,
        "tests": outcome.tests,
        "covered": round(outcome.covered.share, 4) if outcome.covered.lines_total else None,
        "lines": [outcome.covered.lines_covered, outcome.covered.lines_total],
        "branches": [outcome.covered.branches_covered, outcome.covered.branches_total],
        "mutants": [outcome.mutants.killed, outcome.mutants.total],
        "feedback": feedback_shape(outcome.feedback) if outcome.feedback is not None else None,
        "gates": [{"gate": str(each.gate), "passed": each.passed, "detail": each.detail} for each in outcome.verdicts],
        "skipped": [{"name": each.name, "reason": each.reason} for each in outcome.skipped],
        "bugs": list(outcome.promises),
        "notes": list(outcome.notes),
        "cpu_s": round(outcome.cpu_s, 3),
        "wall_s": round(outcome.wall_s, 3),
        "time_cap_hit": outcome.time_cap_hit,
    }


def unusable(named: Skipped) -> ModuleOutcome:
    """The outcome of something that was named and is not a module to generate tests for."""
    error = UsageError(f"{named.name}: {named.reason}.")
    return ModuleOutcome(named.name, Status.FAILED, named.reason, error=error)


@dataclass(frozen=True)
class Stops:
    """`enough` ends the exploring: what was found is kept, and goes through the gates. `now` ends everything."""

    enough: Cancel = field(default_factory=Cancel)
    now: Cancel = field(default_factory=Cancel)


@dataclass(frozen=True)
class GenerationWork:
    engine: Engine
    stops: Stops
    listen: Listener
    with_bugs: bool = False
    """Whether broken promises become files; they are reported anyway."""

    def for_threads(self) -> "GenerationWork":
        """The same for modules that are worked on at the same time: the listener hears one thing after another."""
        lock, listen = threading.Lock(), self.listen

        def one_at_a_time(happening: Happening) -> None:
            with lock:
                listen(happening)

        return replace(self, listen=one_at_a_time)
