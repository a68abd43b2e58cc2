"""Time and CPU of commands. Two commands that are compared take turns, so that a busy machine hurts both alike."""

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One measured ratio or time, and the limit it is held to."""

    what: str
    value: float
    limit: float
    unit: str
    at_least: bool = False
    detail: str = ""

    @property
    def holds(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        bound = f"{'at least' if self.at_least else 'at most'} {self.limit:g}{self.unit}"
        mark = "ok  " if self.holds else "MISS"
        return f"{mark} {self.what}: {self.value:.2f}{self.unit} ({bound}) {self.detail}".rstrip()


def wall(
    command: Sequence[str | Path], cwd: Path, *, codes: tuple[int, ...] = (0,), env: dict[str, str] | None = None
) -> float:
    """Seconds that `command` takes. An exit code that was not expected is an error, not a fast run."""
    argv = [str(part) for part in command]
    around = {**os.environ, **(env or {})}
    started = time.perf_counter()
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False, env=around)
    seconds = time.perf_counter() - started
    if done.returncode not in codes:
        raise SystemExit(f"{command} exited with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return seconds


def cpu(command: Sequence[str | Path], cwd: Path, *, codes: tuple[int, ...] = (0,)) -> float:
    """Seconds of processor time, user and system, of `command` and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall(command, cwd, codes=codes)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass(frozen=True)
class Comparison:
    """Two things measured in turn. `ratio` is the median of second over first within each turn, so that a machine
    whose speed changes from minute to minute still gives the same answer."""

    first: float
    second: float
    ratio: float


def compared(first: Callable[[], float], second: Callable[[], float], *, rounds: int) -> Comparison:
    """Measure both in turn, after one round that does not count."""
    first(), second()
    pairs = [(first(), second()) for _ in range(rounds)]
    return Comparison(
        first=statistics.median(a for a, _ in pairs),
        second=statistics.median(b for _, b in pairs),
        ratio=statistics.median(b / a for a, b in pairs),
    )
