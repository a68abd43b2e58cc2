"""Put what the gates saw into the feedback that a refinement starts from."""

from testwright.generate.measured_results import Covered, Mutants
from testwright.generate.quality_gates.single_run import PASSED, SuiteRunResult
from testwright.model.execution_feedback import CoverageGaps, ExecutionFeedback, FeedbackResult, MutantSurvived

_EXCERPT_LINES = 30
_MISSING_SHOWN = 200


def feedback_of(
    result: FeedbackResult,
    file: str,
    covered: Covered,
    mutants: Mutants,
    *,
    trace: str = "",
    notes: tuple[str, ...] = (),
) -> ExecutionFeedback:
    """`file` is the module under test, as the reader calls it."""
    return ExecutionFeedback(
        result=result,
        trace_excerpt=_excerpt(trace),
        coverage=CoverageGaps(file, covered.uncovered_lines, covered.missing_branches[:_MISSING_SHOWN]),
        mutants_survived=tuple(
            MutantSurvived(survivor.operator, f"{file}:{survivor.line}", _hint(survivor.description))
            for survivor in mutants.survivors
        ),
        notes="\n".join(notes),
    )


def first_failure(*runs: SuiteRunResult) -> str:
    """What kept a run from starting, or else what the first test said that did not pass; of all the runs."""
    texts = [run.trouble for run in runs]
    texts += [test.text for run in runs for test in run.tests if test.outcome != PASSED]
    return next((text for text in texts if text), "")


def _excerpt(trace: str) -> str:
    """The end of a trace: there is the error, and the lines of the test that led to it."""
    return "\n".join(trace.strip().splitlines()[-_EXCERPT_LINES:])


def _hint(description: str) -> str:
    return f"{description}: no test noticed; add a case or a stronger check"
