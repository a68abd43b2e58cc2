"""What a refinement needs to know is taken from the runs, and no more than it can read."""

from testwright.generate.measured_results import Covered, Mutants, Survivor
from testwright.generate.quality_gates.gate_feedback import feedback_of, first_failure
from testwright.generate.quality_gates.single_run import SuiteRunResult, TestSeen
from testwright.model.execution_feedback import FeedbackResult


def test_of_a_long_trace_the_end_is_kept() -> None:
    trace = "\n".join(f"line {number}" for number in range(200))

    feedback = feedback_of(FeedbackResult.FAIL, "mod.py", Covered(), Mutants(), trace=trace)

    assert feedback.trace_excerpt.startswith("line 170")
    assert feedback.trace_excerpt.endswith("line 199")


def test_survivors_say_where_and_what_changed() -> None:
    mutants = Mutants(1, 2, (Survivor("CRP", 7, "`1` became `2`"),))

    [survivor] = feedback_of(FeedbackResult.PASS, "pkg/mod.py", Covered(), mutants).mutants_survived

    assert survivor.location == "pkg/mod.py:7"
    assert survivor.hint.startswith("`1` became `2`")


def test_what_kept_a_run_from_starting_comes_before_what_a_test_said() -> None:
    failed = SuiteRunResult(
        tests=(TestSeen("test_a", None, "passed"), TestSeen("test_b", None, "failed", "assert 1 == 2"))
    )
    broken = SuiteRunResult(trouble="ModuleNotFoundError: No module named 'x'")

    assert first_failure(failed) == "assert 1 == 2"
    assert first_failure(failed, broken) == "ModuleNotFoundError: No module named 'x'"
    assert first_failure(SuiteRunResult()) == ""
