"""Why a test failed: the answer, how sure it is, and the lines it rests on."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FailureLabel(StrEnum):
    """What kind of failure it is, in one word."""

    ENVIRONMENT = "environment"  # machine, runner, dependency, configuration, a service that is not up
    NETWORK_FLAKY = "network_flaky"  # a connection or remote service that failed for a while
    NAVIGATION_FAIL = "navigation_fail"  # the page itself was not reached
    URL_MISMATCH = "url_mismatch"  # a page was reached, at another address
    FRAME_FAIL = "frame_fail"  # the step goes into an iframe, and could not
    NETWORK_MOCK_FAIL = "network_mock_fail"  # a request mock is missing, or does not match
    API_ASSERTION_FAIL = "api_assertion_fail"  # an HTTP response is not what was expected
    SNAPSHOT_MISMATCH = "snapshot_mismatch"  # a stored snapshot, golden or screenshot differs
    SELECTOR_BROKEN = "selector_broken"  # a locator finds nothing, or too much
    TIMING_FLAKY = "timing_flaky"  # the state would have come: a race, or too little time
    TEST_BUG = "test_bug"  # the test's own code, fixture, mock or expectation
    REAL_BUG = "real_bug"  # the product is wrong
    ASSERTION_MISMATCH = "assertion_mismatch"  # a value differs, and nothing says which side is wrong
    UNKNOWN = "unknown"  # the text carries no reason


# The same in the words of the two vocabularies that others know: a tool's categories, a feedback loop's signatures.
_CATEGORY = {
    FailureLabel.NAVIGATION_FAIL: "network_flaky",
    FailureLabel.URL_MISMATCH: "real_bug",
    FailureLabel.FRAME_FAIL: "selector_broken",
    FailureLabel.NETWORK_MOCK_FAIL: "test_bug",
    FailureLabel.API_ASSERTION_FAIL: "real_bug",
    FailureLabel.SNAPSHOT_MISMATCH: "real_bug",
    FailureLabel.ASSERTION_MISMATCH: "real_bug",
}
_SIGNATURE = {
    FailureLabel.NETWORK_FLAKY: "NAVIGATION_FAIL",
    FailureLabel.NAVIGATION_FAIL: "NAVIGATION_FAIL",
    FailureLabel.URL_MISMATCH: "URL_MISMATCH",
    FailureLabel.FRAME_FAIL: "FRAME_FAIL",
    FailureLabel.NETWORK_MOCK_FAIL: "NETWORK_MOCK_FAIL",
    FailureLabel.API_ASSERTION_FAIL: "API_ASSERTION_FAIL",
    FailureLabel.SNAPSHOT_MISMATCH: "ASSERTION_FAIL",
    FailureLabel.SELECTOR_BROKEN: "SELECTOR_ISSUE",
    FailureLabel.TIMING_FLAKY: "TIMEOUT",
    FailureLabel.REAL_BUG: "ASSERTION_FAIL",
    FailureLabel.ASSERTION_MISMATCH: "ASSERTION_FAIL",
}


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
    def category(self) -> str:
        return _CATEGORY.get(self.label, str(self.label))

    @property
    def signature(self) -> str:
        return _SIGNATURE.get(self.label, "UNKNOWN")

    @property
    def is_real_bug(self) -> bool:
        return self.category == "real_bug"

    @property
    def is_flaky(self) -> bool:
        return self.label in (FailureLabel.TIMING_FLAKY, FailureLabel.NETWORK_FLAKY)

    @property
    def is_environment(self) -> bool:
        return self.label is FailureLabel.ENVIRONMENT


def verdict_shape(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain dictionaries and lists."""
    return {
        "label": str(verdict.label),
        "category": verdict.category,
        "signature": verdict.signature,
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
