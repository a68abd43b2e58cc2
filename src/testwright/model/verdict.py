"""Why a test failed: the answer, how sure it is, and the lines it rests on."""

from dataclasses import dataclass
from typing import Any

from testwright.model.failure_labels import FailureCategory, FailureLabel, FailureSignature

OUTSIDE_THE_TEXT = -1  # where a piece of evidence stands that is in no text


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of the text a verdict rests on, and where it stands there."""

    text: str
    start: int  # characters from the beginning of what was given
    why: str = ""


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    type: str  # selector_update, add_wait, mock_network, install_browser, ...
    old: str = ""
    new: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    label: FailureLabel
    confidence: float
    second: FailureLabel | None = None
    symptom: str = ""  # what the text shows: not_found, ambiguous, timeout, value_differs, ...
    cause: str = ""  # who is to blame, as far as anything says so: product, test, environment, timing; empty: unsaid
    evidence: tuple[Quote, ...] = ()
    recommended_action: str = ""  # heal, fix_test, fix_product, fix_environment, rerun, look
    advice: str = ""  # one sentence: what to do about it
    fix: SuggestedFix | None = None
    is_consequence: bool = False  # of an error before it: the browser was closed because the test had timed out

    @property
    def category(self) -> FailureCategory:
        return self.label.traits.category

    @property
    def signature(self) -> FailureSignature:
        return self.label.traits.signature

    @property
    def is_real_bug(self) -> bool:
        return self.category is FailureCategory.REAL_BUG

    @property
    def is_flaky(self) -> bool:
        return self.label.traits.is_flaky

    @property
    def is_environment(self) -> bool:
        return self.category is FailureCategory.ENVIRONMENT

    @property
    def is_unknown(self) -> bool:
        return self.category is FailureCategory.UNKNOWN


def verdict_shape(verdict: Verdict) -> dict[str, Any]:
    return {
        "label": str(verdict.label),
        "category": str(verdict.category),
        "signature": str(verdict.signature),
        "confidence": round(verdict.confidence, 3),
        "second": str(verdict.second) if verdict.second else None,
        "symptom": verdict.symptom,
        "cause": verdict.cause,
        "evidence": [{"text": quote.text, "start": quote.start, "why": quote.why} for quote in verdict.evidence],
        "recommended_action": verdict.recommended_action,
        "advice": verdict.advice,
        "is_real_bug": verdict.is_real_bug,
        "is_flaky": verdict.is_flaky,
        "is_environment": verdict.is_environment,
        "is_consequence": verdict.is_consequence,
    }
