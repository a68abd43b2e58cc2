"""What every test may ask for: the command line as a user has it, and what the machine offers."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["tests.node", "tests.postgres"]

TESTWRIGHT = Path(sys.executable).with_name("testwright")


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
