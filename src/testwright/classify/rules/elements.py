"""Elements on a page: the call log of a step is read as a state machine, and its last state gives the symptom."""

from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.word_lists import words
from testwright.model.failure import FailureDetail, FailureLine
from testwright.model.failure_labels import FailureLabel as Label

_WAITS = words(
    "waitForFunction waitForResponse waitForRequest waitForEvent waitForTimeout",
    "wait_for_function expect_response expect_request expect_event",
)
_STATE_MATCHERS = words(
    "toBeVisible toBeHidden toBeEnabled toBeDisabled toBeEditable toBeChecked toBeFocused toBeAttached toBeInViewport",
    "to_be_visible to_be_hidden to_be_enabled to_be_disabled to_be_editable to_be_checked to_be_focused to_be_attached",
    "to_be_in_viewport",
)

_CLOSED = any_of(
    # Playwright
    r"(?:page|context|browser|Target)(?:, context or browser)? (?:has been )?closed",
    r"Browser has been closed",
    # Chromium's protocol
    r"Protocol error .{0,80}(?:Session|Target) closed",
)
_AMBIGUOUS = any_of(r"strict mode violation", r"resolved to (?:[2-9]|\d{2,}) elements:")
_NOT_FOUND = any_of(
    # Playwright
    r"element\(s\) not found",
    r"waiting for selector .{1,200} failed",
    # WebDriver
    r"no such element",
    r"NoSuchElement",
    r"Unable to locate element",
    # Cypress and others
    r"never found it",
    r"No elements? found",
    r"did not find any elements?",
)
_WAITED_IN_VAIN = any_of(r"timeout waiting for (?:selector|element|locator)\b", ignore_case=True)
# Said as the error, not in a log: the step was told not to wait for the element to be in reach.
_OUTSIDE = any_of(r"element is outside (?:of )?(?:the )?viewport", ignore_case=True)
_RESOLVED = any_of(
    r"(?:locator|selector) resolved to",
    r"resolved to (?:visible|hidden) ",
    r"resolved to <",
    r"resolved to \d+ elements?",
)
_UNREADY = any_of(
    # Playwright
    r"not visible",
    r"not stable",
    r"not enabled",
    r"not editable",
    r"intercepts pointer events",
    r"outside of the viewport",
    r"not attached",
    r"detached",
    r"is disabled",
    r"waiting for element to be",
    # WebDriver
    r"obscures",
    r"not clickable",
    r"element click intercepted",
    r"not interactable",
    ignore_case=True,
)
_STALE = any_of(
    r"[Ee]xecution context was destroyed",
    r"not attached to (?:the )?(?:DOM|page document)",
    r"stale element",
    r"StaleElementReference",
    r"[Nn]ode is detached",
    r"frame got detached",
)


def element_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    method = detail.api.rsplit(".", 1)[-1]
    yield from _closed(detail)
    yield from _states(detail)
    if method in _WAITS and detail.timeout_ms:
        headline = detail.headline
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.7, "wait_timed_out", "timing", headline, Advice.WAIT_FOR_STATE, Label.SELECTOR_BROKEN
        )
    outside = _OUTSIDE.first(detail.said)
    if outside is not None:
        yield RuleFinding(
            Label.TEST_BUG, 0.75, "outside_viewport", "test", outside, Advice.SCROLL_TO_IT, Label.TIMING_FLAKY
        )
    for line in _STALE.all(detail.said):
        yield RuleFinding(Label.TIMING_FLAKY, 0.8, "detached", "timing", line, Advice.WAIT_FOR_STATE, Label.TEST_BUG)


def _closed(detail: FailureDetail) -> Iterator[RuleFinding]:
    """Something was closed under the step: mostly since the test's time was up."""
    line = _CLOSED.first(detail.said)
    if line is None or detail.api.startswith("browserType"):
        return
    timed_out = any("imeout of" in said.text or "timed out" in said.text for said in detail.said)
    yield RuleFinding(
        Label.TIMING_FLAKY,
        0.82 if timed_out else 0.62,
        "closed_after_timeout" if timed_out else "closed",
        "timing",
        line,
        Advice.SPLIT_OR_SPEED_UP,
        Label.UNKNOWN if timed_out else Label.ENVIRONMENT,
        is_consequence=True,
    )


def _states(detail: FailureDetail) -> Iterator[RuleFinding]:
    ambiguous = _AMBIGUOUS.first(detail.said)
    if ambiguous is not None:
        yield RuleFinding(
            Label.SELECTOR_BROKEN, 0.95, "ambiguous", "test", ambiguous, Advice.NARROW_LOCATOR, Label.TEST_BUG
        )
        return
    missing = _NOT_FOUND.first(detail.said) or _missing_value(detail)
    if missing is not None and not detail.is_negated:
        yield RuleFinding(Label.SELECTOR_BROKEN, 0.93, "not_found", "", missing, Advice.HEAL, Label.REAL_BUG)
        return
    in_vain = _WAITED_IN_VAIN.first(detail.said)
    if in_vain is not None:
        yield RuleFinding(Label.SELECTOR_BROKEN, 0.9, "not_found", "", in_vain, Advice.HEAL, Label.TIMING_FLAKY)
        return
    resolved = _resolved_line(detail)
    yield from _unresolved(detail) if resolved is None else _resolved(detail, resolved)


def _resolved_line(detail: FailureDetail) -> FailureLine | None:
    return next((line for line in _RESOLVED.all(detail.log) if "resolved to 0 elements" not in line.text), None)


def _missing_value(detail: FailureDetail) -> FailureLine | None:
    if "element(s) not found" in detail.received:
        return detail.headline
    nothing = detail.received == "None" and detail.locator and detail.matcher
    return detail.headline if nothing and _RESOLVED.first(detail.log) is None else None


def _unresolved(detail: FailureDetail) -> Iterator[RuleFinding]:
    waiting = next((line for line in detail.log if "waiting for" in line.text and "navigation" not in line.text), None)
    if waiting is None or not detail.locator:
        return
    if _UNREADY.first(detail.log) is not None:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.8, "not_actionable", "timing", waiting, Advice.WAIT_FOR_STATE, Label.SELECTOR_BROKEN
        )
    elif _CLOSED.first(detail.said) is None:
        yield RuleFinding(Label.SELECTOR_BROKEN, 0.9, "not_found", "", waiting, Advice.HEAL, Label.TIMING_FLAKY)


def _resolved(detail: FailureDetail, resolved: FailureLine) -> Iterator[RuleFinding]:
    unready = _UNREADY.first(detail.log)
    if unready is not None and not detail.matcher:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.86, "not_actionable", "timing", unready, Advice.WAIT_FOR_STATE, Label.SELECTOR_BROKEN
        )
    elif detail.matcher in _STATE_MATCHERS:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.72, "wrong_state", "", resolved, Advice.WAIT_FOR_STATE, Label.ASSERTION_MISMATCH
        )
    elif not detail.matcher and detail.timeout_ms:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.75, "not_actionable", "timing", resolved, Advice.WAIT_FOR_STATE, Label.TEST_BUG
        )
