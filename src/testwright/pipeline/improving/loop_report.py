"""What comes of the feedback loop: for each failure who takes it, a step and perhaps a note, and what was healed."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.classify.quality.run_analysis import Improvement, RunAnalysis, analysis_shape
from testwright.model.failure import CodeOwner
from testwright.model.failure_labels import FailureCategory, FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.proposal import Proposal, ProposalStatus
from testwright.model.result import RunResult, TestResult
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.explaining.failure_reader import runner_words

_QUOTES = 4
_LONGEST = 500  # characters of a line of a note
_LOOK_AGAIN = "Healing found nothing it was sure of: `testwright heal repair FILE --url ADDRESS` looks again."


class Route(StrEnum):
    """Who takes a failure from here."""

    HEAL = "heal"  # the element is looked for
    REFINE = "refine"  # the test was generated: it can be generated again
    REWRITE = "rewrite"  # a person or a model rewrites the test
    BUG_NOTE = "bug_note"  # the product is wrong until somebody has looked
    ENVIRONMENT = "environment"  # the machine, the network, a service
    LOOK = "look"  # a person


_ROUTES = {
    FailureCategory.ENVIRONMENT: Route.ENVIRONMENT,
    FailureCategory.NETWORK_FLAKY: Route.ENVIRONMENT,
    FailureCategory.SELECTOR_BROKEN: Route.HEAL,
    FailureCategory.REAL_BUG: Route.BUG_NOTE,
    FailureCategory.TEST_BUG: Route.REWRITE,
    FailureCategory.TIMING_FLAKY: Route.REWRITE,
    FailureCategory.UNKNOWN: Route.LOOK,
}


def route_of(verdict: Verdict | None, *, was_generated: bool, did_not_load: bool) -> Route:
    if verdict is None:
        return Route.LOOK
    # Its imports worked when it was generated. Where they do not now, the code has moved.
    if was_generated and (did_not_load or verdict.label is FailureLabel.TEST_BUG):
        return Route.REFINE
    return _ROUTES[verdict.category]


@dataclass(frozen=True, slots=True)
class LoopBugNote:
    """A bug in short: what, where, and on what evidence."""

    what: str
    where: str
    evidence: tuple[str, ...]
    test: str
    run: str
    commit: str


def bug_note(run: RunResult, result: TestResult, verdict: Verdict) -> LoopBugNote:
    detail = parse_failure_text(runner_words(result.last, result.case.framework), str(result.case.framework))
    frames = [frame for frame in detail.frames if frame.owner is CodeOwner.PRODUCT] or [
        frame for frame in detail.frames if frame.owner is CodeOwner.TEST
    ]
    where = f"{frames[0].file}:{frames[0].line}" if frames else _place(result)
    headline = detail.headline.text.strip() or next(iter(result.last.message.splitlines()), "") or str(result.outcome)
    return LoopBugNote(
        what=headline[:_LONGEST],
        where=where,
        evidence=tuple(quote.text for quote in verdict.evidence[:_QUOTES]),
        test=result.case.id,
        run=run.id,
        commit=run.commit,
    )


def note_lines(note: LoopBugNote) -> list[str]:
    """The note as it may be copied into a bug report."""
    commit = f", commit {visible_line(note.commit[:12])}" if note.commit else ""
    lines = [
        f"what: {visible_line(note.what, limit=_LONGEST)}",
        f"where: {visible_line(note.where)}",
        f"seen by: {visible_line(note.test)} in run {visible_line(note.run)}{commit}",
    ]
    return [*lines, *(f"evidence: “{visible_line(quote, limit=_LONGEST)}”" for quote in note.evidence)]


def _place(result: TestResult) -> str:
    return f"{result.case.file}:{result.case.line}" if result.case.line else result.case.file


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
            "bugNote": asdict(self.note) if self.note is not None else None,
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


def heal_of(test: str, heals: Sequence[Proposal]) -> Proposal | None:
    return next((heal for heal in heals if any(f"{test} passes" in seen.summary for seen in heal.evidence)), None)


def healed_in(run: RunResult, heals: Sequence[Proposal]) -> Iterator[Healed]:
    for result in run.results:
        if result.outcome is Outcome.PASSED_WITH_HEAL:
            proposal = heal_of(result.case.id, heals)
            yield Healed(result.case.id, result.last.message, proposal.id if proposal is not None else "")


def heal_advice(run: RunResult, heal: Proposal | None) -> str:
    """What the heal pass of a run proposed, or how to look again."""
    if heal is None:
        return _LOOK_AGAIN
    of_this_run = any(seen.source == f"run {run.id}" for seen in heal.evidence)
    when = "" if of_this_run else " by another run"
    waits = heal.status is ProposalStatus.PENDING
    state = f"waits{when}" if waits else f"was proposed{when}, and is {heal.status}"
    return f"A new selector {state}: testwright review show {heal.id}"
