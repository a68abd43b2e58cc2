"""Why tests failed, from the text that a runner printed: one failure, or a whole log of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from testwright.classify.classifying import classify
from testwright.classify.reading.splitting import TestText, split_failures
from testwright.classify.reading.taking_apart import taken_apart
from testwright.model.failure import FailureDetail
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.explaining_causes import Cause, cause_key, grouped


@dataclass(frozen=True, slots=True)
class ExplainedText:
    """One failure of a text, and why it is one."""

    source: TestText
    detail: FailureDetail
    verdict: Verdict

    @property
    def name(self) -> str:
        return self.source.name

    def shape(self) -> dict[str, Any]:
        source = self.source
        return {"name": source.name, "file": source.file, "line": source.line, "verdict": verdict_shape(self.verdict)}


def explain_output(text: str, framework: str = "") -> list[ExplainedText]:
    """Every failure of a log, in its order. A text that is one failure gives one; an empty text gives none."""
    return [explain_text(each, framework) for each in split_failures(text, framework)] if text.strip() else []


def explain_text(source: TestText, framework: str = "") -> ExplainedText:
    detail = taken_apart(source.text, framework)
    return ExplainedText(source, detail, classify(detail))


def causes_of(failures: Iterable[ExplainedText]) -> list[Cause]:
    """One for each reason; failures without a name are counted by their place in the text."""
    named = enumerate(failures, start=1)
    return list(
        grouped(
            (cause_key(each.verdict, each.detail), each.name or f"failure {number}", each.verdict)
            for number, each in named
        )
    )
