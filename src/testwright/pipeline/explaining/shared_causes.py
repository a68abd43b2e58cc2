"""Failures with one cause: what counts as the same, how much of a run it hit, and what that says.

What many tests of a run have at once comes from outside of them, if it can at all.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from testwright.classify.classifier import classify
from testwright.model.case import TestId
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureCategory, FailureLabel
from testwright.model.result import RunResult
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote, Verdict, verdict_shape
from testwright.pipeline.explaining.failed_tests import FailedTest

# Failures that a machine or a network can cause. Where many tests have one of these at once, it is that; a lost
# selector or a wrong value that many tests share has one cause too, but the text has named it already.
_OUTSIDE = frozenset(
    {FailureCategory.ENVIRONMENT, FailureCategory.NETWORK_FLAKY, FailureCategory.TIMING_FLAKY, FailureCategory.UNKNOWN}
)
_UNSURE = 0.5
_MANY = 0.2  # of the tests of a run
_AT_LEAST = 5  # tests in a row that are not chance
_NUMBER = re.compile(r"0x[0-9a-fA-F]{2,}|\b[0-9a-fA-F]{8,}\b|\d+")
_PATH = re.compile(r"(?:[A-Za-z]:)?[/\\](?:[\w.@+-]{1,100}[/\\]){1,20}")
_MOST_KEY = 300
_FROM_THEN_ON = "every test after a moment"


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, and every test that failed for it."""

    verdict: Verdict
    tests: tuple[str, ...]  # their ids, or names where a text is all there is


def is_outside(verdict: Verdict) -> bool:
    """Whether the failure may have come from outside of test and product."""
    return verdict.category in _OUTSIDE or verdict.confidence < _UNSURE


def cause_key(verdict: Verdict, detail: FailureDetail) -> Hashable:
    """Equal for failures that have one cause, as far as their words show."""
    said = verdict.evidence[0].text if verdict.evidence else detail.headline.text
    if is_outside(verdict):
        return verdict.label, normalised(said)
    if verdict.category is FailureCategory.SELECTOR_BROKEN and detail.locator:
        return verdict.label, detail.locator
    frame = detail.innermost
    place = (frame.file, frame.line) if frame is not None else ()
    if verdict.label is FailureLabel.REAL_BUG and place:
        return verdict.label, detail.error_class, place
    return verdict.label, said[:_MOST_KEY], place


def normalised(text: str) -> str:
    """The words without what differs from one test to the next: numbers, addresses, folders."""
    return " ".join(_NUMBER.sub("#", _PATH.sub("", text[:_MOST_KEY])).split())


def hits_many(count: int, of_run: int) -> bool:
    return of_run >= _AT_LEAST and count > max(2, _MANY * of_run)


def last_stretch(failed: Sequence[bool]) -> int:
    """How many tests at the end of a run failed one after the other, where some had passed before; 0: too few."""
    length = next((at for at, each in enumerate(reversed(failed)) if not each), len(failed))
    is_long = length >= _AT_LEAST and length > _MANY * len(failed)
    return length if is_long and length < len(failed) else 0


def grouped(failures: Iterable[tuple[Hashable, str, Verdict]]) -> Iterator[Cause]:
    """One cause for each key, in the order they first appear, with the verdict that is surest."""
    groups: dict[Hashable, list[tuple[str, Verdict]]] = {}
    for key, test, verdict in failures:
        groups.setdefault(key, []).append((test, verdict))
    for group in groups.values():
        best = max((verdict for _, verdict in group), key=lambda verdict: verdict.confidence)
        yield Cause(best, tuple(test for test, _ in group))


def cause_shape(cause: Cause) -> dict[str, Any]:
    return {"verdict": verdict_shape(cause.verdict), "tests": list(cause.tests)}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Verdicts by test, and the causes behind them: each test that failed is in one of them."""

    verdicts: dict[TestId, Verdict]
    causes: tuple[Cause, ...]

    def of(self, test: TestId) -> Verdict | None:
        return self.verdicts.get(test)

    def add_to(self, shape: dict[str, Any]) -> None:
        """Put each verdict beside its result, in a run's JSON form, and the causes at the end."""
        for suite in shape["suites"]:
            for result in suite["results"]:
                verdict = self.of(result["id"])
                result["verdict"] = verdict_shape(verdict) if verdict is not None else None
        shape["causes"] = [cause_shape(cause) for cause in self.causes]


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
