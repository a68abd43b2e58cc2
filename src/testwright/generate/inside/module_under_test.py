"""The module under test, loaded as its twin, and the way to try one case on it."""

import ast
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TypeVar

from testwright.generate.inside.case_run.case_runner import run_case
from testwright.generate.inside.descriptions.observation_builder import confirm, describe, still_true
from testwright.generate.inside.generated_case import Case, CaseOutcome, Observation
from testwright.generate.inside.namespace import Namespace
from testwright.instrument.probes import ProbeRecorder, WorkExceeded
from testwright.instrument.twin import Twin

TICKS_PER_CASE = 100_000
"""Turns of loops and calls in the module under test after which a case is too slow to be a test."""
SECONDS_PER_CASE = 2.0  # for work that cannot be counted: waiting, or long work in other modules
_TOO_SLOW = Observation(CaseOutcome.UNUSABLE, reason="too slow")
T = TypeVar("T")


@dataclass(frozen=True)
class ObservedRun:
    """What one run of a case showed. `hits` has a byte for each probe, as one large number: sets by bit operations."""

    observation: Observation
    hits: int
    work: int = 0  # turns of loops and calls that it took


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

    def settled(self, case: Case, run: ObservedRun) -> ObservedRun:
        """The run with only what a second run shows too: chance and the clock must be in no test."""
        observation = self.watched(lambda: confirm(run.observation, case, self.namespace), _TOO_SLOW)
        return replace(run, observation=observation)

    def holds(self, case: Case, known: Observation, ticks: int = TICKS_PER_CASE) -> bool:
        """Whether the case still shows what is known of it: false once a mutant is noticed."""
        return self.watched(
            lambda: still_true(known.checks, run_case(case, self.namespace), self.namespace), False, ticks
        )

    def watched(self, work: Callable[[], T], otherwise: T, ticks: int = TICKS_PER_CASE) -> T:
        """What `work` gives, which runs code under test; `otherwise` when it takes too long."""
        self.recorder.reset(ticks)
        # Repeated: the code under test may swallow the first alarm, and the second.
        signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_CASE, 0.1)
        try:
            return work()
        except WorkExceeded:
            return otherwise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
