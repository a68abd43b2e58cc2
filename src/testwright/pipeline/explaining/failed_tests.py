"""The tests of a run that failed, each with what its runner said, how it ended and what is known around it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from testwright.classify.advice import Advice, advised
from testwright.classify.classifier import FailureContext, classify, classify_text
from testwright.model.case import TestId
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunResult, SuiteResult, TestResult
from testwright.model.verdict import OUTSIDE_THE_TEXT, Quote, Verdict
from testwright.pipeline.explaining.failure_reader import FailureReader
from testwright.pipeline.healing.heal_report import HealEntry

# By the reason's code, then by the outcome: the label, how sure, the symptom, who is to blame, the advice.
_Ending = tuple[FailureLabel, float, str, str, Advice]
_REASONS: dict[str, _Ending] = {
    "memory_limit": (FailureLabel.ENVIRONMENT, 0.8, "out_of_memory", "environment", Advice.MORE_MEMORY),
    "write_blocked": (FailureLabel.ENVIRONMENT, 0.8, "not_allowed", "environment", Advice.CHECK_RIGHTS),
    "process_exited": (FailureLabel.TEST_BUG, 0.7, "process_exited", "test", Advice.FIX_TEST),
    "invalid_test_syntax": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", Advice.FIX_CODE),
    "invalid_test_encoding": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", Advice.FIX_CODE),
    "did_not_run": (FailureLabel.UNKNOWN, 0.5, "did_not_run", "", Advice.LOOK),
}
_OUTCOMES: dict[Outcome, _Ending] = {
    Outcome.CRASHED: (FailureLabel.ENVIRONMENT, 0.6, "process_died", "", Advice.LOOK_AT_MACHINE),
    Outcome.TIMEOUT: (FailureLabel.TIMING_FLAKY, 0.7, "timeout", "timing", Advice.SPLIT_OR_SPEED_UP),
    Outcome.INTERRUPTED: (FailureLabel.ENVIRONMENT, 0.9, "interrupted", "environment", Advice.RERUN),
    Outcome.OUTPUT_LIMIT: (FailureLabel.TEST_BUG, 0.6, "too_much_output", "", Advice.FIX_TEST),
    Outcome.ENVIRONMENT_CHANGED: (FailureLabel.TEST_BUG, 0.9, "environment_changed", "test", Advice.FIX_TEST),
}
# Where the text of such an attempt says something too, that is the better answer.
_TEXT_FIRST = frozenset({Outcome.TIMEOUT, Outcome.CRASHED})
_PAGE_TROUBLES = frozenset({"login_page", "error_page", "blank_page", "still_loading"})
_THERE_AGAIN = "there_again"  # the heal pass ran the test once more, and its element was there


def by_outcome(attempt: Attempt, detail: FailureDetail, from_text: Verdict) -> Verdict:
    """The verdict of the text, or that of how the attempt ended where this says more."""
    reason = _REASONS.get(attempt.reason)
    ending = reason or _OUTCOMES.get(attempt.outcome)
    says_something = not from_text.is_unknown
    if ending is None or (reason is None and says_something and attempt.outcome in _TEXT_FIRST):
        return from_text
    label, confidence, symptom, cause, advice = ending
    ended = " ".join(filter(None, (attempt.outcome, attempt.reason)))
    said = next((line.strip() for line in attempt.message.splitlines() if line.strip()), "")
    quote = Quote(said[:300] or f"It ended as {ended}.", 0 if said else OUTSIDE_THE_TEXT, symptom)
    return advised(Verdict(label, confidence, None, symptom, cause, (quote,)), detail, advice)


class FailedTest(NamedTuple):
    """A test that failed, whether or not it passed when it was run again."""

    suite: SuiteResult
    result: TestResult
    attempt: Attempt  # the last one that failed
    detail: FailureDetail
    context: FailureContext

    @property
    def id(self) -> TestId:
        return self.result.case.id

    @property
    def own_verdict(self) -> Verdict:
        """What the failure says by itself, without a look at the others of the run."""
        verdict = by_outcome(self.attempt, self.detail, classify(self.detail, self.context))
        if verdict.is_consequence and len(self.attempt.errors) > 1:
            first = classify_text(self.attempt.errors[0], self.detail.framework, self.context)
            if not first.is_unknown and not first.is_consequence:
                return first
        return verdict


def failed_tests(run: RunResult, reader: FailureReader, heals: Mapping[TestId, HealEntry]) -> Iterator[FailedTest]:
    """In the order of the run. `heals` is what the heal pass said of them."""
    for suite in run.suites:
        for result in suite.results:
            counting = (attempt for attempt in result.attempts if not attempt.is_repetition)
            failed = [attempt for attempt in counting if not attempt.outcome.is_success]
            if not failed or (result.outcome.is_success and not result.is_flaky):
                continue
            context = _known_from_heal(heals.get(result.case.id), passed_on_retry=result.is_flaky)
            yield FailedTest(suite, result, failed[-1], reader.of(result, failed[-1], suite.root), context)


def _known_from_heal(entry: HealEntry | None, *, passed_on_retry: bool) -> FailureContext:
    """What is known of a failure besides its text, before its page is looked at."""
    reason = entry.heal.reason if entry is not None else ""
    return FailureContext(
        is_found_now=True if reason == _THERE_AGAIN else None,
        passed_on_retry=passed_on_retry or None,
        page_trouble=reason if reason in _PAGE_TROUBLES else "",
    )
