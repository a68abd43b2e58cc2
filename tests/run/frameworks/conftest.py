"""Projects for the tests of the JavaScript frameworks, and a driver to run them with."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from testwright.isolate.limits import Limits
from testwright.model.case import TestCase
from testwright.model.events import AttemptFinished, Collected, ProblemFound, RunEvent
from testwright.model.result import Attempt, Problem
from testwright.run.driver import Driver
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest
from testwright.run.project import Project

_NOT_FOR_CHILDREN = ("CI", "FORCE_COLOR", "NODE_OPTIONS")  # they change what runners print and do


@dataclass
class Seen:
    """What came of a run, test by test."""

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    cases: dict[str, TestCase] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    events: list[RunEvent] = field(default_factory=list)

    def note(self, event: RunEvent) -> None:
        self.events.append(event)
        match event:
            case Collected(cases):
                self.announced.extend(str(case.id) for case in cases)
            case AttemptFinished(case, attempt):
                self.cases[str(case.id)] = case
                self.attempts.setdefault(str(case.id), []).append(attempt)
            case ProblemFound(problem):
                self.problems.append(problem)
            case _:
                pass

    @property
    def outcomes(self) -> dict[str, str]:
        """The last outcome of each test, by its id without the framework."""
        return {id_.partition(":")[2]: str(attempts[-1].outcome) for id_, attempts in self.attempts.items()}

    def last(self, ending: str) -> Attempt:
        """The last attempt at the one test whose id ends with `ending`."""
        [found] = [attempts[-1] for id_, attempts in self.attempts.items() if id_.endswith(ending)]
        return found

    def case(self, ending: str) -> TestCase:
        [found] = [case for id_, case in self.cases.items() if id_.endswith(ending)]
        return found


Run = Callable[..., Seen]
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def js_project(tmp_path: Path, node_modules: Path) -> Write:
    """Writes files into a project that has the packages of tests/js."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "node_modules").symlink_to(node_modules)

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return root

    return write


@pytest.fixture
def run_with() -> Run:
    """Runs every suite an adapter finds in a project, with the driver that users get."""

    def run(
        make_adapter: Callable[[Project], FrameworkAdapter],
        root: Path,
        request: RunRequest | None = None,
        *,
        env: Mapping[str, str] | None = None,
        retries: int = 0,
    ) -> Seen:
        project = Project.at(root)
        adapter = make_adapter(project)
        around = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_CHILDREN}
        driver = Driver(project, {**around, **(env or {})}, Limits())
        seen = Seen()
        for suite in adapter.suites(project):
            for event in driver.run(adapter, suite, request or RunRequest(), retries=retries):
                seen.note(event)
        return seen

    return run
