"""What every test may ask for: the command line as a user has it. And the order in which all the tests run."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["tests.bare_python", "tests.node", "tests.postgres"]

TESTWRIGHT = Path(sys.executable).with_name("testwright")
HERE = Path(__file__).parent
# Their tests start whole programs. They come first, so that no slow file is left for the end of a run.
SLOW_ROOMS = ("journeys", "pipeline", "faces", "run", "review", "classify", "generate", "repo", "observe")


# pytest keeps the test files as it rewrote them, even where Python is told to write no bytecode: every worker of
# every run would spend ten seconds on them.
_WRITES_NO_BYTECODE, sys.dont_write_bytecode = sys.dont_write_bytecode, False


def pytest_collection_finish() -> None:
    sys.dont_write_bytecode = _WRITES_NO_BYTECODE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    room = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
    return SLOW_ROOMS.index(room) if room in SLOW_ROOMS else len(SLOW_ROOMS)


@pytest.fixture(autouse=True)
def _quick_start_of_pytest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no browser is asked for, the pytest processes of a test do not load its plugin, which takes 0.2 seconds."""
    if "chromium" not in request.fixturenames and request.node.get_closest_marker("needs_chromium") is None:
        monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:playwright")


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


CommandLine = Callable[..., Said]


@pytest.fixture
def testwright(tmp_path: Path) -> CommandLine:
    """Run `testwright ARGUMENTS` as a process of its own, in the test's folder unless told otherwise."""

    def call(*arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None) -> Said:
        done = subprocess.run(
            [str(TESTWRIGHT), *map(str, arguments)],
            cwd=cwd or tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            check=False,
        )
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
