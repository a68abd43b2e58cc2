"""Going somewhere: navigation that did not complete, an address that is another one, frames."""

import re
from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.word_lists import words
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel as Label

# Methods of Playwright, in JavaScript and in Python.
_NAVIGATES = words("goto reload goBack goForward go_back go_forward setContent set_content")
_WAITS_FOR_URL = words("waitForURL wait_for_url waitForNavigation wait_for_navigation expect_navigation")
_WAITS_FOR_LOAD = words("waitForLoadState wait_for_load_state")
_URL_MATCHERS = words("toHaveURL to_have_url")

_DID_NOT_ARRIVE = any_of(
    # Chromium
    r"ERR_ABORTED",
    r"ERR_TOO_MANY_REDIRECTS",
    r"ERR_INVALID_REDIRECT",
    r"ERR_BLOCKED_BY",
    r"ERR_FILE_NOT_FOUND",
    r"ERR_INVALID_URL",
    r"ERR_HTTP_RESPONSE_CODE_FAILURE",
    # Playwright
    r"NS_BINDING_ABORTED",
    r"interrupted by another navigation",
    r"Navigating frame was detached",
    # Puppeteer
    r"Navigation timeout of \d+ ?ms exceeded",
    # anybody
    r"[Nn]avigation (?:to .{1,200} )?(?:failed|is interrupted|timed out|interrupted)",
)
_ADDRESS = re.compile(r"\burl\(\)|\.url\b|location\.(?:href|pathname)|current_?url|getCurrentUrl", re.IGNORECASE)
_FRAME = any_of(
    # Playwright
    r"frame (?:was |has been |got )?detached",
    r"enter-frame",
    r"content_?Frame",
    r"frame_?Locator",
    # WebDriver
    r"no ?such ?frame",
    r"switch(?:To)?[ .(\"']{0,3}i?frame",
    # anybody
    r"\bi?frame\b.{0,30}not (?:found|ready|loaded)",
    ignore_case=True,
)
_IN_FRAME = re.compile(r"frameLocator|frame_locator|contentFrame|content_frame|enter-frame|iframe")


def navigation_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    method = detail.api.rsplit(".", 1)[-1]
    headline = detail.headline
    line = _DID_NOT_ARRIVE.first(detail.said)
    if line is not None:
        yield RuleFinding(
            Label.NAVIGATION_FAIL, 0.88, "navigation_failed", "", line, Advice.CHECK_ADDRESS, Label.ENVIRONMENT
        )
    if method in _NAVIGATES and detail.timeout_ms:
        yield RuleFinding(
            Label.NAVIGATION_FAIL, 0.9, "navigation_timed_out", "", headline, Advice.CHECK_SERVER, Label.ENVIRONMENT
        )
    if method in _WAITS_FOR_URL and _arrived(detail):
        yield RuleFinding(
            Label.TIMING_FLAKY,
            0.86,
            "load_state_never_came",
            "timing",
            headline,
            Advice.WAIT_FOR_STATE,
            Label.URL_MISMATCH,
        )
    elif detail.matcher in _URL_MATCHERS or (method in _WAITS_FOR_URL and detail.timeout_ms):
        yield RuleFinding(
            Label.URL_MISMATCH, 0.92, "other_address", "", headline, Advice.SEE_REDIRECT, Label.TIMING_FLAKY
        )
    elif detail.subject and _ADDRESS.search(detail.subject):
        yield RuleFinding(Label.URL_MISMATCH, 0.86, "other_address", "", headline, Advice.SEE_REDIRECT, Label.REAL_BUG)
    if method in _WAITS_FOR_LOAD:
        yield RuleFinding(
            Label.TIMING_FLAKY,
            0.88,
            "load_state_never_came",
            "timing",
            headline,
            Advice.WAIT_FOR_STATE,
            Label.NAVIGATION_FAIL,
        )
    yield from _frames(detail)


def _arrived(detail: FailureDetail) -> bool:
    """Whether the page was reached and only did not come to rest."""
    waits_for_rest = any('until "networkidle"' in line.text for line in detail.log)
    return waits_for_rest and any("navigated to" in line.text for line in detail.log)


def _frames(detail: FailureDetail) -> Iterator[RuleFinding]:
    line = _FRAME.first(detail.said)
    if line is not None and not _DID_NOT_ARRIVE.search(line.text):
        yield RuleFinding(Label.FRAME_FAIL, 0.84, "frame", "", line, Advice.USE_FRAME_LOCATOR, Label.TIMING_FLAKY)
    elif detail.locator and _IN_FRAME.search(detail.locator):
        # What was found in there, if anything was: only then the frame itself is not the trouble.
        entered = any("resolved to" in line.text and "<iframe" not in line.text for line in detail.log)
        weight = 0.72 if entered else 0.94
        into = next((line for line in detail.log if _IN_FRAME.search(line.text)), detail.headline)
        yield RuleFinding(Label.FRAME_FAIL, weight, "frame", "", into, Advice.USE_FRAME_LOCATOR, Label.SELECTOR_BROKEN)
