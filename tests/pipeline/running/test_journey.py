"""The journey of a run: nothing is shown before it is written down, and the exit code says what it was worth."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import DiskFull, ExitCode
from testwright.model.events import AttemptFinished, CaughtUp, Counted, RunEvent
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, CounterValue, Problem, RunId, RunResult, SuiteResult, TestResult
from testwright.pipeline.running.event_book import Finished
from testwright.pipeline.running.journey import Afterwards, Habits, new_run, run_suites
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite


@dataclass
class Notebook:
    """A recorder that can run out of paper."""

    pages: int = 1_000_000
    written: list[RunEvent] = field(default_factory=list)
    is_closed: bool = False

    def append(self, *events: RunEvent) -> None:
        if len(self.written) + len(events) > self.pages:
            raise DiskFull("There is no room.")
        self.written.extend(events)

    def finish(self, *, duration_ms: float, interrupted: bool) -> None:
        self.is_closed = True

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def run_into(tmp_path: Path) -> Callable[[Notebook, Callable[[RunEvent], None]], Finished]:
    """Run a small project, two suites of it, with a notebook for a journal."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / name / f"test_{name}.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    project = Project.at(tmp_path)
    adapter = PytestAdapter(project)

    def run(
        notebook: Notebook,
        listen: Callable[[RunEvent], None],
        *,
        fail_fast: bool = False,
        afterwards: Afterwards | None = None,
    ) -> Finished:
        return run_suites(
            [PlannedSuite(adapter, suite, RunRequest(fail_fast=fail_fast)) for suite in adapter.suites(project)],
            Driver(project, os.environ),
            new_run(["run"]),
            habits=Habits(fail_fast=fail_fast),
            record=lambda _: notebook,
            provenance=lambda: ("", False),
            listen=listen,
            afterwards=afterwards,
        )

    return run


def test_no_result_is_shown_before_it_is_written(run_into: Callable[..., Finished]) -> None:
    notebook = Notebook()
    unwritten: list[RunEvent] = []

    def listen(event: RunEvent) -> None:
        if isinstance(event, AttemptFinished) and event not in notebook.written:
            unwritten.append(event)

    finished = run_into(notebook, listen)

    assert not unwritten
    assert len(finished.run.results) == 4
    assert notebook.is_closed


def test_a_full_disk_stops_no_test_and_is_reported(run_into: Callable[..., Finished]) -> None:
    notebook = Notebook(pages=3)

    finished = run_into(notebook, lambda _: None)

    assert len(finished.run.results) == 4
    assert isinstance(finished.not_recorded, DiskFull)
    assert notebook.is_closed


def test_fail_fast_leaves_out_the_suites_that_follow(run_into: Callable[..., Finished]) -> None:
    finished = run_into(Notebook(), lambda _: None, fail_fast=True)

    assert [suite.root for suite in finished.run.suites] == ["first"]


def test_what_comes_after_the_suites_is_part_of_the_run(run_into: Callable[..., Finished]) -> None:
    notebook, heard = Notebook(), list[RunEvent]()

    def afterwards(run: RunResult) -> Iterator[RunEvent]:
        for result in run.results:
            if result.outcome is Outcome.FAILED and result.case.file.startswith("first/"):
                yield AttemptFinished(result.case, Attempt(Outcome.PASSED_WITH_HEAL, number=2))
        yield Counted(CounterValue("kt_auto_heal_attempts", "first", 1.0))
        yield CaughtUp()

    finished = run_into(notebook, heard.append, afterwards=afterwards)

    first, second = finished.run.suites
    assert [result.outcome for result in first.results] == [Outcome.PASSED, Outcome.PASSED_WITH_HEAL]
    assert [result.outcome for result in second.results] == [Outcome.PASSED, Outcome.FAILED]
    assert finished.run.counters == (CounterValue("kt_auto_heal_attempts", "first", 1.0),)
    assert heard[-3:] == notebook.written[-3:]


@pytest.mark.parametrize(("strict", "code"), [(False, ExitCode.OK), (True, ExitCode.FAILURES)])
def test_a_heal_fails_only_a_run_that_is_strict_about_it(strict: bool, code: ExitCode) -> None:
    case = TestCase(Framework.PLAYWRIGHT, "a.spec.ts", ("a",))
    healed = TestResult(case, (Attempt(Outcome.FAILED), Attempt(Outcome.PASSED_WITH_HEAL, number=2)))
    run = RunResult(RunId("1"), datetime.now(UTC), (SuiteResult(Framework.PLAYWRIGHT, ".", (healed,)),))

    assert Finished(run, heals_fail=strict).exit_code == code


@pytest.mark.parametrize(
    ("outcomes", "problems", "code"),
    [
        pytest.param(["passed", "skipped"], [], ExitCode.OK, id="all is well"),
        pytest.param(["passed", "failed"], [], ExitCode.FAILURES, id="a failure"),
        pytest.param(["no_verdict"], [], ExitCode.FAILURES, id="no verdict is not a pass"),
        pytest.param([], [], ExitCode.USAGE, id="nothing was run"),
        pytest.param([], ["no_tests"], ExitCode.USAGE, id="the runner does not have what was asked for"),
        pytest.param(["passed"], ["runner_missing"], ExitCode.ENVIRONMENT, id="something is missing"),
        pytest.param(["passed"], ["result_tampered"], ExitCode.FAILURES, id="something cannot be trusted"),
        pytest.param(["failed"], ["runner_missing"], ExitCode.FAILURES, id="a failure weighs more than a lack"),
    ],
)
def test_the_exit_code_says_what_the_run_was_worth(outcomes: list[str], problems: list[str], code: ExitCode) -> None:
    results = tuple(
        TestResult(TestCase(Framework.PYTEST, "test_a.py", (f"test_{number}",)), (Attempt(Outcome(outcome)),))
        for number, outcome in enumerate(outcomes)
    )
    found = tuple(Problem(problem, "what is wrong") for problem in problems)
    run = RunResult(RunId("1"), datetime.now(UTC), (SuiteResult(Framework.PYTEST, ".", results, found),))

    assert Finished(run).exit_code == code
