"""One run: how many tests passed, and what to do about each that did not."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.model.case import TestCase, TestId
from testwright.model.failure_labels import FailureLabel, FailureSignature
from testwright.model.outcome import Outcome
from testwright.model.result import TestResult
from testwright.model.verdict import Verdict

# These are mostly the test's own affair. A value that differs is not among them: it is a bug in the product until
# a person has looked.
_URGENT = frozenset(
    {
        FailureSignature.SELECTOR_ISSUE,
        FailureSignature.URL_MISMATCH,
        FailureSignature.TIMEOUT,
        FailureSignature.NETWORK_MOCK_FAIL,
        FailureSignature.FRAME_FAIL,
        FailureSignature.API_ASSERTION_FAIL,
    }
)

_MOST_MESSAGE = 16 * 1024  # characters of a message that are looked at
# A message that only names a method of Playwright, as a wrapper around `expect` writes it.
_ALONE = re.compile(
    r"\.(toHaveURL|toHaveTitle|toBeVisible|toContainText|toHaveText|toHaveValue|toBeEnabled|toBeDisabled|toHaveCount"
    r"|toBeChecked)\b",
    re.IGNORECASE,
)
_UPPER_CASE = {"url": "URL", "css": "CSS", "id": "Id", "js": "JS", "ok": "OK"}

JudgedResult = tuple[TestResult, Verdict | None]  # no verdict: the test did not fail, or was not looked at


@dataclass(frozen=True, slots=True)
class RunStats:
    total: int = 0
    passed: int = 0
    failed: int = 0
    flaky: int = 0  # known to be, or failed and passed within this run
    needs_regeneration: int = 0


@dataclass(frozen=True, slots=True)
class Improvement:
    """A test that failed, and what to do about it."""

    case: TestCase
    label: FailureLabel
    signature: FailureSignature
    message: str
    assertion_method: str | None
    priority: str  # high or medium
    action: str  # regenerate: a new draft of the test may help; look: a person first

    @property
    def test(self) -> TestId:
        return self.case.id


@dataclass(frozen=True, slots=True)
class RunAnalysis:
    stats: RunStats
    improvements: tuple[Improvement, ...]


def analyze_run(results: Iterable[JudgedResult], *, flaky: Collection[TestId] = ()) -> RunAnalysis:
    """What came of a run. `flaky` are the tests that are known to be so from their history."""
    known = frozenset(flaky)
    improvements: list[Improvement] = []
    total = passed = shaky = 0
    for result, verdict in results:
        total += 1
        passed += result.outcome.is_pass
        shaky += result.is_flaky or result.case.id in known
        if not result.outcome.is_success and result.outcome is not Outcome.INTERRUPTED:
            improvements.append(_improvement(result, verdict))
    to_write_anew = sum(improvement.action == "regenerate" for improvement in improvements)
    return RunAnalysis(RunStats(total, passed, len(improvements), shaky, to_write_anew), tuple(improvements))


def _improvement(result: TestResult, verdict: Verdict | None) -> Improvement:
    label = verdict.label if verdict else FailureLabel.UNKNOWN
    signature = label.traits.signature
    is_urgent = signature in _URGENT
    # A wrong address and a wrong response are failed checks as well: urgent, and not to be written away.
    may_be_rewritten = is_urgent and verdict is not None and not verdict.is_real_bug
    return Improvement(
        case=result.case,
        label=label,
        signature=signature,
        message=result.last.message,
        assertion_method=assertion_method(result.last.message),
        priority="high" if is_urgent else "medium",
        action="regenerate" if may_be_rewritten else "look",
    )


def assertion_method(message: str) -> str | None:
    """The method in the spelling of JavaScript, for any language of the test; None: the message names none."""
    detail = parse_failure_text(message[:_MOST_MESSAGE])
    if detail.matcher:
        return _camel_case(detail.matcher)
    found = next((found for line in detail.said if (found := _ALONE.search(line.text))), None)
    return found[1] if found else None


def _camel_case(name: str) -> str:
    if not name.startswith("to_"):
        return name
    first, *words = name.rstrip("_").split("_")
    return first + "".join(_UPPER_CASE.get(word, word.capitalize()) for word in words)


def analysis_shape(analysis: RunAnalysis) -> dict[str, Any]:
    stats = analysis.stats
    return {
        "stats": {
            "total": stats.total,
            "passed": stats.passed,
            "failed": stats.failed,
            "flaky": stats.flaky,
            "needsRegeneration": stats.needs_regeneration,
        },
        "improvements": [
            {
                "testId": improvement.test,
                "failureCategory": str(improvement.signature),
                "label": str(improvement.label),
                "errorMessage": improvement.message,
                "assertionMethod": improvement.assertion_method,
                "priority": improvement.priority,
                "action": improvement.action,
            }
            for improvement in analysis.improvements
        ],
    }
