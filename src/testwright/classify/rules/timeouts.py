"""Time that was up, locks, and checks of how long something took."""

from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.failed_checks import is_check
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel as Label

_TIMED_OUT = any_of(
    # Playwright
    r"Test timeout of \d+ ?ms",
    # Vitest
    r"test timed out in \d",
    # Jest, Jasmine
    r"Exceeded timeout of \d",
    r"async callback was not invoked",
    # Mocha
    r"Timeout of \d+ ?ms exceeded",
    # Flutter, Dart
    r"pumpAndSettle timed out",
    r"TimeoutException",
    r"did not complete within",
    # pytest-timeout
    r"Timeout >\d",
    # WebDriver
    r"Timed out receiving message",
    # anybody
    r"timed out after",
    r"deadline exceeded",
    r"read timed out",
    r"Timed out waiting",
    ignore_case=True,
)
_NOTHING_ELSE_SAID = any_of(r"^(?:Error: )?(?:Test )?timeout of \d+ ?ms exceeded\.?$", ignore_case=True)
_SOMETHING_TIMED_OUT = any_of(r"\btimed out\b", ignore_case=True)
_LOCKED = any_of(
    # PostgreSQL, MySQL, SQLite
    r"deadlock detected",
    r"could not serialize access",
    r"could not obtain lock",
    r"LockNotAvailable",
    r"Lock wait timeout",
    r"database is locked",
    ignore_case=True,
)
_DURATION = any_of(
    r"\b(?:elapsed|duration|took|latency|seconds|millis|ms)\b",
    r"\b(?:load|response|total|end|run)_?time\b",
    r"\btime_?taken\b",
    r"\bperf(?:ormance)?_?\w{0,20}\b",
    ignore_case=True,
)
_UPPER_LIMIT = any_of(r"<", r"toBeLessThan", r"assertLess", r"to be (?:less than|below)", r"less than")


def timeout_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    locked = _LOCKED.first(detail.said)
    if locked is not None:
        yield RuleFinding(Label.TIMING_FLAKY, 0.82, "locked", "timing", locked, Advice.SERIALISE_ACCESS, Label.REAL_BUG)
    line = _TIMED_OUT.first(detail.said)
    if line is not None and not detail.api and not detail.matcher:
        if _NOTHING_ELSE_SAID.search(line.text) and not (detail.hook or detail.frames or detail.subject):
            yield RuleFinding(Label.UNKNOWN, 0.6, "timeout", "", line, Advice.GET_TRACE, Label.TIMING_FLAKY)
        else:
            yield RuleFinding(
                Label.TIMING_FLAKY, 0.84, "timeout", "timing", line, Advice.SPLIT_OR_SPEED_UP, Label.TEST_BUG
            )
    elif (line := _SOMETHING_TIMED_OUT.first(detail.said)) is not None and not detail.api and not detail.matcher:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.7, "timeout", "timing", line, Advice.SPLIT_OR_SPEED_UP, Label.ENVIRONMENT
        )
    yield from _too_slow(detail)


def _too_slow(detail: FailureDetail) -> Iterator[RuleFinding]:
    checked = f"{detail.subject} {detail.headline.text}"
    if is_check(detail) and _DURATION.search(checked) and _UPPER_LIMIT.search(f"{checked} {detail.matcher}"):
        yield RuleFinding(
            Label.TIMING_FLAKY,
            0.8,
            "too_slow",
            "timing",
            detail.headline,
            Advice.MEASURE_IN_BENCHMARK,
            Label.ENVIRONMENT,
        )
