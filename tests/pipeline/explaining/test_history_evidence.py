"""What earlier runs and git say about a failure."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.pipeline.explaining.history_evidence import changed_files, past_of
from testwright.pipeline.explaining.journey import explain_run
from testwright.store.project_store import Store, open_store

CASE = TestCase(Framework.PYTEST, "tests/test_shop.py", ("test_pays",))
STACK = "tests/test_shop.py:3: in test_pays\n    pay()\nshop/till.py:2: in pay\nE   ZeroDivisionError: division by zero"


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def committed(project: Path, **files: str) -> str:
    for name, text in files.items():
        (project / name.replace("__", "/")).with_suffix(".py").write_text(text)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "change")
    return git(project, "rev-parse", "HEAD")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for folder in ("shop", "tests"):
        (root / folder).mkdir(parents=True)
    git(root, "init", "-q")
    return root


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store.db")


def run_at(day: int, commit: str, outcome: Outcome) -> RunResult:
    stack = "" if outcome.is_success else STACK
    attempt = Attempt(outcome, message=stack.rpartition("E   ")[2], stack=stack)
    suite = SuiteResult(Framework.PYTEST, ".", (TestResult(CASE, (attempt,)),))
    return RunResult(RunId(f"2026010{day}-000000-abcdef"), datetime(2026, 1, day, tzinfo=UTC), (suite,), commit=commit)


def said_of(project: Path, store: Store, *runs: RunResult) -> list[str]:
    """What the past adds to the verdict of the last run."""
    with store:
        for run in runs:
            store.runs.save_run(run)
        explanation = explain_run(runs[-1], project, background=past_of(runs[-1], project, store))
    return [quote.text for quote in explanation.verdicts[CASE.id].evidence if quote.start < 0]


def test_a_file_of_the_stack_that_changed_since_the_test_passed_is_named(project: Path, store: Store) -> None:
    first = committed(project, tests__test_shop="a = 1\n", shop__till="a = 1\n")
    second = committed(project, shop__till="a = 2\n")

    said = said_of(project, store, run_at(1, first, Outcome.PASSED), run_at(2, second, Outcome.FAILED))

    assert said == [
        f"It last passed in run 20260101-000000-abcdef, at commit {first[:12]}; changed since: shop/till.py."
    ]


def test_a_change_elsewhere_is_not_a_reason(project: Path, store: Store) -> None:
    first = committed(project, tests__test_shop="a = 1\n", shop__till="a = 1\n")
    second = committed(project, shop__other="a = 2\n")

    (said,) = said_of(project, store, run_at(1, first, Outcome.PASSED), run_at(2, second, Outcome.FAILED))

    assert said.endswith("neither the test nor a file that its stack names has changed since.")


def test_a_pass_at_the_same_commit_is_reported(project: Path, store: Store) -> None:
    only = committed(project, shop__till="a = 1\n")

    (said,) = said_of(project, store, run_at(1, only, Outcome.PASSED), run_at(2, only, Outcome.FAILED))

    assert said.endswith("at this very commit.")


def test_without_commits_there_is_still_the_run(project: Path, store: Store) -> None:
    said = said_of(project, store, run_at(1, "", Outcome.PASSED), run_at(2, "", Outcome.FAILED))

    assert said == ["It last passed in run 20260101-000000-abcdef."]


def test_a_test_that_never_passed_has_no_past_to_tell_of(project: Path, store: Store) -> None:
    assert said_of(project, store, run_at(1, "", Outcome.FAILED), run_at(2, "", Outcome.FAILED)) == []


@pytest.mark.parametrize("commit", ["--output=/tmp/x", "main", "", "f" * 40])
def test_git_is_asked_about_commits_that_exist_and_nothing_else(project: Path, commit: str) -> None:
    assert changed_files(project, commit, committed(project, shop__till="a = 1\n")) is None
