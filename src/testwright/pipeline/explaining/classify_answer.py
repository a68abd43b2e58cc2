"""What `test_classify` answers: one summary line, and data that a program can use."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from testwright.classify.failure_text.failure_splitter import TestText
from testwright.model.errors import ClassificationUncertain
from testwright.model.untrusted_text import visible_line
from testwright.model.verdict import Verdict
from testwright.pipeline.explaining.classify_request import (
    MOST_FAILURES,
    ClassifyAction,
    TestClassifyRequest,
    TestFailure,
)
from testwright.pipeline.explaining.printed_failures import ExplainedText, causes_of, explain_output, explain_text

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
    """Carry a request out. A failure whose reason is not found is answered as `unknown`, with what there is of it."""
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
