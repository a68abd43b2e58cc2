"""Real runners for the tests of the JavaScript frameworks: their packages, a browser, and a driver to run them with."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock

from testwright.isolate.limits import Limits
from testwright.model.case import TestCase
from testwright.model.events import AttemptFinished, Collected, Event, ProblemFound
from testwright.model.result import Attempt, Problem
from testwright.run.driver import Driver
from testwright.run.framework import Adapter, Request
from testwright.run.project import Project

_PACKAGES = Path(__file__).parents[2] / "js"
_LOCKED = ("package.json", "package-lock.json", ".npmrc")
_NOT_FOR_CHILDREN = ("CI", "FORCE_COLOR", "NODE_OPTIONS")  # they change what runners print and do
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _missing(what: str) -> str:
    if os.environ.get("CI"):
        pytest.fail(f"{what}, and on CI nothing may be left out")
    pytest.skip(what)


@pytest.fixture(scope="session")
def node() -> str:
    return shutil.which("node") or _missing("there is no node on the PATH")


@pytest.fixture(scope="session")
def node_modules(node: str) -> Path:
    """The packages of tests/js, installed once for each lock file and Node version."""
    npm = shutil.which("npm") or _missing("there is no npm on the PATH")
    version = subprocess.run([node, "--version"], capture_output=True, check=True).stdout
    digest = hashlib.sha256(version + b"".join((_PACKAGES / name).read_bytes() for name in _LOCKED)).hexdigest()[:16]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "testwright-tests"
    caches.mkdir(parents=True, exist_ok=True)
    folder = caches / f"js-{digest}"
    with FileLock(caches / f"js-{digest}.lock"):
        if not (folder / ".ok").exists():
            _install(npm, folder)
    return folder / "node_modules"


def _install(npm: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in _LOCKED:
        shutil.copy(_PACKAGES / name, folder / name)
    command = [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
    env = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        _missing(f"npm could not install the packages of tests/js: {done.stderr[-500:]}")
    (folder / ".ok").touch()


@pytest.fixture(scope="session")
def chromium() -> str:
    given = os.environ.get("TESTWRIGHT_CHROMIUM")
    found = given or next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    return found or _missing("there is no Chromium: set TESTWRIGHT_CHROMIUM or put one on the PATH")


@dataclass
class Seen:
    """What came of a run, test by test."""

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    cases: dict[str, TestCase] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def note(self, event: Event) -> None:
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
        make_adapter: Callable[[Project], Adapter],
        root: Path,
        request: Request | None = None,
        *,
        env: Mapping[str, str] | None = None,
        retries: int = 0,
    ) -> Seen:
        project = Project.at(root)
        adapter = make_adapter(project)
        around = {
            name: value for name, value in os.environ.items() if name not in ("CI", "FORCE_COLOR", "NODE_OPTIONS")
        }
        driver = Driver(project, {**around, **(env or {})}, Limits())
        seen = Seen()
        for suite in adapter.suites(project):
            for event in driver.run(adapter, suite, request or Request(), retries=retries):
                seen.note(event)
        return seen

    return run
