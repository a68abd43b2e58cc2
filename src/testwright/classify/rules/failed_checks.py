"""Checks that said no: what kind of value they were about, and whether anything says which side is wrong."""

import re
from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.rules.time_zones import are_moments, are_zones_apart
from testwright.classify.word_lists import words
from testwright.model.failure import CodeOwner, FailureDetail, FailureLine
from testwright.model.failure_labels import FailureLabel as Label

_SNAPSHOT_MATCHERS = words(
    "toMatchSnapshot toMatchInlineSnapshot toMatchFileSnapshot toMatchImageSnapshot toThrowErrorMatchingSnapshot",
    "toHaveScreenshot toMatchAriaSnapshot to_have_screenshot to_match_aria_snapshot matchesGoldenFile",
)
_SNAPSHOT = any_of(
    # pytest plugins
    r"does not match (?:the )?(?:stored )?snapshot",
    # Vitest, Jest
    r"[Ss]napshot .{1,120} mismatched",
    r"snapshots? (?:failed|obsolete)",
    # Playwright
    r"\d+ pixels \(ratio",
    r"[Ss]creenshot comparison failed",
    # Flutter
    r"Golden \"",
    r"Pixel test failed",
)
_FINDER = any_of(
    # Flutter
    r"(?:zero|no) widgets with",
    r"Found 0 widgets",
    r"means none were found but",
    # Testing Library
    r"TestingLibraryElementError",
    r"Unable to find (?:an? )?(?:accessible )?(?:element|role|label|node)",
    r"[Ff]ound multiple",
    # anybody
    r"is_?not_?found",
)
_FINDER_MANY = any_of(
    r"Found multiple", r"multiple elements", r"too many", r"means \d+ were found", r"Found [2-9]\d* widgets"
)
_VIOLATIONS = any_of(
    # axe
    r"toHaveNoViolations",
    r"accessibility violations?",
    r"\bviolations? (?:were |was )?found",
    r"expected no a11y",
    ignore_case=True,
)
_PRODUCT_ERROR = any_of(
    # what products tell their users
    r"(?:unexpected|unknown|internal) (?:server )?error (?:has )?occurr?ed",
    r"something went wrong",
    r"Internal Server Error",
    # React, Next.js
    r"Maximum update depth",
    r"Maximum call stack",
    r"Unhandled (?:Runtime )?Error",
    ignore_case=True,
)
_ZONE = any_of(r"GMT[+-]\d{4}", r"UTC[+-]\d{1,2}", r"daylight", r"time ?zone", r"\bDST\b", ignore_case=True)
_SAYS_IT_CHECKED = any_of(
    r"AssertionError",
    r"AssertionFailure",
    r"TestFailure",
    r"ComparisonFailure",
    r"ExpectationFailed",
    r"assert(?:ion)? failed",
    r"^assert ",
    r"^(?:Error: )?[Ee]xpected .{1,300} to ",
    r"^Expected:",
    r"[Ee]xpected .{1,200}(?: but|,) (?:got|received|was) ",
)

_RESPONSE = re.compile(
    r"status_?[cC]ode|\.status\b|\bstatusText|\.headers\b|\.json\(\)|get_json\(\)|\bresponse\b"
    r"|\bres(?:p|ponse)?\.(?:ok|body|json|headers|data|text)"
)
_RESPONSE_SAID = any_of(
    # pytest, of an attribute
    r"where [1-5]\d\d = <.{0,80}response",
    # requests, Flask
    r"Response \[\d{3}\]",
    r"streamed \[\d{3}",
    # supertest
    r"expected \d{3} ['\"][^'\"]{0,60}['\"], got \d{3}",
    # anybody
    r"Status code (?:was|is|should|expected|mismatch)",
    ignore_case=True,
)
_HTTP_PLACE = re.compile(
    r"(?:^|[/\\_.-])(?:api|endpoints?|routes?|http|rest|graphql|views?|controllers?)(?:[/\\_.-]|$)", re.IGNORECASE
)
_IN_BODY = re.compile(r"\bin (?:data|body|json|payload|resp\w*|result)\b")
_MARKUP = re.compile(r"<!DOCTYPE|<html", re.IGNORECASE)
_STATUS = re.compile(r"[1-5]\d\d$")


def check_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    yield from _snapshots(detail)
    yield from _finders(detail)
    violation = _VIOLATIONS.first(detail.said)
    if violation is not None:
        yield RuleFinding(
            Label.REAL_BUG, 0.85, "accessibility", "product", violation, Advice.FIX_PRODUCT, Label.ASSERTION_MISMATCH
        )
    if is_check(detail):
        yield from _values(detail)


def is_check(detail: FailureDetail) -> bool:
    """Whether a check of the test said no, rather than something breaking."""
    if detail.matcher or (detail.expected and detail.received):
        return True
    if detail.error_class and detail.error_class not in ("AssertionError", "TestFailure", "Error"):
        return False
    return _SAYS_IT_CHECKED.first(detail.said) is not None


def _snapshots(detail: FailureDetail) -> Iterator[RuleFinding]:
    line = _SNAPSHOT.first(detail.said)
    if line is not None or detail.matcher in _SNAPSHOT_MATCHERS:
        shown = line or detail.headline
        yield RuleFinding(
            Label.SNAPSHOT_MISMATCH, 0.95, "snapshot_differs", "", shown, Advice.LOOK_AT_DIFF, Label.REAL_BUG
        )


def _finders(detail: FailureDetail) -> Iterator[RuleFinding]:
    line = _FINDER.first((*detail.said, FailureLine(detail.received, detail.headline.start)))
    if line is None:
        return
    if _FINDER_MANY.search(line.text):
        yield RuleFinding(Label.SELECTOR_BROKEN, 0.92, "ambiguous", "", line, Advice.NARROW_LOCATOR, Label.REAL_BUG)
    else:
        yield RuleFinding(Label.SELECTOR_BROKEN, 0.92, "not_found", "", line, Advice.HEAL, Label.REAL_BUG)


def _values(detail: FailureDetail) -> Iterator[RuleFinding]:
    """A value differs. Who is wrong is rarely in the text."""
    mismatch, real_bug = Label.ASSERTION_MISMATCH, Label.REAL_BUG
    error = _PRODUCT_ERROR.first((*detail.said, *detail.log, FailureLine(detail.received, detail.headline.start)))
    if error is not None:
        yield RuleFinding(real_bug, 0.76, "product_error_shown", "product", error, Advice.READ_SERVER_LOG, mismatch)
    shown = _value_line(detail)
    if _is_about_response(detail):
        yield RuleFinding(
            Label.API_ASSERTION_FAIL, 0.86, "response_differs", "", shown, Advice.READ_SERVER_LOG, real_bug
        )
    zone = None if detail.api else _zone_line(detail)
    if zone is not None:
        yield RuleFinding(Label.TEST_BUG, 0.62, "depends_on_time_zone", "test", zone, Advice.FIX_CLOCK, mismatch)
    yield RuleFinding(mismatch, 0.7, "value_differs", "", shown, Advice.COMPARE_VALUES, real_bug, is_fallback=True)


def _zone_line(detail: FailureDetail) -> FailureLine | None:
    if are_moments(detail.expected, detail.received):
        return _value_line(detail) if are_zones_apart(detail.expected, detail.received) else None
    return _ZONE.first(detail.said)


def _is_about_response(detail: FailureDetail) -> bool:
    if _MARKUP.search(detail.headline.text):
        return False  # a page, not what an interface answers
    if _RESPONSE.search(detail.subject) or _RESPONSE_SAID.first(detail.said) is not None:
        return True
    if not any(frame.owner is CodeOwner.TEST and _HTTP_PLACE.search(frame.file) for frame in detail.frames):
        return False
    values = (detail.expected.strip("'\" "), detail.received.strip("'\" "))
    return all(_STATUS.match(value.split(" ")[0]) for value in values) or _IN_BODY.search(detail.subject) is not None


def _value_line(detail: FailureDetail) -> FailureLine:
    sides = ("Received", "Actual", "assert ", "AssertionError")
    return next((line for line in detail.said if line.text.startswith(sides)), detail.headline)
