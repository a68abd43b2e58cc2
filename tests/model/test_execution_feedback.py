"""The feedback of the gates has one shape, whoever reads it."""

import json

from testwright.model.execution_feedback import (
    CoverageGaps,
    ExecutionFeedback,
    FeedbackResult,
    MutantSurvived,
    feedback_shape,
)


def test_feedback_reads_as_its_contract_says() -> None:
    feedback = ExecutionFeedback(
        FeedbackResult.FLAKE,
        "assert 1 == 2",
        CoverageGaps("pkg/mod.py", (12, 19), ("L42: condB",)),
        (MutantSurvived("AOR", "pkg/mod.py:88", "add stronger oracle"),),
        "two runs did not agree",
    )

    assert json.loads(json.dumps(feedback_shape(feedback))) == {
        "result": "flake",
        "trace_excerpt": "assert 1 == 2",
        "coverage": {"file": "pkg/mod.py", "uncovered_lines": [12, 19], "missing_branches": ["L42: condB"]},
        "mutants_survived": [{"op": "AOR", "location": "pkg/mod.py:88", "hint": "add stronger oracle"}],
        "notes": "two runs did not agree",
    }


def test_feedback_about_nothing_is_still_whole() -> None:
    shape = feedback_shape(ExecutionFeedback(FeedbackResult.PASS))

    assert shape["coverage"] == {"file": "", "uncovered_lines": [], "missing_branches": []}
    assert shape["mutants_survived"] == []
