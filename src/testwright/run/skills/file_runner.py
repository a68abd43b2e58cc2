"""Run one skill test file in a process of its own, and say what came of it."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testwright.isolate.child import Cancel, Child, ChildReport
from testwright.isolate.limits import Limits
from testwright.model.case import Framework, TestCase
from testwright.model.errors import UsageError
from testwright.model.events import AttemptFinished, ProblemFound, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem, TestResult, complaints_of, failed_in, passed_in
from testwright.run.conversation import Conversation
from testwright.run.framework_adapter import RunnerLaunch
from testwright.run.project import Project
from testwright.run.skills import DEFAULT_TIMEOUT_MS
from testwright.run.skills.runner_launch import LaunchSettings, launch_of, short_name_of

_START_SECONDS = 60.0  # for the runtime to come up, which on a busy machine is not the test's fault
_TIMED_OUT = "Test timeout exceeded"


@dataclass(frozen=True, slots=True)
class FileResult:
    """What came of one test file. A file without a clean pass counts at least one failure."""

    success: bool
    passed: int
    failed: int
    output: str | None  # what it printed; None where it shared its process with other files
    errors: tuple[str, ...]
    duration: int  # milliseconds
    stderr: str | None = None  # None unless asked for
    outcome: Outcome = Outcome.PASSED
    stack: str = ""

    def as_dict(self) -> dict[str, object]:
        fields: dict[str, object] = {"success": self.success, "passed": self.passed, "failed": self.failed}
        if self.output is not None:
            fields["output"] = self.output
        fields |= {"errors": list(self.errors), "duration": self.duration}
        if self.stderr is not None:
            fields["stderr"] = self.stderr
        return fields


def run_test_file(
    file: Path | str,
    *,
    timeout: float = DEFAULT_TIMEOUT_MS,
    verbose: bool = False,
    env: Mapping[str, str] | None = None,
    python: Path | None = None,
    cancel: Cancel | None = None,
) -> FileResult:
    """Run one test file. Never raises for what is in it; `timeout` is in milliseconds, `verbose` keeps stderr too."""
    path = absolute(file)
    seconds = seconds_of(timeout)
    if not path.is_file():
        return missing_file_result(path, verbose=verbose)
    launch = launch_of([path], LaunchSettings(os.environ if env is None else env, python))
    runner = listen_to_end(launch, path.parent, seconds=seconds, cancel=cancel)
    attempt = runner.attempts.get(path) or attempt_without_report(runner)
    result = result_of(path, attempt, runner.problems)
    return replace(
        result,
        output=runner.report.stdout.text,
        stderr=runner.report.stderr.text if verbose else None,
        duration=round(runner.report.duration_ms),
    )


# --- what the warm path shares ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunnerReport:
    """All that one runner process had to say."""

    attempts: Mapping[Path, Attempt]
    problems: tuple[Problem, ...]
    report: ChildReport


def listen_to_end(launch: RunnerLaunch, folder: Path, *, seconds: float, cancel: Cancel | None = None) -> RunnerReport:
    """Start a runner and listen to its end. Each file has `seconds`, counted from its own start."""
    project = Project(folder)
    conversation = Conversation(Framework.SKILL, project)
    attempts: dict[Path, Attempt] = {}
    problems: list[Problem] = []

    def note(event: object) -> None:
        if isinstance(event, AttemptFinished):
            attempts[project.path(event.case.file)] = event.attempt
        elif isinstance(event, ProblemFound):
            problems.append(event.problem)
        elif isinstance(event, TestStarted):
            child.deadline = time.monotonic() + seconds

    with Child(
        launch.command, limits=Limits(seconds=seconds + _START_SECONDS), channel=launch.config, cancel=cancel
    ) as child:
        for record in child.records():
            for event in conversation.receive(record):
                note(event)
        report = child.report
        for event in conversation.conclude(report):
            note(event)
    return RunnerReport(attempts, tuple(problems), report)


def result_of(file: Path, attempt: Attempt, problems: tuple[Problem, ...] = ()) -> FileResult:
    """An attempt in the words of a skill's test result; a problem with its runner means that it is not a success."""
    case = TestCase(Framework.SKILL, str(file), (short_name_of(file),))
    outcome = Outcome.NO_VERDICT if problems and attempt.outcome.is_success else attempt.outcome
    judged = TestResult(case, (replace(attempt, outcome=outcome),))
    complaints = attempt.errors if attempt.outcome.is_success else complaints_of(judged)
    if outcome is Outcome.TIMEOUT:
        complaints = (_TIMED_OUT,)
    return FileResult(
        success=outcome.is_success,
        passed=passed_in(judged),
        failed=failed_in(judged),
        output=None,
        errors=(*complaints, *(problem.message for problem in problems)),
        duration=round(attempt.duration_ms),
        outcome=outcome,
        stack=attempt.stack,
    )


def attempt_without_report(runner: RunnerReport) -> Attempt:
    """The attempt at a file whose runner ended before it was begun. Its problems say why, where that is known."""
    message = "" if runner.problems else "Its runner ended before the file was started."
    return Attempt(Outcome.NO_VERDICT, errors=(message,) if message else (), message=message)


def missing_file_result(file: Path, *, verbose: bool = False) -> FileResult:
    message = f"There is no file {file}."
    return FileResult(False, 0, 1, "", (message,), 0, "" if verbose else None, Outcome.ERROR)


def absolute(file: Path | str) -> Path:
    """`file` from the root, links kept: a test's folder is where its name says it is."""
    return Path(os.path.normpath(Path(file).absolute()))


def seconds_of(timeout: float) -> float:
    if not 0 < timeout < float("inf"):
        raise UsageError(
            f"A time limit of {timeout} ms is not possible.", next_step="Give a positive number of milliseconds."
        )
    return timeout / 1000
