"""Checks that said no: what kind of value they were about, and whether anything says which side is wrong."""

import re
from collections.abc import Iterator

from testwright.classify.rules.finding import Finding
from testwright.model.failure import FailureDetail, Line, Owner
from testwright.model.verdict import Label

_SNAPSHOT_MATCHERS = frozenset(
    "toMatchSnapshot toMatchInlineSnapshot toMatchFileSnapshot toHaveScreenshot toMatchAriaSnapshot to_have_screenshot to_match_aria_snapshot"
    " toThrowErrorMatchingSnapshot toMatchImageSnapshot matchesGoldenFile".split()
)
_SNAPSHOT_SAID = re.compile(
    r"does not match (?:the )?(?:stored )?snapshot|[Ss]napshot .{1,120} mismatched|Golden \"|Pixel test failed|\d+ pixels \(ratio|snapshots? (?:failed|obsolete)|[Ss]creenshot comparison failed"
)
_RESPONSE = re.compile(
    r"status_?[cC]ode|\.status\b(?:\(\))?|\bstatusText|\bres(?:p|ponse)?\.(?:ok|body|json|headers|data|text)|\.headers\b|\.json\(\)|\bresponse\b|get_json\(\)"
)
_RESPONSE_SAID = re.compile(
    r"where (?P<code>[1-5]\d\d) = <.{0,80}[Rr]esponse|Response \[\d{3}\]|streamed \[\d{3}|expected \d{3} \"[\w ]+\", got \d{3}|[Ss]tatus code (?:was|is|should|expected|mismatch)"
)
_HTTP_PLACE = re.compile(
    r"(?:^|[/\\_.-])(?:api|endpoints?|routes?|http|rest|graphql|views?|controllers?)(?:[/\\_.-]|$)", re.IGNORECASE
)
_STATUS = re.compile(r"^[1-5]\d\d$")
_FINDER = re.compile(
    r"(?:zero|no) widgets with|Found 0 widgets|means none were found but|is_?not_?found|Unable to find (?:an? )?(?:accessible )?(?:element|role|label|node)|Found multiple elements|found multiple|Unable to find a label|Unable to find an element|TestingLibraryElementError"
)
_FINDER_MANY = re.compile(r"Found multiple|multiple elements|too many|means \d+ were found|Found [2-9]\d* widgets")
_CLOCK = re.compile(
    r"\b(?:elapsed|duration|took|latency|(?:load|response|total|end|run)_?[tT]ime|time_?taken|perf(?:ormance)?_?\w{0,20}|seconds|millis|ms)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"(?:<|<=|toBeLessThan|assertLess|to be less than|to be below|less than)")
_TIMED_OUT = re.compile(
    r"[Tt]est timed out in \d|Exceeded timeout of \d|Timeout of \d+ ?ms exceeded|pumpAndSettle timed out|Timed out receiving message|TimeoutException|timed out after|Test timeout of \d+ ?ms|async callback was not invoked|did not complete within|Timeout >\d|deadline exceeded|read timed out|Timed out waiting",
    re.IGNORECASE,
)
_BARE_TIMEOUT = re.compile(
    r"^(?:Error: )?Test timeout of \d+ ?ms exceeded\.?$|^(?:Error: )?[Tt]imeout of \d+ ?ms exceeded\.?$"
)
_LOCKED = re.compile(
    r"deadlock detected|database is locked|could not serialize access|Lock wait timeout|LockNotAvailable|could not obtain lock",
    re.IGNORECASE,
)
_VIOLATIONS = re.compile(
    r"toHaveNoViolations|accessibility violations?|\bviolations? (?:were |was )?found|expected no a11y", re.IGNORECASE
)
_APP_ERROR = re.compile(
    r"(?:unexpected|unknown|internal) (?:server )?error (?:has )?occurr?ed|something went wrong|Internal Server Error|Maximum update depth|Maximum call stack|Unhandled (?:Runtime )?Error",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"to (?:have been|be) called|assert_called|Number of calls|toHaveBeenCalled|was not awaited|Expected '\w+' to (?:have been|be) called",
    re.IGNORECASE,
)
_ZONE = re.compile(r"GMT[+-]\d{4}|UTC[+-]\d{1,2}|daylight|timezone|time zone|\bDST\b", re.IGNORECASE)
_HAS_CHECKED = re.compile(
    r"AssertionError|AssertionFailure|TestFailure|ComparisonFailure|JestAssertionError|ExpectationFailed|assert(?:ion)? failed|^assert |^expected .{1,300} to |^Expected:|Expected .{1,200} but (?:got|received|was)"
)


def check_findings(detail: FailureDetail) -> Iterator[Finding]:
    yield from _snapshots(detail)
    yield from _finders(detail)
    yield from _violations(detail)
    yield from _time(detail)
    if is_check(detail):
        yield from _values(detail)


def is_check(detail: FailureDetail) -> bool:
    """Whether a check of the test said no, rather than something breaking."""
    if detail.matcher or (detail.expected and detail.received):
        return True
    if detail.error_class and detail.error_class not in ("AssertionError", "TestFailure", "Error"):
        return False
    return any(_HAS_CHECKED.search(line.text) for line in detail.said)


def _snapshots(detail: FailureDetail) -> Iterator[Finding]:
    line = _said(detail, _SNAPSHOT_SAID)
    if line is not None or detail.matcher in _SNAPSHOT_MATCHERS:
        yield Finding(
            Label.SNAPSHOT_MISMATCH,
            0.95,
            "snapshot_differs",
            "",
            line or detail.headline,
            "look_at_diff",
            Label.REAL_BUG,
        )


def _finders(detail: FailureDetail) -> Iterator[Finding]:
    values = Line(detail.received, detail.headline.start)
    line = next((each for each in (*detail.said, values) if _FINDER.search(each.text)), None)
    if line is None:
        return
    symptom = "ambiguous" if _FINDER_MANY.search(line.text) else "not_found"
    yield Finding(
        Label.SELECTOR_BROKEN,
        0.92,
        symptom,
        "",
        line,
        "heal" if symptom == "not_found" else "narrow_locator",
        Label.REAL_BUG,
    )


def _violations(detail: FailureDetail) -> Iterator[Finding]:
    line = _said(detail, _VIOLATIONS)
    if line is not None:
        yield Finding(Label.REAL_BUG, 0.85, "accessibility", "product", line, "fix_product", Label.ASSERTION_MISMATCH)


def _time(detail: FailureDetail) -> Iterator[Finding]:
    line = _said(detail, _LOCKED)
    if line is not None:
        yield Finding(Label.TIMING_FLAKY, 0.82, "locked", "timing", line, "serialise_access", Label.REAL_BUG)
    line = _said(detail, _TIMED_OUT)
    if line is not None and not detail.api and not detail.matcher:
        bare = (
            _BARE_TIMEOUT.match(line.text) is not None and not detail.hook and not detail.frames and not detail.subject
        )
        if bare:
            yield Finding(Label.UNKNOWN, 0.6, "timeout", "", line, "get_trace", Label.TIMING_FLAKY)
        else:
            yield Finding(Label.TIMING_FLAKY, 0.84, "timeout", "timing", line, "split_or_speed_up", Label.TEST_BUG)
    spoken = f"{detail.subject} {detail.headline.text}"
    if is_check(detail) and _CLOCK.search(spoken) and _LIMIT.search(f"{spoken} {detail.matcher}"):
        yield Finding(
            Label.TIMING_FLAKY, 0.8, "too_slow", "timing", detail.headline, "measure_in_benchmark", Label.ENVIRONMENT
        )


def _values(detail: FailureDetail) -> Iterator[Finding]:
    """A value differs. Who is wrong is rarely in the text."""
    error = next((line for line in (*detail.said, *detail.log) if _APP_ERROR.search(line.text)), None)
    if error is not None or _APP_ERROR.search(detail.received):
        yield Finding(
            Label.REAL_BUG,
            0.76,
            "product_error_shown",
            "product",
            error or detail.headline,
            "read_server_log",
            Label.ASSERTION_MISMATCH,
        )
    if _is_about_response(detail):
        yield Finding(
            Label.API_ASSERTION_FAIL,
            0.86,
            "response_differs",
            "",
            _value_line(detail),
            "read_server_log",
            Label.REAL_BUG,
        )
    if _said(detail, _ZONE) is not None and not detail.api:
        yield Finding(
            Label.TEST_BUG,
            0.6,
            "depends_on_time_zone",
            "test",
            _said(detail, _ZONE),
            "fix_clock",
            Label.ASSERTION_MISMATCH,
        )
    called = _said(detail, _CALLED) is not None or detail.matcher.startswith("toHaveBeenCalled")
    weight = 0.83 if called or detail.matcher or detail.subject else 0.8
    yield Finding(
        Label.ASSERTION_MISMATCH, weight, "value_differs", "", _value_line(detail), "compare_values", Label.REAL_BUG,
        is_fallback=True,
    )  # fmt: skip


def _is_about_response(detail: FailureDetail) -> bool:
    if _said(detail, _RESPONSE_SAID) is not None:
        return True
    if detail.subject and _RESPONSE.search(detail.subject):
        return True
    values = [detail.expected.strip("'\" "), detail.received.strip("'\" ")]
    both_codes = all(_STATUS.match(value.split(" ")[0]) for value in values)
    at_api = any(frame.owner is Owner.TEST and _HTTP_PLACE.search(frame.file) for frame in detail.frames)
    if both_codes and at_api:
        return True
    return at_api and re.search(r"\bin (?:data|body|json|payload|resp\w*|result)\b", detail.subject) is not None


def _value_line(detail: FailureDetail) -> Line:
    return next(
        (line for line in detail.said if line.text.startswith(("Received", "Actual", "assert ", "AssertionError"))),
        detail.headline,
    )


def _said(detail: FailureDetail, pattern: re.Pattern[str]) -> Line | None:
    return next((line for line in detail.said if pattern.search(line.text)), None)
