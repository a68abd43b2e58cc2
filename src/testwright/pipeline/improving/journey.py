"""The feedback loop: what a run says, and for each failure who takes it from here.

Selectors go to healing, wrong values to a note on the bug, tests that are wrong themselves to someone who can rewrite
them. A rewritten test is a draft that waits for a person; nothing here changes a file of the project.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from testwright.classify.quality.run_analysis import Improvement
from testwright.model.proposal import ENGINE, Proposal, ProposalKind
from testwright.model.result import REPEATED, TestResult
from testwright.pipeline.improving.analysed_runs import AnalysedRun
from testwright.pipeline.improving.loop_report import (
    LoopReport,
    LoopStep,
    Route,
    bug_note,
    heal_advice,
    heal_of,
    healed_in,
    route_of,
)


def plan_steps(analysed: AnalysedRun, *, origins: Mapping[str, str], proposals: Iterable[Proposal] = ()) -> LoopReport:
    """What to do about each failure. `proposals` are those that may have come of the run, such as heals."""
    heals = [proposal for proposal in proposals if proposal.kind is ProposalKind.SELECTOR_PATCH]
    results = {result.case.id: result for result in analysed.run.results}
    steps = [
        _step(analysed, results[improvement.test], improvement, origins, heals)
        for improvement in analysed.analysis.improvements
    ]
    steps.sort(key=lambda step: step.improvement.priority != "high")
    return LoopReport(analysed.run, analysed.analysis, tuple(steps), tuple(healed_in(analysed.run, heals)))


def _step(
    analysed: AnalysedRun,
    result: TestResult,
    improvement: Improvement,
    origins: Mapping[str, str],
    heals: Sequence[Proposal],
) -> LoopStep:
    verdict = analysed.explanation.of(improvement.test)
    was_generated = origins.get(improvement.case.file, "") == ENGINE
    route = route_of(verdict, was_generated=was_generated, did_not_load=not improvement.case.title)
    said = _joined(_tried_again(result), verdict.advice if verdict is not None else "")
    if route is Route.HEAL:
        heal = heal_of(improvement.test, heals)
        advice = heal_advice(analysed.run, heal)
        if heal is None:
            return LoopStep(improvement, verdict, route, _joined(said, advice))
        return LoopStep(improvement, verdict, route, advice, proposal=heal.id)
    if route is Route.BUG_NOTE:
        assert verdict is not None
        return LoopStep(improvement, verdict, route, said, note=bug_note(analysed.run, result, verdict))
    if route is Route.LOOK and not said:
        said = "The failure does not say why: look at what the test printed, or run it traced."
    return LoopStep(improvement, verdict, route, said)


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


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
