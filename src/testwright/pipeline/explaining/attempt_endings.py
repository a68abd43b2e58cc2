"""Attempts that did not end by a check: how they ended says more than any text."""

from testwright.classify.advice import advised
from testwright.model.failure import FailureDetail
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.model.verdict import OUTSIDE_THE_TEXT, FailureLabel, Quote, Verdict

# By the reason's code, then by the outcome: the label, how sure, the symptom, who is to blame, the key of an advice.
_Ending = tuple[FailureLabel, float, str, str, str]
_REASONS: dict[str, _Ending] = {
    "memory_limit": (FailureLabel.ENVIRONMENT, 0.8, "out_of_memory", "environment", "more_memory"),
    "write_blocked": (FailureLabel.ENVIRONMENT, 0.8, "not_allowed", "environment", "check_rights"),
    "process_exited": (FailureLabel.TEST_BUG, 0.7, "process_exited", "test", "fix_test"),
    "invalid_test_syntax": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", "fix_code"),
    "invalid_test_encoding": (FailureLabel.TEST_BUG, 0.95, "does_not_compile", "test", "fix_code"),
    "did_not_run": (FailureLabel.UNKNOWN, 0.5, "did_not_run", "", "look"),
}
_OUTCOMES: dict[Outcome, _Ending] = {
    Outcome.CRASHED: (FailureLabel.ENVIRONMENT, 0.6, "process_died", "", "look_at_machine"),
    Outcome.TIMEOUT: (FailureLabel.TIMING_FLAKY, 0.7, "timeout", "timing", "split_or_speed_up"),
    Outcome.INTERRUPTED: (FailureLabel.ENVIRONMENT, 0.9, "interrupted", "environment", "rerun"),
    Outcome.OUTPUT_LIMIT: (FailureLabel.TEST_BUG, 0.6, "too_much_output", "", "fix_test"),
    Outcome.ENVIRONMENT_CHANGED: (FailureLabel.TEST_BUG, 0.9, "environment_changed", "test", "fix_test"),
}
# Where the text of such an attempt says something too, that is the better answer.
_TEXT_FIRST = frozenset({Outcome.TIMEOUT, Outcome.CRASHED})


def by_outcome(attempt: Attempt, detail: FailureDetail, from_text: Verdict) -> Verdict:
    """The verdict of the text, or that of how the attempt ended where this says more."""
    reason = _REASONS.get(attempt.reason)
    ending = reason or _OUTCOMES.get(attempt.outcome)
    says_something = from_text.label is not FailureLabel.UNKNOWN
    if ending is None or (reason is None and says_something and attempt.outcome in _TEXT_FIRST):
        return from_text
    label, confidence, symptom, cause, advice = ending
    ended = " ".join(filter(None, (attempt.outcome, attempt.reason)))
    said = next((line.strip() for line in attempt.message.splitlines() if line.strip()), "")
    quote = Quote(said[:300] or f"It ended as {ended}.", 0 if said else OUTSIDE_THE_TEXT, symptom)
    return advised(Verdict(label, confidence, None, symptom, cause, (quote,)), detail, advice)
