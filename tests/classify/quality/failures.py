"""Results and verdicts to count: `failed("login", Label.URL_MISMATCH)`."""

from testwright.classify.quality.run_analysis import Improvement, JudgedResult, analyze_run
from testwright.model.case import Framework, TestCase
from testwright.model.failure_labels import FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, TestResult
from testwright.model.verdict import Verdict


def ended(
    name: str, *outcomes: Outcome, message: str = "", file: str = "tests/test_a.py", framework: str = "pytest"
) -> TestResult:
    attempts = tuple(Attempt(outcome, number, message=message) for number, outcome in enumerate(outcomes, 1))
    return TestResult(TestCase(Framework(framework), file, (name,)), attempts)


def failed(
    name: str,
    label: FailureLabel | None,
    *,
    message: str = "",
    file: str = "tests/test_a.py",
    framework: str = "pytest",
) -> JudgedResult:
    result = ended(name, Outcome.FAILED, message=message, file=file, framework=framework)
    return result, Verdict(label, 0.9) if label else None


def improvements(*judged: JudgedResult) -> tuple[Improvement, ...]:
    return analyze_run(judged).improvements
