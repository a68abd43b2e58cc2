"""What the tests of running share: small pytest projects, and a driver that runs them in real processes."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree as ET

import pytest

from testwright.isolate.child import Cancel
from testwright.isolate.limits import Limits
from testwright.model.case import TestCase
from testwright.model.events import AttemptFinished, Collected, ProblemFound, RunEvent, SuiteEnded
from testwright.model.result import Attempt, Problem, TestResult
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project

# The interpreter of the projects that are run; another one's pytest is tried by naming it.
PYTHON = Path(os.environ.get("TESTWRIGHT_TESTS_PYTHON", sys.executable))
# No configuration but the test's own, and no plugin that this environment happens to have.
CLEAN = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass
class Story:
    """What a run told, test by test. Tests go by their id without the framework's name."""

    events: list[RunEvent] = field(default_factory=list)
    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    cases: dict[str, TestCase] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ends: list[SuiteEnded] = field(default_factory=list)

    def note(self, event: RunEvent) -> None:
        self.events.append(event)
        match event:
            case Collected(cases):
                self.announced.extend(_short(case) for case in cases)
            case AttemptFinished(case, attempt):
                self.cases[_short(case)] = case
                self.attempts.setdefault(_short(case), []).append(attempt)
            case ProblemFound(problem):
                self.problems.append(problem)
            case SuiteEnded():
                self.ends.append(event)
            case _:
                pass

    @property
    def outcomes(self) -> dict[str, str]:
        return {name: str(attempts[-1].outcome) for name, attempts in self.attempts.items()}

    @property
    def counts(self) -> dict[str, int]:
        return dict(Counter(self.outcomes.values()))

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.problems]

    def __getitem__(self, ending: str) -> Attempt:
        """The last attempt at the one test whose name ends so."""
        [found] = [attempts[-1] for name, attempts in self.attempts.items() if name.endswith(ending)]
        return found

    def result(self, ending: str) -> TestResult:
        [name] = [name for name in self.attempts if name.endswith(ending)]
        return TestResult(self.cases[name], tuple(self.attempts[name]))

    @property
    def survivors(self) -> int:
        return sum(end.left_processes for end in self.ends)


def _short(case: TestCase) -> str:
    return case.id.partition(":")[2]


class RunPytest(Protocol):
    def __call__(
        self,
        root: Path,
        request: RunRequest | None = None,
        *,
        retries: int = 0,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        python: Path | None = None,
        quiet_seconds: float = 60.0,
        cancel: Cancel | None = None,
        listen: Callable[[RunEvent], None] | None = None,
    ) -> Story: ...


Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Write:
    """Writes files into a project, text or bytes; its folder."""
    root = tmp_path / "project"
    root.mkdir()

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def run_pytest() -> RunPytest:
    """Runs every pytest suite of a project, with the driver that users get."""

    def run(
        root: Path,
        request: RunRequest | None = None,
        *,
        retries: int = 0,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        python: Path | None = None,
        quiet_seconds: float = 60.0,
        cancel: Cancel | None = None,
        listen: Callable[[RunEvent], None] | None = None,
    ) -> Story:
        found = Project.at(root)
        adapter = PytestAdapter(found, python or PYTHON)
        request = request or RunRequest()
        driver = Driver(
            found,
            {**os.environ, **CLEAN, **(env or {})},
            limits or Limits(),
            cancel=cancel or Cancel(),
            quiet_seconds=quiet_seconds,
        )
        story = Story()
        for suite in adapter.suites(found):
            for event in driver.run(adapter, suite, request, retries=retries, parallel=request.workers or 1):
                story.note(event)
                if listen is not None:
                    listen(event)
        return story

    return run


@pytest.fixture
def bare_pytest() -> Callable[..., dict[str, int]]:
    """What pytest itself counts in a project, from its JUnit report: each test once, by the worst that befell it."""

    def run(root: Path, *options: str) -> dict[str, int]:
        report = root.parent / "bare.xml"
        command = [str(PYTHON), "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *options]
        subprocess.run(command, cwd=root, env={**os.environ, **CLEAN}, capture_output=True, check=False)
        worst: dict[tuple[str | None, str | None], str] = {}
        for test in ET.parse(report).iter("testcase"):
            name = (test.get("classname"), test.get("name"))
            worst[name] = max(worst.get(name, "passed"), _outcome(test), key=_SEVERITY.index)
        return dict(Counter(worst.values()))

    return run


_SEVERITY = ["passed", "skipped", "error", "failed"]


def _outcome(test: ET.Element) -> str:
    kinds = {"failure": "failed", "error": "error", "skipped": "skipped"}
    return next((kinds[child.tag] for child in test if child.tag in kinds), "passed")
