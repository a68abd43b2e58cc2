"""`test_classify`: why a failure happened, or each of a batch of them. What may be asked, and what is answered."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from testwright.classify.failure_text.failure_splitter import TestText
from testwright.model.errors import BatchTooLarge, ClassificationUncertain, TooLarge, UsageError
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict
from testwright.pipeline.explaining.printed_failures import ExplainedText, causes_of, explain_output, explain_text

MOST_FAILURES = 50  # of one batch
MOST_TEXT = 500 * 1024  # characters of one failure
MOST_BATCH = 5 * 1024 * 1024  # characters of all of them, or of an output

_RECOMMENDED = {
    "heal": "heal selector",
    "fix_test": "fix the test",
    "fix_product": "fix the product",
    "fix_environment": "fix the environment",
    "check_server": "check the server",
    "stabilise": "wait for the state the test needs",
    "rerun": "run again",
    "look": "look at it",
}


class ClassifyAction(StrEnum):
    FAILURE = "failure"
    BATCH = "batch"


@dataclass(frozen=True, slots=True)
class TestFailure:
    """One failure as it was reported."""

    __test__ = False  # pytest would take the class for a group of tests

    test_name: str = ""
    error: str = ""
    screenshot: str = ""  # base64; taken and not looked at
    trace: str = ""  # the stack
    duration_ms: int = 0

    @property
    def text(self) -> str:
        """What was said, once: a stack often begins with the error."""
        first = self.error.strip().split("\n", 1)[0]
        if not self.trace.strip() or (first and first in self.trace):
            return self.trace if self.trace.strip() else self.error
        return f"{self.error}\n{self.trace}"


@dataclass(frozen=True, slots=True)
class TestClassifyRequest:
    """One call of `test_classify`. Make it with `classify_request`, which checks it."""

    __test__ = False

    action: ClassifyAction
    failure: TestFailure | None = None
    failures: tuple[TestFailure, ...] = ()
    test_output: str = ""


# --- what may be asked -----------------------------------------------------------------------

_FIELDS: dict[str, tuple[type, str]] = {
    "type": (str, "a text"),
    "action": (str, "a text"),
    "failure": (dict, "an object"),
    "failures": (list, "a list of objects"),
    "test_output": (str, "a text"),
}
_FAILURE_FIELDS: dict[str, tuple[type, str]] = {
    "test_name": (str, "a text"),
    "error": (str, "a text"),
    "screenshot": (str, "a text in base64"),
    "trace": (str, "a text"),
    "duration_ms": (int, "a whole number"),
}


def classify_request(given: Mapping[str, object]) -> TestClassifyRequest:
    """A checked request. Raises UsageError, TooLarge and BatchTooLarge, each naming what is wrong."""
    _check(given, _FIELDS, "")
    if given.get("type", "test_classify") != "test_classify":
        raise UsageError("`type` must be 'test_classify'.", next_step="Ask another tool for anything else.")
    action = _action(given.get("action"))
    failure, failures = given.get("failure"), given.get("failures")
    request = TestClassifyRequest(
        action,
        _failure(failure, "failure") if isinstance(failure, dict) else None,
        _failures(failures) if isinstance(failures, list) else (),
        str(given.get("test_output", "")),
    )
    _check_together(request, given)
    _check_sizes(request)
    return request


def _check(given: Mapping[str, object], fields: Mapping[str, tuple[type, str]], of: str) -> None:
    for name, value in given.items():
        known = fields.get(name)
        if known is None:
            raise UsageError(
                f"`{of}{visible_line(str(name))}` is not a parameter.",
                next_step=f"The parameters are: {', '.join(fields)}.",
            )
        kind, called = known
        if not isinstance(value, kind) or isinstance(value, bool):
            raise UsageError(f"`{of}{name}` must be {called}.", next_step="Correct the value.")


def _action(value: object) -> ClassifyAction:
    try:
        return ClassifyAction(str(value))
    except ValueError:
        known = ", ".join(ClassifyAction)
        raise UsageError(f"`action` must be one of: {known}.", next_step="Name one of them.") from None


def _failures(given: list[object]) -> tuple[TestFailure, ...]:
    if len(given) > MOST_FAILURES:
        raise BatchTooLarge(
            f"{len(given)} failures are more than {MOST_FAILURES} at a time (failures).",
            next_step="Ask in several calls.",
        )
    return tuple(_failure(each, f"failures[{number}]") for number, each in enumerate(given))


def _failure(given: object, name: str) -> TestFailure:
    if not isinstance(given, dict):
        raise UsageError(f"`{name}` must be an object.", next_step="Correct the value.")
    _check(given, _FAILURE_FIELDS, f"{name}.")
    failure = TestFailure(**given)
    if failure.duration_ms < 0:
        raise UsageError(f"`{name}.duration_ms` is below 0.", next_step="Correct the value.")
    if max(len(failure.error), len(failure.trace)) > MOST_TEXT:
        raise TooLarge(
            f"The text of `{name}` is longer than {MOST_TEXT // 1024} KB.",
            next_step="Give the part that tells of the failure.",
        )
    return failure


def _check_together(request: TestClassifyRequest, given: Mapping[str, object]) -> None:
    is_batch = request.action is ClassifyAction.BATCH
    wanted, other = ("failures", "failure") if is_batch else ("failure", "failures")
    if other in given:
        raise UsageError(f"`{request.action}` takes no `{other}`.", next_step=f"Leave out `{other}`.")
    if (wanted in given) == ("test_output" in given):
        raise UsageError(
            f"`{request.action}` needs `{wanted}` or `test_output`, and only one of them.",
            next_step=f"Give `{wanted}`, or what the runner printed as `test_output`.",
        )


def _check_sizes(request: TestClassifyRequest) -> None:
    each = request.failures or ((request.failure,) if request.failure is not None else ())
    total = len(request.test_output) + sum(len(one.error) + len(one.trace) + len(one.screenshot) for one in each)
    if total > MOST_BATCH:
        raise BatchTooLarge(
            f"The request has {total / 1024 / 1024:.1f} MB; it may have 5 MB (total size).",
            next_step="Ask in several calls, and leave screenshots out.",
        )


# --- what is answered ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassifyAnswer:
    """The answer to one request: of one failure, or of those of a batch."""

    failures: tuple[ExplainedText, ...]
    is_batch: bool = False
    not_reached: int = 0  # failures of the output beyond the most that are looked at

    @property
    def summary(self) -> str:
        if not self.is_batch:
            return _summary_of(self.failures[0].verdict)
        if not self.failures:
            return "No failures to classify"
        counts = Counter(each.verdict.category for each in self.failures)
        named = ", ".join(f"{count} {category}" for category, count in counts.most_common())
        causes = len(causes_of(self.failures))
        noun = "failure" if len(self.failures) == 1 else "failures"
        more = f"; {self.not_reached} more were not looked at" if self.not_reached else ""
        return (
            f"Classified {len(self.failures)} {noun}: {named} ({causes} {'cause' if causes == 1 else 'causes'}){more}"
        )

    def shape(self) -> dict[str, Any]:
        """The data: of one failure, or a list with counts and causes."""
        if not self.is_batch:
            more = {"not_reached": self.not_reached} if self.not_reached else {}
            return {**_shape(self.failures[0]), **more}
        return {
            "classifications": [{"test_name": visible_line(each.name), **_shape(each)} for each in self.failures],
            "counts": dict(Counter(each.verdict.category for each in self.failures)),
            "causes": [
                {"category": cause.verdict.category, "tests": [visible_line(test) for test in cause.tests]}
                for cause in causes_of(self.failures)
            ],
            "not_reached": self.not_reached,
        }


def answer_classify(request: TestClassifyRequest) -> ClassifyAnswer:
    """Carry a request out. A failure that cannot be told is answered as `unknown`, with what there is of it."""
    if request.failure is not None:
        return ClassifyAnswer((_explained(request.failure),))
    if request.failures:
        return ClassifyAnswer(tuple(map(_explained, request.failures)), is_batch=True)
    is_batch = request.action is ClassifyAction.BATCH
    found, left = explain_output(request.test_output, most=MOST_FAILURES if is_batch else 1)
    if not found and not is_batch:
        found = [explain_text(TestText("", "", 0, request.test_output))]
    return ClassifyAnswer(tuple(found), is_batch, left)


def _explained(failure: TestFailure) -> ExplainedText:
    return explain_text(TestText(failure.test_name, "", 0, failure.text))


def _summary_of(verdict: Verdict) -> str:
    if verdict.is_unknown:
        return f"Could not be classified with confidence — recommended: look at it [{ClassificationUncertain.code}]"
    action = _RECOMMENDED.get(verdict.recommended_action, verdict.recommended_action.replace("_", " "))
    return f"Classified as {verdict.category} ({100 * verdict.confidence:.0f}% confidence) — recommended: {action}"


def _shape(failure: ExplainedText) -> dict[str, Any]:
    verdict = failure.verdict
    shape: dict[str, Any] = {
        "classification": {
            "category": verdict.category,
            "confidence": round(verdict.confidence, 2),
            "evidence": _evidence(failure),
            "recommended_action": verdict.recommended_action,
            "is_real_bug": verdict.is_real_bug,
            "is_flaky": verdict.is_flaky,
            "is_environment": verdict.is_environment,
        }
    }
    if verdict.fix is not None:
        parts = {name: getattr(verdict.fix, name) for name in ("type", "old", "new", "code")}
        shape["suggested_fix"] = {name: value for name, value in parts.items() if value}
    shape["details"] = {
        "label": str(verdict.label),
        "signature": verdict.signature,
        "second": str(verdict.second) if verdict.second is not None else None,
        "symptom": verdict.symptom,
        "cause": verdict.cause,
        "advice": verdict.advice,
    }
    if verdict.is_unknown:
        shape["uncertain"] = ClassificationUncertain(
            "The text carries no reason for the failure.",
            next_step="Give more of the output: the error, its stack, the call log.",
        ).as_dict()
    return shape


def _evidence(failure: ExplainedText) -> list[str]:
    """The words it rests on; where nothing decided, the beginning of the text, for a person to read."""
    quoted = [visible_line(quote.text) for quote in failure.verdict.evidence]
    if quoted:
        return quoted
    lines = (line.strip() for line in failure.source.text[:4000].splitlines())
    return [visible_line(line) for line in lines if line][:3] or ["Nothing was said."]
