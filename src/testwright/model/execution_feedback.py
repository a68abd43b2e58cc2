"""What running a generated test file taught: the answer of the gates, and the question for the next refinement."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FeedbackResult(StrEnum):
    PASS = "pass"  # noqa: S105  the word for a green run, not a secret
    FAIL = "fail"  # a check of the file said no
    ERROR = "error"  # the file could not be imported or run
    FLAKE = "flake"  # two runs of the same file did not agree


@dataclass(frozen=True, slots=True)
class CoverageGaps:
    """What the tests leave out of the module they are about."""

    file: str
    uncovered_lines: tuple[int, ...] = ()
    missing_branches: tuple[str, ...] = ()  # each as "L42: what was never seen"


@dataclass(frozen=True, slots=True)
class MutantSurvived:
    """A change to the module that the tests did not notice."""

    op: str
    location: str  # file:line
    hint: str


@dataclass(frozen=True, slots=True)
class ExecutionFeedback:
    result: FeedbackResult
    trace_excerpt: str = ""
    coverage: CoverageGaps = field(default_factory=lambda: CoverageGaps(""))
    mutants_survived: tuple[MutantSurvived, ...] = ()
    notes: str = ""


def feedback_shape(feedback: ExecutionFeedback) -> dict[str, Any]:
    """The feedback as plain dictionaries and lists, in the words other programs know it by."""
    return {
        "result": str(feedback.result),
        "trace_excerpt": feedback.trace_excerpt,
        "coverage": {
            "file": feedback.coverage.file,
            "uncovered_lines": list(feedback.coverage.uncovered_lines),
            "missing_branches": list(feedback.coverage.missing_branches),
        },
        "mutants_survived": [
            {"op": mutant.op, "location": mutant.location, "hint": mutant.hint} for mutant in feedback.mutants_survived
        ],
        "notes": feedback.notes,
    }
