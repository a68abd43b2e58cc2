"""What tests are worth to a module: which of its code they run, and which of its mutants they notice."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testwright.generate.measured_results import Covered, Skipped, SuiteWorth, Survivor
from testwright.generate.module_request import Budget
from testwright.generate.quality_gates.project_mirror import ProjectMirror
from testwright.generate.quality_gates.single_run import SuiteFile, WatchedModule, pytest_command
from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Cancel, Child
from testwright.isolate.limits import GUARDED_LIMITS
from testwright.isolate.sandbox import open_sandbox

_START_SECONDS = 60.0  # for pytest to come up and to import everything
_QUIET_SECONDS = 60.0  # between two signs of life: a test that hangs is given up far sooner


@dataclass(frozen=True, slots=True)
class WorthBudget:
    """How much may be spent on it. Mutants and runs are counted; the seconds of real time are only the safety net."""

    mutants: int
    runs: int  # runs of single tests, with a mutant in place
    seconds: float
    test_seconds: float = 20.0  # for one existing test: it may wait for something

    @classmethod
    def of(cls, budget: Budget) -> "WorthBudget":
        """A fraction of what exploring the module may cost."""
        return cls(int(20 * budget.seconds), int(300 * budget.seconds), budget.cap_seconds / 2)


def measure_worth(
    trial: SuiteFile,
    files: Sequence[Path],
    watched: WatchedModule,
    effort: WorthBudget,
    cancel: Cancel,
    *,
    seed: int = 0,
    import_path: Sequence[str] = (),
) -> SuiteWorth | None:
    """What the tests in `files` are worth, run guarded in the mirror of `trial`. None: it could not be found out.

    `files` lie in the project, or are the trial's own.
    """
    if cancel.raised:
        return None
    started = time.thread_time()
    heard: list[Record] = []
    with open_sandbox(trial.root, trial.level, readable=trial.needed) as room:
        mirror = trial.mirror_in(room)
        places = [_on(mirror, file, trial) for file in files]
        worth = {
            "module": watched.name,
            "file": str(watched.file),
            "mutants": effort.mutants,
            "runs": effort.runs,
            "seconds": effort.seconds,
            "test_seconds": effort.test_seconds,
            "seed": str(seed),
            "import_path": [*import_path, str(mirror.root)],
        }
        command = pytest_command(trial, room, mirror.root, places, hash_seed=0)
        channel = {"worth": worth}
        with Child(command, limits=GUARDED_LIMITS, guard=room.guard, channel=channel, cancel=cancel) as child:
            child.deadline = time.monotonic() + _START_SECONDS
            for record in child.records():
                child.deadline = time.monotonic() + _QUIET_SECONDS
                if record["kind"] == "worth":
                    heard.append(record)
            cpu_s = child.report.usage.cpu_ms / 1000
    cpu_s += time.thread_time() - started
    return _baseline(heard[-1], cpu_s) if heard else None


def _on(mirror: ProjectMirror, file: Path, trial: SuiteFile) -> Path:
    """The mirror of a file beside the trial's, or elsewhere in the project."""
    if file.parent == trial.folder:
        return mirror.folder / file.name
    return mirror.root / file.relative_to(trial.root) if file.is_relative_to(trial.root) else file


def _baseline(record: Record, cpu_s: float) -> SuiteWorth:
    return SuiteWorth(
        tests=record["reaching"],
        failed=tuple(Skipped(str(name), str(why)) for name, why in record["failed"]),
        covered=Covered.from_record(record["covered"]),
        hits=tuple(record["hits"]),
        probes=record["probes"],
        killed=tuple(record["killed"]),
        survived=tuple(record["survived"]),
        survivors=tuple(Survivor(*each) for each in record["survivors"]),
        time_cap_hit=record["is_late"],
        cpu_s=cpu_s,
    )
