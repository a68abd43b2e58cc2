"""A project for tests that Testwright wrote: they run with the real runners, many times, against any build."""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from xml.etree import ElementTree as ET

_CONFIG = """\
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'specs',
  fullyParallel: true,
  use: { launchOptions: { executablePath: process.env.TESTWRIGHT_CHROMIUM } },
});
"""
_CONFTEST = """\
import os
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": os.environ["TESTWRIGHT_CHROMIUM"]}
"""
_NOT_THEIRS = ("PYTEST_", "COV_", "CI", "FORCE_COLOR")  # what whoever runs our own tests has set
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_CODE_FRAME = re.compile(r"^ *>? *\d+ \|.*", re.MULTILINE | re.DOTALL)  # it quotes the test, whatever happened


@dataclass(frozen=True)
class Ran:
    """One run of one test."""

    green: bool
    said: str  # why it is red


Runs = Mapping[str, Sequence[Ran]]  # by the name a test was added under


class WebProject:
    def __init__(self, root: Path, *, node: str, node_modules: Path, chromium: str) -> None:
        self.root = root
        self._node = node
        self._env = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_THEIRS)}
        self._env |= {"TESTWRIGHT_CHROMIUM": chromium, "NO_COLOR": "1"}
        (root / "specs").mkdir(parents=True)
        (root / "tests").mkdir()
        (root / "node_modules").symlink_to(node_modules)
        (root / "package.json").write_text('{"private": true}\n')
        (root / "playwright.config.ts").write_text(_CONFIG)
        (root / "pytest.ini").write_text("[pytest]\n")
        (root / "tests" / "conftest.py").write_text(_CONFTEST)

    def add_typescript(self, name: str, content: str) -> None:
        (self.root / "specs" / f"{name}.spec.ts").write_text(content)

    def add_python(self, name: str, content: str) -> None:
        (self.root / "tests" / f"test_{name}.py").write_text(content)

    def run_typescript(self, address: str, *, times: int = 1, workers: int = 2) -> Runs:
        """Every test, so many times, against the application at an address."""
        cli = self.root / "node_modules" / "@playwright" / "test" / "cli.js"
        options = (
            f"--repeat-each={times}",
            f"--workers={workers}",
            "--reporter=json",
            f"--output={self._place('results')}",
        )
        done = self._run([self._node, str(cli), "test", *options], address)
        report = json.loads(done)
        assert not report["errors"], report["errors"]
        runs: dict[str, list[Ran]] = defaultdict(list)
        for suite in report["suites"]:
            for result in _results(suite):
                said = [_COLOR.sub("", error.get("message", "")) for error in result["errors"]]
                ran = Ran(result["status"] == "passed", "\n".join(_CODE_FRAME.sub("", one) for one in said))
                runs[suite["file"].removesuffix(".spec.ts")].append(ran)
        return runs

    def run_python(self, address: str) -> Runs:
        """Every test, once, against the application at an address."""
        report = self._place("junit.xml")
        options = ("-q", "-p", "no:cacheprovider", f"--junitxml={report}", f"--output={self._place('results')}")
        said = self._run([sys.executable, "-B", "-m", "pytest", *options, "tests"], address)
        assert report.exists(), said
        runs: dict[str, list[Ran]] = defaultdict(list)
        for case in ET.parse(report).iter("testcase"):
            problems = [one for kind in ("failure", "error") for one in case.iter(kind)]
            said = "\n".join(one.get("message", "") for one in problems)
            runs[case.get("classname", "").rpartition("test_")[2]].append(Ran(not problems, said))
        return runs

    def _place(self, name: str) -> Path:
        """A new place for what a run leaves behind: runs may go on side by side."""
        return Path(mkdtemp(dir=self.root, prefix="left-")) / name

    def _run(self, command: Sequence[str], address: str) -> str:
        env = {**self._env, "BASE_URL": address}
        done = subprocess.run(command, cwd=self.root, env=env, capture_output=True, check=False)
        return done.stdout.decode() or done.stderr.decode()


def _results(suite: Mapping[str, Any]) -> list[Any]:
    own = [result for spec in suite.get("specs", ()) for test in spec["tests"] for result in test["results"]]
    return own + [result for inner in suite.get("suites", ()) for result in _results(inner)]
