"""Why tests failed, from the text that a runner printed: one failure, or a whole log of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from testwright.classify.classifier import classify
from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.classify.failure_text.failure_splitter import TestText, split_failures
from testwright.model.failure import FailureDetail
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.explaining.shared_causes import Cause, cause_key, grouped

MOST_FAILURES = 1000  # of one text


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
        return {
            "name": source.name,
            "file": source.file,
            "line": source.line or None,
            "start": source.start,  # in the whole text; the places of the evidence are counted from here
            "verdict": verdict_shape(self.verdict),
        }


class ExplainedOutput(NamedTuple):
    failures: list[ExplainedText]
    not_reached: int  # failures of the text beyond the most that were asked for


def explain_output(text: str, framework: str = "", *, most: int = MOST_FAILURES) -> ExplainedOutput:
    """The failures of a log, in its order. A text that is one failure gives one; an empty text gives none."""
    found = split_failures(text, framework) if text.strip() else []
    return ExplainedOutput([explain_text(each, framework) for each in found[:most]], len(found[most:]))


def explain_text(source: TestText, framework: str = "") -> ExplainedText:
    detail = parse_failure_text(source.text, framework)
    return ExplainedText(source, detail, classify(detail))


def causes_of(failures: Sequence[ExplainedText]) -> list[Cause]:
    """One for each reason. Where there are several failures, one without a name goes by its number."""
    unnamed = "failure {}" if len(failures) > 1 else ""
    return list(
        grouped(
            (cause_key(each.verdict, each.detail), each.name or unnamed.format(number), each.verdict)
            for number, each in enumerate(failures, start=1)
        )
    )
