"""What comes of the feedback loop: a step for each failure of a run, and the tests that were healed."""

from dataclasses import dataclass
from typing import Any

from testwright.classify.quality.run_analysis import Improvement, RunAnalysis, analysis_shape
from testwright.model.result import RunResult
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.improving.bug_note import LoopBugNote
from testwright.pipeline.improving.routes import Route


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One failure, and what comes of it."""

    improvement: Improvement
    verdict: Verdict | None
    route: Route
    said: str  # what was done, or what to do
    proposal: str = ""  # its id, where one waits or was decided
    note: LoopBugNote | None = None

    def shape(self) -> dict[str, Any]:
        return {
            "testId": self.improvement.test,
            "priority": self.improvement.priority,
            "route": str(self.route),
            "said": self.said,
            "proposal": self.proposal or None,
            "verdict": verdict_shape(self.verdict) if self.verdict is not None else None,
            "bugNote": self.note.shape() if self.note is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Healed:
    """A test that passed with a new selector, which is to be reviewed."""

    test: str
    said: str
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class LoopReport:
    run: RunResult
    analysis: RunAnalysis
    steps: tuple[LoopStep, ...]  # the most urgent first
    healed: tuple[Healed, ...] = ()

    def shape(self) -> dict[str, Any]:
        return {
            "run": self.run.id,
            "commit": self.run.commit,
            **analysis_shape(self.analysis),
            "steps": [step.shape() for step in self.steps],
            "healed": [{"testId": one.test, "said": one.said, "proposal": one.proposal or None} for one in self.healed],
        }
