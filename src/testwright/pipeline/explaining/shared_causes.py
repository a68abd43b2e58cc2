"""Failures with one cause: what counts as the same, how much of a run it hit, and what that says."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureCategory, FailureLabel
from testwright.model.verdict import Verdict, verdict_shape

# Failures that a machine or a network can cause. Where many tests have one of these at once, it is that; a lost
# selector or a wrong value that many tests share has one cause too, but the text has named it already.
_OUTSIDE = frozenset(
    {
        FailureCategory.ENVIRONMENT,
        FailureCategory.NETWORK_FLAKY,
        FailureCategory.TIMING_FLAKY,
        FailureCategory.UNKNOWN,
    }
)
_UNSURE = 0.5
_MANY = 0.2  # of the tests of a run
_AT_LEAST = 5  # tests in a row that are not chance
_NUMBER = re.compile(r"0x[0-9a-fA-F]{2,}|\b[0-9a-fA-F]{8,}\b|\d+")
_PATH = re.compile(r"(?:[A-Za-z]:)?[/\\](?:[\w.@+-]{1,100}[/\\]){1,20}")
_MOST_KEY = 300


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
