"""Playwright and its kin: the call log as a state machine, navigation, frames, the page at the failure."""

import re
from collections.abc import Iterator

from testwright.classify.rules.finding import Finding
from testwright.model.failure import FailureDetail, Line
from testwright.model.verdict import Label

_NAVIGATES = frozenset({"goto", "reload", "goBack", "goForward", "go_back", "go_forward", "setContent", "set_content"})
_WAITS_FOR_URL = frozenset(
    {"waitForURL", "wait_for_url", "waitForNavigation", "wait_for_navigation", "expect_navigation"}
)
_WAITS_FOR_LOAD = frozenset({"waitForLoadState", "wait_for_load_state"})
_WAITS = frozenset(
    {
        "waitForFunction",
        "waitForResponse",
        "waitForRequest",
        "waitForEvent",
        "wait_for_function",
        "expect_response",
        "expect_request",
        "expect_event",
        "waitForTimeout",
    }
)
_URL_MATCHERS = frozenset({"toHaveURL", "to_have_url"})
_STATE_MATCHERS = frozenset(
    "toBeVisible toBeHidden toBeEnabled toBeDisabled toBeEditable toBeChecked toBeFocused toBeAttached toBeInViewport"
    " to_be_visible to_be_hidden to_be_enabled to_be_disabled to_be_editable to_be_checked to_be_focused to_be_attached to_be_in_viewport".split()
)
_CLOSED = re.compile(
    r"(?:Target )?(?:page|context|browser|Target)(?:, context or browser)? (?:has been )?closed|Browser has been closed|Protocol error .{0,80}(?:Session|Target) closed"
)
_STRICT = re.compile(r"strict mode violation|resolved to (?:[2-9]|\d{2,}) elements:")
_NOT_FOUND = re.compile(
    r"element\(s\) not found|no such element|NoSuchElement|No elements? found|Unable to locate element|never found it|did not find any elements?|waiting for selector .{1,200} failed"
)
_RESOLVED = re.compile(
    r"(?:locator|selector) resolved to|resolved to (?:visible|hidden) |resolved to <|resolved to \d+ elements?"
)
_ZERO = re.compile(r"resolved to 0 elements")
_UNREADY = re.compile(
    r"not visible|not stable|not enabled|intercepts pointer events|outside of the viewport|not attached|detached|is disabled|not editable|waiting for element to be|obscures|not clickable|element click intercepted|not interactable",
    re.IGNORECASE,
)
_STALE = re.compile(
    r"[Ee]xecution context was destroyed|not attached to (?:the )?(?:DOM|page document)|stale element|StaleElementReference|[Nn]ode is detached|frame got detached"
)
_OVERLAY = re.compile(
    r"nextjs-portal|vite-error-overlay|webpack-dev-server-client-overlay|react-error-overlay|__next-build-error",
    re.IGNORECASE,
)
_NAVIGATION_SAID = re.compile(
    r"ERR_ABORTED|ERR_TOO_MANY_REDIRECTS|ERR_INVALID_REDIRECT|ERR_BLOCKED_BY|ERR_FILE_NOT_FOUND|ERR_INVALID_URL|[Nn]avigation (?:to .{1,200} )?(?:failed|is interrupted|timed out|interrupted)|interrupted by another navigation|Navigating frame was detached|ERR_HTTP_RESPONSE_CODE_FAILURE"
)
_FRAME_SAID = re.compile(
    r"[Ff]rame (?:was |has been |got )?detached|enter-frame|contentFrame|content_frame|FrameLocator|frameLocator|frame_locator|\bi?frame\b.{0,30}(?:not found|not ready|not loaded)|NoSuchFrame|no such frame|switch(?:To)?[ .(\"']{0,3}i?frame",
    re.IGNORECASE,
)
_IN_FRAME = re.compile(r"frameLocator|frame_locator|contentFrame|content_frame|enter-frame|iframe")
_CONSENT = re.compile(r"\b(?:cookies?|consent|accept all)\b", re.IGNORECASE)
_ERROR_PAGE = re.compile(
    r'heading "(?:.{0,40}\b(?:500|502|503|504)\b.{0,60}|Internal Server Error.{0,20}|Application error.{0,60}|Traceback.{0,60}|\w{0,60}(?:Error|Exception))"|Unhandled Runtime Error|Something went wrong|Traceback \(most recent call last\)|This page isn.t working',
    re.IGNORECASE,
)
_GONE_PAGE = re.compile(r'heading "(?:.{0,20}\b404\b.{0,40}|.{0,20}not found.{0,20})"', re.IGNORECASE)
_LOGIN_PAGE = re.compile(r'(?:heading|button) "(?:sign in|log ?in|anmelden|connexion|iniciar sesi)', re.IGNORECASE)


def browser_findings(detail: FailureDetail) -> Iterator[Finding]:
    method = detail.api.rsplit(".", 1)[-1] if detail.api else ""
    yield from _closed(detail)
    yield from _overlaid(detail)
    yield from _navigation(detail, method)
    yield from _frames(detail)
    yield from _element_states(detail)
    if method in _WAITS and detail.timeout_ms:
        yield Finding(
            Label.TIMING_FLAKY,
            0.7,
            "wait_timed_out",
            "timing",
            detail.headline,
            "wait_for_state",
            Label.SELECTOR_BROKEN,
        )
    for line in detail.said:
        if _STALE.search(line.text):
            yield Finding(Label.TIMING_FLAKY, 0.85, "detached", "timing", line, "wait_for_state", Label.TEST_BUG)


def page_findings(detail: FailureDetail) -> Iterator[Finding]:
    """What the page shows at the failure turns a lost element into something else."""
    for line in detail.page:
        if _ERROR_PAGE.search(line.text):
            yield Finding(Label.REAL_BUG, 0.9, "error_page", "product", line, "read_server_log", Label.ENVIRONMENT)
            return
    for line in detail.page:
        if _GONE_PAGE.search(line.text):
            yield Finding(Label.URL_MISMATCH, 0.6, "not_found_page", "", line, "check_address", Label.REAL_BUG)
            return
    login = next((line for line in detail.page if _LOGIN_PAGE.search(line.text)), None)
    if login is not None and any("password" in line.text.casefold() for line in detail.page):
        yield Finding(Label.URL_MISMATCH, 0.62, "login_page", "", login, "sign_in_first", Label.ENVIRONMENT)


def _closed(detail: FailureDetail) -> Iterator[Finding]:
    line = _said(detail, _CLOSED)
    if line is None or detail.api.startswith("browserType"):
        return
    timed_out = any("imeout of" in said.text or "timed out" in said.text for said in detail.said)
    yield Finding(
        Label.TIMING_FLAKY, 0.82 if timed_out else 0.62, "closed_after_timeout" if timed_out else "closed", "timing", line,
        "split_or_speed_up", Label.UNKNOWN if timed_out else Label.ENVIRONMENT, is_consequence=True,
    )  # fmt: skip


def _overlaid(detail: FailureDetail) -> Iterator[Finding]:
    for line in detail.log:
        if _OVERLAY.search(line.text):
            yield Finding(Label.REAL_BUG, 0.9, "error_overlay", "product", line, "read_server_log", Label.TIMING_FLAKY)
            return


def _navigation(detail: FailureDetail, method: str) -> Iterator[Finding]:
    line = _said(detail, _NAVIGATION_SAID)
    if line is not None:
        yield Finding(Label.NAVIGATION_FAIL, 0.88, "navigation_failed", "", line, "check_address", Label.ENVIRONMENT)
    if method in _NAVIGATES and detail.timeout_ms:
        yield Finding(
            Label.NAVIGATION_FAIL, 0.9, "navigation_timed_out", "", detail.headline, "check_server", Label.ENVIRONMENT
        )
    if detail.matcher in _URL_MATCHERS or method in _WAITS_FOR_URL:
        yield Finding(
            Label.URL_MISMATCH, 0.92, "other_address", "", detail.headline, "see_redirect", Label.TIMING_FLAKY
        )
    elif _is_about_address(detail):
        yield Finding(Label.URL_MISMATCH, 0.86, "other_address", "", detail.headline, "see_redirect", Label.REAL_BUG)
    if method in _WAITS_FOR_LOAD:
        yield Finding(
            Label.TIMING_FLAKY,
            0.88,
            "load_state_never_came",
            "timing",
            detail.headline,
            "wait_for_state",
            Label.NAVIGATION_FAIL,
        )


def _is_about_address(detail: FailureDetail) -> bool:
    subject = detail.subject
    return (
        bool(subject)
        and re.search(
            r"\burl\(\)|\.url\b|location\.(?:href|pathname)|current_?url|getCurrentUrl", subject, re.IGNORECASE
        )
        is not None
    )


def _frames(detail: FailureDetail) -> Iterator[Finding]:
    line = _said(detail, _FRAME_SAID)
    if line is not None and not _NAVIGATION_SAID.search(line.text):
        yield Finding(Label.FRAME_FAIL, 0.84, "frame", "", line, "use_frame_locator", Label.TIMING_FLAKY)
    elif detail.locator and _IN_FRAME.search(detail.locator):
        yield Finding(Label.FRAME_FAIL, 0.72, "frame", "", detail.headline, "use_frame_locator", Label.SELECTOR_BROKEN)


def _element_states(detail: FailureDetail) -> Iterator[Finding]:
    """The last state that the failing step reached gives the symptom."""
    strict = _said(detail, _STRICT)
    if strict is not None:
        yield Finding(Label.SELECTOR_BROKEN, 0.95, "ambiguous", "test", strict, "narrow_locator", Label.TEST_BUG)
        return
    missing = _said(detail, _NOT_FOUND) or _missing_value(detail)
    if missing is not None and not detail.is_negated:
        yield Finding(Label.SELECTOR_BROKEN, 0.93, "not_found", "", missing, "heal", Label.REAL_BUG)
        return
    resolved = next((line for line in detail.log if _RESOLVED.search(line.text) and not _ZERO.search(line.text)), None)
    if resolved is None:
        yield from _unresolved(detail)
    else:
        yield from _resolved(detail, resolved)


def _missing_value(detail: FailureDetail) -> Line | None:
    if (
        detail.received == "None"
        and detail.locator
        and detail.matcher
        and not any(_RESOLVED.search(x.text) for x in detail.log)
    ):
        return detail.headline
    return detail.headline if "element(s) not found" in detail.received else None


def _unresolved(detail: FailureDetail) -> Iterator[Finding]:
    waiting = next((line for line in detail.log if "waiting for" in line.text and "navigation" not in line.text), None)
    if waiting is None or not detail.locator:
        return
    if any(_UNREADY.search(line.text) for line in detail.log):
        yield Finding(
            Label.TIMING_FLAKY, 0.8, "not_actionable", "timing", waiting, "wait_for_state", Label.SELECTOR_BROKEN
        )
        return
    if _said(detail, _CLOSED) is None:
        yield Finding(Label.SELECTOR_BROKEN, 0.9, "not_found", "", waiting, "heal", Label.TIMING_FLAKY)


def _resolved(detail: FailureDetail, resolved: Line) -> Iterator[Finding]:
    unready = next((line for line in detail.log if _UNREADY.search(line.text)), None)
    if unready is not None and not detail.matcher:
        yield Finding(
            Label.TIMING_FLAKY, 0.86, "not_actionable", "timing", unready, "wait_for_state", Label.SELECTOR_BROKEN
        )
    elif detail.matcher in _STATE_MATCHERS:
        yield Finding(Label.TIMING_FLAKY, 0.72, "wrong_state", "", resolved, "wait_for_state", Label.ASSERTION_MISMATCH)
    elif not detail.matcher and detail.timeout_ms:
        yield Finding(Label.TIMING_FLAKY, 0.75, "not_actionable", "timing", resolved, "wait_for_state", Label.TEST_BUG)


def _said(detail: FailureDetail, pattern: re.Pattern[str]) -> Line | None:
    return next((line for line in detail.said if pattern.search(line.text)), None)
