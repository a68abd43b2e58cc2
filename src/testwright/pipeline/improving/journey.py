"""The feedback loop: what a run says, and for each failure who takes it from here.

Selectors go to healing, wrong values to a note on the bug, tests that are themselves wrong to whoever can write them
anew. A rewritten test is a draft that waits for a person; nothing here changes a file of the project.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from testwright.classify.quality.run_analysis import Improvement, RunAnalysis, analysis_shape
from testwright.model.failure import CodeOwner
from testwright.model.failure_labels import FailureCategory, FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.proposal import Proposal, ProposalKind, ProposalStatus
from testwright.model.result import REPEATED, RunResult, TestResult
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.explaining.failure_reader import told_of
from testwright.pipeline.improving.analysed_runs import AnalysedRun

ENGINE = "engine"
_QUOTES = 4
_LONGEST = 500


class Route(StrEnum):
    """Who takes a failure from here."""

    HEAL = "heal"  # the element is looked for
    REFINE = "refine"  # the test was generated: it can be generated anew
    REWRITE = "rewrite"  # a person or a model writes the test anew
    BUG_NOTE = "bug_note"  # the product is wrong until somebody has looked
    ENVIRONMENT = "environment"  # the machine, the network, a service
    LOOK = "look"  # a person


@dataclass(frozen=True, slots=True)
class LoopBugNote:
    """A bug in short: what, where, and on what evidence."""

    what: str
    where: str
    evidence: tuple[str, ...]
    test: str
    run: str
    commit: str


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One failure, and what comes of it."""

    improvement: Improvement
    verdict: Verdict | None
    route: Route
    said: str  # what was done, or what to do
    proposal: str = ""  # its id, where one waits or was decided
    note: LoopBugNote | None = None


@dataclass(frozen=True, slots=True)
class Healed:
    test: str
    said: str
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class LoopReport:
    run: RunResult
    analysis: RunAnalysis
    steps: tuple[LoopStep, ...]  # the most urgent first
    healed: tuple[Healed, ...] = ()  # tests that passed with a new selector, which is to be reviewed


def plan_steps(analysed: AnalysedRun, *, origins: Mapping[str, str], proposals: Iterable[Proposal] = ()) -> LoopReport:
    """What to do about each failure. `proposals` are those that may have come of the run, such as heals."""
    heals = [proposal for proposal in proposals if proposal.kind is ProposalKind.SELECTOR_PATCH]
    results = {result.case.id: result for result in analysed.run.results}
    steps = [
        _step(analysed, results[improvement.test], improvement, origins, heals)
        for improvement in analysed.analysis.improvements
    ]
    steps.sort(key=lambda step: step.improvement.priority != "high")
    healed = tuple(
        Healed(
            result.case.id, result.last.message, proposal.id if (proposal := _heal_of(result.case.id, heals)) else ""
        )
        for result in analysed.run.results
        if result.outcome is Outcome.PASSED_WITH_HEAL
    )
    return LoopReport(analysed.run, analysed.analysis, tuple(steps), healed)


def _step(
    analysed: AnalysedRun,
    result: TestResult,
    improvement: Improvement,
    origins: Mapping[str, str],
    heals: Sequence[Proposal],
) -> LoopStep:
    verdict = analysed.explanation.of(improvement.test)
    was_generated = origins.get(improvement.case.file, "") == ENGINE
    route = _route(verdict, was_generated=was_generated, did_not_load=not improvement.case.title)
    said = " ".join(filter(None, (_tried_again(result), verdict.advice if verdict is not None else "")))
    step = LoopStep(improvement, verdict, route, said)
    if route is Route.HEAL:
        return _healing(step, analysed.run, heals)
    if route is Route.BUG_NOTE:
        assert verdict is not None
        return replace(step, note=_bug_note(analysed.run, result, verdict))
    if route is Route.LOOK and not step.said:
        return replace(step, said="The failure does not say why: look at what the test printed, or run it traced.")
    return step


_ROUTES = {
    FailureCategory.ENVIRONMENT: Route.ENVIRONMENT,
    FailureCategory.NETWORK_FLAKY: Route.ENVIRONMENT,
    FailureCategory.SELECTOR_BROKEN: Route.HEAL,
    FailureCategory.REAL_BUG: Route.BUG_NOTE,
    FailureCategory.TEST_BUG: Route.REWRITE,
    FailureCategory.TIMING_FLAKY: Route.REWRITE,
    FailureCategory.UNKNOWN: Route.LOOK,
}


def _route(verdict: Verdict | None, *, was_generated: bool, did_not_load: bool) -> Route:
    if verdict is None:
        return Route.LOOK
    # Its imports worked when it was generated. Where they do not now, the code has moved.
    if was_generated and (did_not_load or verdict.label is FailureLabel.TEST_BUG):
        return Route.REFINE
    return _ROUTES[verdict.category]


def _healing(step: LoopStep, run: RunResult, heals: Sequence[Proposal]) -> LoopStep:
    """The heal pass of a run has been there already: what it proposed, or how to look again."""
    test = step.improvement.test
    mine = _heal_of(test, heals)
    if mine is None:
        again = "Healing found nothing it was sure of: `testwright heal repair FILE --url ADDRESS` looks again."
        return replace(step, said=f"{step.said} {again}".strip())
    of_this_run = any(seen.source == f"run {run.id}" for seen in mine.evidence)
    when = "" if of_this_run else " by another run"
    waits = mine.status is ProposalStatus.PENDING
    told = f"waits{when}" if waits else f"was proposed{when}, and is {mine.status}"
    return replace(step, said=f"A new selector {told}: testwright review show {mine.id}", proposal=mine.id)


def _heal_of(test: str, heals: Sequence[Proposal]) -> Proposal | None:
    return next((heal for heal in heals if any(f"{test} passes" in seen.summary for seen in heal.evidence)), None)


def _tried_again(result: TestResult) -> str:
    """What came of the tries that were made to see whether the failure repeats."""
    tries: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for attempt in result.attempts:
        if attempt.is_repetition:
            order = attempt.reason.removeprefix(REPEATED).replace("_", " ")
            tries[order] += 1
            failed[order] += not attempt.outcome.is_success
    counts = ", ".join(f"{failed[order]} of {tries[order]} {order}" for order in tries)
    return f"Tried again, it failed {counts}." if counts else ""


def _bug_note(run: RunResult, result: TestResult, verdict: Verdict) -> LoopBugNote:
    from testwright.classify.failure_text.failure_parser import parse_failure_text

    detail = parse_failure_text(told_of(result.last, result.case.framework), str(result.case.framework))
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


def _place(result: TestResult) -> str:
    return f"{result.case.file}:{result.case.line}" if result.case.line else result.case.file


# --- for readers ------------------------------------------------------------------------------------------------------


def loop_shape(report: LoopReport) -> dict[str, Any]:
    return {
        "run": report.run.id,
        "commit": report.run.commit,
        **analysis_shape(report.analysis),
        "steps": [_step_shape(step) for step in report.steps],
        "healed": [{"testId": one.test, "said": one.said, "proposal": one.proposal or None} for one in report.healed],
    }


def _step_shape(step: LoopStep) -> dict[str, Any]:
    note = step.note
    return {
        "testId": step.improvement.test,
        "priority": step.improvement.priority,
        "route": str(step.route),
        "said": step.said,
        "proposal": step.proposal or None,
        "verdict": verdict_shape(step.verdict) if step.verdict is not None else None,
        "bugNote": None
        if note is None
        else {
            "what": note.what,
            "where": note.where,
            "evidence": list(note.evidence),
            "test": note.test,
            "run": note.run,
            "commit": note.commit,
        },
    }


def note_lines(note: LoopBugNote) -> list[str]:
    """The note as it may be copied into a bug report."""
    commit = f", commit {visible_line(note.commit[:12])}" if note.commit else ""
    lines = [
        f"what: {visible_line(note.what, limit=_LONGEST)}",
        f"where: {visible_line(note.where)}",
        f"seen by: {visible_line(note.test)} in run {visible_line(note.run)}{commit}",
    ]
    return [*lines, *(f"evidence: “{visible_line(quote, limit=_LONGEST)}”" for quote in note.evidence)]
