"""What the tests of isolation share: running real children, and looking for what they left."""

import os
import secrets
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from testwright.isolate.available_levels import AvailableLevels, probe_levels
from testwright.isolate.child import ChildReport, run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import Limits

# What a runner's reporter does, in the fewest words: take the greeting, then answer with numbered records.
REPORTER = """
import json, os
_fd = int(os.environ["TESTWRIGHT_CHANNEL"])
greeting = json.loads(os.fdopen(os.dup(_fd), "rb").readline())
_count = 0
def report(**record):
    global _count
    _count += 1
    line = json.dumps({"nonce": greeting["nonce"], "seq": _count, **record}).encode() + b"\\n"
    while line:
        line = line[os.write(_fd, line):]
"""


class RunPython(Protocol):
    def __call__(self, code: str, *arguments: str, limits: Limits | None = None) -> ChildReport: ...


@pytest.fixture(scope="session")
def reporter() -> str:
    return REPORTER


@pytest.fixture
def python_command(tmp_path: Path) -> Callable[..., Command]:
    def command(code: str, *arguments: str) -> Command:
        return Command([sys.executable, "-I", "-S", "-c", code, *arguments], tmp_path, dict(os.environ))

    return command


@pytest.fixture
def run_python(python_command: Callable[..., Command]) -> RunPython:
    """Run Python code in an unguarded child, never for more than half a minute."""

    def run(code: str, *arguments: str, limits: Limits | None = None) -> ChildReport:
        return run_child(python_command(code, *arguments), limits=limits or Limits(seconds=30))

    return run


@pytest.fixture
def marker() -> str:
    """A word that only the processes of one test have among their arguments."""
    return f"marker-{secrets.token_hex(12)}"


@pytest.fixture
def alive(marker: str) -> Callable[[], list[int]]:
    """The living processes with the marker in their arguments."""

    def pids() -> list[int]:
        processes = (path for path in Path("/proc").iterdir() if path.name.isdigit())
        return [int(path.name) for path in processes if _is_alive_with(path, marker)]

    return pids


def _is_alive_with(process: Path, marker: str) -> bool:
    try:
        arguments = (process / "cmdline").read_bytes()  # empty for a zombie
    except OSError:
        return False
    return marker.encode() in arguments


class FamilyPipe:
    """A pipe that every process of a family holds open: when it can be read to its end, they are all gone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "family-pipe"
        os.mkfifo(self.path)
        # Without blocking: the family may fail to start, and a test must fail then, not hang.
        self._end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def first_words(self) -> bytes:
        self._wait("no process wrote into the pipe")
        return os.read(self._end, 100)

    def wait_until_all_are_gone(self) -> None:
        self._wait("somebody still holds the pipe")
        assert os.read(self._end, 100) == b""

    def close(self) -> None:
        os.close(self._end)

    def _wait(self, complaint: str) -> None:
        ready, _, _ = select.select([self._end], [], [], 30)
        assert ready, complaint


@pytest.fixture
def family_pipe(tmp_path: Path) -> Iterator[FamilyPipe]:
    folder = tmp_path / "pipe"
    folder.mkdir()
    pipe = FamilyPipe(folder)
    yield pipe
    pipe.close()


@pytest.fixture(scope="session")
def available() -> AvailableLevels:
    return probe_levels()


@pytest.fixture(
    scope="module", params=[IsolationLevel.R1, IsolationLevel.R2, IsolationLevel.R3], ids=lambda level: str(level.label)
)
def level(request: pytest.FixtureRequest, available: AvailableLevels) -> IsolationLevel:
    """Each guarded level that this machine offers. R1 needs nothing but the kernel, so it must be there."""
    wanted: IsolationLevel = request.param
    if wanted in available.reasons and wanted != IsolationLevel.R1:
        pytest.skip(available.reasons[wanted])
    return wanted
