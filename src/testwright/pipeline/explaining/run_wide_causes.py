"""Failures that came together: what many tests of a run have at once comes from outside of them, if it can at all."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from testwright.classify.classifier import classify
from testwright.model.case import TestId
from testwright.model.result import RunResult
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote, Verdict
from testwright.pipeline.explaining.failed_tests import FailedTest
from testwright.pipeline.explaining.shared_causes import cause_key, hits_many, is_outside, last_stretch

_FROM_THEN_ON = "every test after a moment"


def weighed_together(
    run: RunResult, failures: Sequence[FailedTest], verdicts: Sequence[Verdict]
) -> tuple[list[Verdict], list[Hashable]]:
    """The verdicts with what the other failures add, and a key for each failure: those of one cause have the same."""
    weighed, total = list(verdicts), len(run.results)
    keys: list[Hashable] = [cause_key(verdict, each.detail) for verdict, each in zip(verdicts, failures, strict=True)]
    counts = Counter(keys)
    stretch = _in_last_stretch(run, failures, verdicts)
    for at, failure in enumerate(failures):
        is_late = failure.id in stretch
        together = max(counts[keys[at]], len(stretch) if is_late else 0)
        if is_outside(weighed[at]) and hits_many(together, total):
            context = replace(failure.context, failed_with_it=together, tests_of_run=total)
            weighed[at] = _one_of_many(weighed[at], classify(failure.detail, context), together, total)
            keys[at] = _FROM_THEN_ON if is_late else keys[at]
    return weighed, keys


def _one_of_many(alone: Verdict, among: Verdict, together: int, total: int) -> Verdict:
    """The verdict with what the other failures add; one that named the environment already knows better what to do."""
    said = Quote(f"{together} of {total} tests of this run failed so", OUTSIDE_THE_TEXT, "many_at_once")
    evidence = (*(among.evidence or alone.evidence), said)
    if not alone.is_environment and not among.is_unknown:
        return replace(among, evidence=evidence)
    return replace(alone, confidence=max(alone.confidence, among.confidence), evidence=evidence)


def _in_last_stretch(run: RunResult, failures: Sequence[FailedTest], verdicts: Sequence[Verdict]) -> frozenset[TestId]:
    """The tests from the moment on from which every test failed, if all of them can have failed from outside."""
    stretch = last_stretch([not result.outcome.is_success for result in run.results])
    ids = frozenset(result.case.id for result in run.results[len(run.results) - stretch :])
    mine = [verdict for failure, verdict in zip(failures, verdicts, strict=True) if failure.id in ids]
    return ids if mine and all(map(is_outside, mine)) else frozenset()
