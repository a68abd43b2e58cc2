"""Why the tests of a run failed: a verdict for each, from all that the run knows, and one cause where many share it.

Nothing is kept: verdicts follow from the attempts, which are, and are worked out anew when somebody looks.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from testwright.classify.classifier import FailureContext, classify, classify_text
from testwright.model.case import TestCase, TestId
from testwright.model.errors import TestwrightError
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel
from testwright.model.result import Attempt, RunResult, SuiteResult, TestResult
from testwright.model.verdict import Quote, SuggestedFix, Verdict, verdict_shape
from testwright.pipeline.explaining.failure_reader import FailureReader, by_outcome
from testwright.pipeline.explaining.shared_causes import (
    Cause,
    cause_key,
    cause_shape,
    counted,
    grouped,
    hits_many,
    is_outside,
    last_stretch,
)
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

# --- What the page was, at a failure in the browser: a sign-in, an error, nothing at all. Only wher -----------------


_OUTLINE = "error-context"  # the artifact in which Playwright leaves the page in words
_MOST_BYTES = 64 << 10
MOST_LOOKS = 20  # pages of one run


def has_outline(attempt: Attempt) -> bool:
    return not attempt.outcome.is_success and any(artifact.name == _OUTLINE for artifact in attempt.artifacts)


def page_trouble_at(attempt: Attempt, root: Path) -> str:
    """A code such as login_page or error_page; empty where the page is in order, or was not kept."""
    for artifact in attempt.artifacts:
        if artifact.name == _OUTLINE:
            return _trouble(root / artifact.path)
    return ""


def _trouble(file: Path) -> str:
    from testwright.observe.aria_page import snapshot_from_aria
    from testwright.observe.page_trouble import page_trouble

    try:
        if file.stat().st_size > _MOST_BYTES:
            return ""
        return page_trouble(snapshot_from_aria(file.read_text(encoding="utf-8", errors="replace")))
    except (OSError, ValueError, TestwrightError):  # gone or torn: as if it had not been kept
        return ""


_PAGE_TROUBLES = frozenset({"login_page", "error_page", "blank_page", "still_loading"})
_THERE_AGAIN = "there_again"  # the heal pass ran the test once more, and its element was there
_FROM_THEN_ON = "every test after a moment"
_OUTSIDE_THE_TEXT = -1  # where a piece of evidence stands that no text has

# What else is known of a test, in a sentence, such as when it last passed; and the files its stack names.
Background = Callable[[TestCase, Sequence[str]], Sequence[Quote]]


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


class _Failure(NamedTuple):
    """A test that failed, whether or not it passed when it was run again."""

    suite: SuiteResult
    result: TestResult
    attempt: Attempt  # the last one that failed
    detail: FailureDetail
    context: FailureContext


def explain_run(
    run: RunResult, root: Path, *, heals: Iterable[HealEntry] = (), background: Background | None = None
) -> Explanation:
    """Verdicts for all failures of a run. `heals` is what the heal pass said of them, where there was one."""
    entries = {entry.case.id: entry for entry in heals}
    reading = FailureReader(root, newest=run.started_at.timestamp())
    failures = list(_failures(run, reading, entries))
    verdicts = [_verdict(failure) for failure in failures]
    _look_at_pages(failures, verdicts, root)
    keys = _weighed_together(run, failures, verdicts)
    told: dict[TestId, Verdict] = {}
    keyed: list[tuple[Hashable, str, Verdict]] = []
    for failure, verdict, key in zip(failures, verdicts, keys, strict=True):
        case = failure.result.case
        verdict = _with_heal(verdict, entries.get(case.id))  # noqa: PLW2901  the same verdict, with more to say
        if background is not None:
            verdict = _with_background(verdict, failure, reading, background)  # noqa: PLW2901
        told[case.id] = verdict
        if not failure.result.outcome.is_success:
            keyed.append((key, case.id, verdict))
    return Explanation(told, tuple(grouped(keyed)))


def _failures(run: RunResult, reading: FailureReader, entries: dict[TestId, HealEntry]) -> Iterator[_Failure]:
    for suite in run.suites:
        for result in suite.results:
            counting = (attempt for attempt in result.attempts if not attempt.is_repetition)
            failed = [attempt for attempt in counting if not attempt.outcome.is_success]
            if not failed or (result.outcome.is_success and not result.is_flaky):
                continue
            entry = entries.get(result.case.id)
            context = FailureContext(
                is_found_now=True if entry is not None and entry.heal.reason == _THERE_AGAIN else None,
                passed_on_retry=result.is_flaky or None,
                page_trouble=entry.heal.reason if entry is not None and entry.heal.reason in _PAGE_TROUBLES else "",
            )
            yield _Failure(suite, result, failed[-1], reading.of(result, failed[-1], suite.root), context)


def _verdict(failure: _Failure) -> Verdict:
    verdict = by_outcome(failure.attempt, failure.detail, classify(failure.detail, failure.context))
    if verdict.is_consequence and len(failure.attempt.errors) > 1:
        first = classify_text(failure.attempt.errors[0], failure.detail.framework, failure.context)
        if not first.is_unknown and not first.is_consequence:
            return first
    return verdict


def _look_at_pages(failures: Sequence[_Failure], verdicts: list[Verdict], root: Path) -> None:
    """The page of each failure that a page could explain, as far as nobody looked at it yet."""
    looks = 0
    for at, failure in enumerate(failures):
        if failure.context.page_trouble or not verdicts[at].label.traits.page_may_explain or looks >= MOST_LOOKS:
            continue
        seen = next((each for each in reversed(failure.result.attempts) if has_outline(each)), None)
        if seen is not None:
            looks += 1
            trouble = page_trouble_at(seen, root)
            if trouble:
                verdicts[at] = classify(failure.detail, replace(failure.context, page_trouble=trouble))


def _weighed_together(run: RunResult, failures: Sequence[_Failure], verdicts: list[Verdict]) -> list[Hashable]:
    """What many tests have at once comes from outside of them, if it can come from there at all.

    Gives a key for each failure; those of one cause have the same.
    """
    total = len(run.results)
    keys: list[Hashable] = [cause_key(verdict, each.detail) for verdict, each in zip(verdicts, failures, strict=True)]
    counts = counted(keys)
    stretch = _in_last_stretch(run, failures, verdicts)
    for at, failure in enumerate(failures):
        is_late = failure.result.case.id in stretch
        together = max(counts[keys[at]], len(stretch) if is_late else 0)
        if is_outside(verdicts[at]) and hits_many(together, total):
            context = replace(failure.context, failed_with_it=together, tests_of_run=total)
            verdicts[at] = _one_of_many(verdicts[at], classify(failure.detail, context), together, total)
            keys[at] = _FROM_THEN_ON if is_late else keys[at]
    return keys


def _one_of_many(alone: Verdict, among: Verdict, together: int, total: int) -> Verdict:
    """The verdict with what the other failures add; one that named the environment already knows better what to do."""
    said = Quote(f"{together} of {total} tests of this run failed so", _OUTSIDE_THE_TEXT, "many_at_once")
    evidence = (*(among.evidence or alone.evidence), said)
    if not alone.is_environment and not among.is_unknown:
        return replace(among, evidence=evidence)
    return replace(alone, confidence=max(alone.confidence, among.confidence), evidence=evidence)


def _in_last_stretch(run: RunResult, failures: Sequence[_Failure], verdicts: Sequence[Verdict]) -> frozenset[TestId]:
    """The tests from the moment on from which every test failed, if all of them can have failed from outside."""
    stretch = last_stretch([not result.outcome.is_success for result in run.results])
    ids = frozenset(result.case.id for result in run.results[len(run.results) - stretch :])
    mine = [verdict for failure, verdict in zip(failures, verdicts, strict=True) if failure.result.case.id in ids]
    return ids if mine and all(map(is_outside, mine)) else frozenset()


def _with_heal(verdict: Verdict, entry: HealEntry | None) -> Verdict:
    """With what the heal pass found on the page, where the verdict is about a lost element."""
    if entry is None or verdict.label is not FailureLabel.SELECTOR_BROKEN or entry.status is HealStatus.NOT_TRIED:
        return verdict
    new = entry.heal.new or next((one.selector for one in entry.heal.suggestions), "")
    if not new:
        return verdict
    old = entry.heal.old or (verdict.fix.old if verdict.fix is not None else "")
    said = Quote(f"An element that may be meant: {new}", _OUTSIDE_THE_TEXT, "similar_element")
    return replace(verdict, evidence=(*verdict.evidence, said), fix=SuggestedFix("selector_update", old=old, new=new))


def _with_background(verdict: Verdict, failure: _Failure, reading: FailureReader, background: Background) -> Verdict:
    named = (reading.source(frame.file, failure.suite.root) for frame in failure.detail.frames)
    files = list(dict.fromkeys([failure.result.case.file, *filter(None, named)]))
    return replace(verdict, evidence=(*verdict.evidence, *background(failure.result.case, files)))
