"""The module under test, loaded as its twin, and the way to try one case on it."""

import ast
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FrameType, ModuleType
from typing import Any, TypeVar

from testwright.generate.inside.case_run.case_runner import run_case
from testwright.generate.inside.descriptions.observation_builder import confirm, describe, still_true
from testwright.generate.inside.generated_case import Case, CaseOutcome, Observation
from testwright.generate.inside.namespace import Namespace
from testwright.instrument.probes import ProbeRecorder, Twin, WorkExceeded

TICKS_PER_CASE = 100_000
"""Turns of loops and calls in the module under test after which a case is too slow to be a test."""
SECONDS_PER_CASE = 2.0
"""For what does no work that can be counted: waiting, or long work in other modules."""
_LONGEST_SLEEP = 0.05
_TOO_SLOW = Observation(CaseOutcome.UNUSABLE, reason="too slow")
T = TypeVar("T")


@dataclass(frozen=True)
class ObservedRun:
    """What one run of a case showed. `hits` has a byte for each probe, as one large number: sets by bit operations."""

    observation: Observation
    hits: int
    work: int = 0
    """Turns of loops and calls that it took."""


@dataclass(frozen=True)
class ModuleUnderTest:
    module: ModuleType
    file: str
    source: str
    tree: ast.Module
    twin: Twin
    recorder: ProbeRecorder
    namespace: Namespace

    def attempt(self, case: Case, ticks: int = TICKS_PER_CASE) -> ObservedRun:
        """Run the case and say what it showed; never raises because of what the case does."""
        hits = b""

        def work() -> Observation:
            nonlocal hits
            performance = run_case(case, self.namespace)
            hits = self.recorder.hits()  # before it is described, which runs code of the module, too
            return describe(performance, self.namespace)

        observation = self.watched(work, _TOO_SLOW, ticks)
        hits = hits or self.recorder.hits()
        return ObservedRun(observation, int.from_bytes(hits, "little"), self.recorder.used())

    def settled(self, case: Case, trial: ObservedRun) -> ObservedRun:
        """The trial with only what a second run shows, too: chance and the clock are in no test."""
        observation = self.watched(lambda: confirm(trial.observation, case, self.namespace), _TOO_SLOW)
        return replace(trial, observation=observation)

    def holds(self, case: Case, known: Observation, ticks: int = TICKS_PER_CASE) -> bool:
        """Whether the case still shows what is known of it: false once a mutant is noticed."""
        return self.watched(
            lambda: still_true(known.checks, run_case(case, self.namespace), self.namespace), False, ticks
        )

    def watched(self, work: Callable[[], T], otherwise: T, ticks: int = TICKS_PER_CASE) -> T:
        """What `work` gives, which runs code under test; `otherwise` when it takes too long."""
        self.recorder.reset(ticks)
        # Again and again: the code under test may swallow the first ring, and the second.
        signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_CASE, 0.1)
        try:
            return work()
        except WorkExceeded:
            return otherwise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def forbid_waiting() -> None:
    """Make a long wait the end of a case, at once: it would only be cut off later, and by the clock."""
    really_sleep = time.sleep

    def sleep(seconds: Any) -> None:
        if isinstance(seconds, int | float) and seconds > _LONGEST_SLEEP:
            raise WorkExceeded(f"waits {seconds} s")
        really_sleep(seconds)

    time.sleep = sleep


def ring_when_too_slow() -> None:
    def too_slow(_number: int, _frame: FrameType | None) -> None:
        raise WorkExceeded("took too long")

    signal.signal(signal.SIGALRM, too_slow)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored nobody can tell how a fork ended


def statement_lines(tree: ast.Module) -> dict[int, int]:
    """For each line, the line at which the innermost statement on it begins."""
    begins: dict[int, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        decorators = [each.lineno for each in getattr(node, "decorator_list", [])]
        first = min([node.lineno, *decorators])
        bodies = [
            part[0].lineno
            for name in ("body", "orelse", "finalbody", "handlers", "cases")
            if (part := getattr(node, name, None)) and isinstance(part, list) and hasattr(part[0], "lineno")
        ]
        last = max(node.lineno, min(bodies) - 1) if bodies else (node.end_lineno or node.lineno)
        for line in range(first, last + 1):
            begins[line] = max(begins.get(line, 0), node.lineno)
    return begins


def owned_folder(name: str) -> str:
    """A folder of our own to stand in, so that files written by relative names litter nobody's project."""
    import tempfile

    folder = tempfile.mkdtemp(prefix=name)
    os.chdir(folder)
    return folder
