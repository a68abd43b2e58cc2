"""Runs of the past as the feedback loop sees them: a verdict for each failure, and who wrote the test."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.classify.quality.run_analysis import RunAnalysis, analyze_run
from testwright.classify.quality.trends import Trends, trends
from testwright.model.case import TestId
from testwright.model.proposal import Proposal, ProposalKind, ProposalStatus
from testwright.model.result import RunId, RunResult
from testwright.pipeline.explaining.journey import explain_run
from testwright.pipeline.explaining.shared_causes import Explanation

if TYPE_CHECKING:
    from testwright.store.project_store import Store

_MOST_PROPOSALS = 10_000
# A selector patch changes a line of somebody's test; these are whole tests.
_WRITES_TESTS = frozenset({ProposalKind.NEW_TEST, ProposalKind.REWRITTEN_TEST, ProposalKind.BUG_REPORT})


@dataclass(frozen=True, slots=True)
class AnalysedRun:
    run: RunResult
    explanation: Explanation
    analysis: RunAnalysis


def analysed(run: RunResult, root: Path, *, flaky: Collection[TestId] = (), is_newest: bool = True) -> AnalysedRun:
    """What a run says, and why its tests failed.

    Runners write traces and pictures to the same names each time: of a run that is not the newest they are not looked
    at, as they may show a later one.
    """
    explanation = explain_run(run if is_newest else _without_artifacts(run), root)
    pairs = ((result, explanation.of(result.case.id)) for result in run.results)
    return AnalysedRun(run, explanation, analyze_run(pairs, flaky=flaky))


def over_time(store: "Store", root: Path, *, runs: int, newest: AnalysedRun, flaky: Collection[TestId] = ()) -> Trends:
    """The failures by kind in the newest `runs` runs."""

    def points() -> Iterator[tuple[RunId, datetime, RunAnalysis]]:
        for summary in store.runs.list_runs(limit=runs):
            if summary.id == newest.run.id:
                yield summary.id, summary.started_at, newest.analysis
            else:
                older = analysed(store.runs.get_run(summary.id), root, flaky=flaky, is_newest=False)
                yield summary.id, summary.started_at, older.analysis

    return trends(points())


def origins(store: "Store") -> dict[str, str]:
    """Who wrote each file of tests that came in as a proposal: the engine, or a model and its prompt's version."""
    return _origins(store.proposals.list(status=ProposalStatus.APPLIED, limit=_MOST_PROPOSALS))


def _origins(applied: Iterable[Proposal]) -> dict[str, str]:
    """Newest first, and the newest counts."""
    found: dict[str, str] = {}
    for proposal in applied:
        if proposal.kind in _WRITES_TESTS:
            found.setdefault(proposal.file, proposal.origin)
    return found


def _without_artifacts(run: RunResult) -> RunResult:
    suites = tuple(
        replace(
            suite,
            results=tuple(
                replace(result, attempts=tuple(replace(attempt, artifacts=()) for attempt in result.attempts))
                for result in suite.results
            ),
        )
        for suite in run.suites
    )
    return replace(run, suites=suites)
