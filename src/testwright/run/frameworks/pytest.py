"""pytest, and pytest-playwright, which is pytest with a browser."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.run.framework import Launch, Request, Suite
from testwright.run.interpreter import project_python
from testwright.run.project import Project, folder_of, nearest

_RUNNER = Path(__file__).parents[1] / "inside" / "pytest_runner.py"
_TEST_FILE = re.compile(r"(test_.*|.*_test)\.py")
# Where a file of this name makes its folder a suite's root, and what it must say for that.
_CONFIGS = {
    "pytest.ini": "",
    ".pytest.ini": "",
    "pytest.toml": "",
    ".pytest.toml": "",
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}
_MOST_NAMES_AS_ARGUMENTS = 200  # beyond it, files are named and our reporter leaves out the rest


@dataclass(frozen=True)
class PytestAdapter:
    project: Project
    python: Path | None = None
    framework = Framework.PYTEST

    def suites(self, project: Project) -> Sequence[Suite]:
        tests = [name for name in project.names if _TEST_FILE.fullmatch(PurePosixPath(name).name)]
        configured = tuple(_configured_folders(project))
        by_root: dict[str, list[str]] = {}
        for name in tests:
            by_root.setdefault(nearest(name, configured) or "", []).append(name)
        return [
            Suite(self.framework, project.path(root), tuple(project.path(name) for name in by_root[root]))
            for root in sorted(by_root)
        ]

    def launches(self, suite: Suite, request: Request, env: Mapping[str, str]) -> Sequence[Launch]:
        python = project_python(suite.root, env, given=self.python, stop_at=self.project.root)
        config: dict[str, object] = {"select": request.select, "check_environment": request.check_environment}
        if request.only is not None:
            config["only"] = [case.native_id for case in request.only if case.title]
        if request.shard is not None:
            config["shard"] = (request.shard.index, request.shard.count)
        if request.coverage_file is not None:
            config["coverage_file"] = str(request.coverage_file)
        # One file that does not load must not keep the others from running.
        options = ["--continue-on-collection-errors", *self._left_to_others(suite), *(["-x"] if request.fail_fast else []), *request.extra]
        command = Command([str(python), str(_RUNNER), *options, *_arguments(suite, request)], suite.root, env)
        workers = request.workers or 1
        if workers == 1:
            return [Launch(command, config, request)]
        # Each share is run again, if it must be, by a single process.
        alone = replace(request, workers=1)
        return [Launch(command, {**config, "share": (index, workers)}, alone) for index in range(1, workers + 1)]

    def _left_to_others(self, suite: Suite) -> list[str]:
        """Options that keep pytest out of the suites that lie below this one."""
        others = (other.root for other in self.suites(self.project))
        return [f"--ignore={other}" for other in others if suite.root in other.parents]


def _configured_folders(project: Project) -> list[str]:
    found = []
    for name in project.names:
        sign = _CONFIGS.get(PurePosixPath(name).name)
        if sign is not None and (not sign or sign in project.path(name).read_text(encoding="utf-8", errors="replace")):
            found.append(folder_of(name))
    return found


def _arguments(suite: Suite, request: Request) -> list[str]:
    """What pytest is told to collect. Paths are absolute, so that none can be read as an option."""
    if request.only is None:
        return [str(path) for path in request.paths]
    names = [f"{_file(suite, case.native_id)}{_title(case.native_id)}" for case in request.only]
    if len(names) <= _MOST_NAMES_AS_ARGUMENTS:
        return names
    return sorted({_file(suite, case.native_id) for case in request.only})


def _file(suite: Suite, native_id: str) -> str:
    return str(suite.root / native_id.partition("::")[0])


def _title(native_id: str) -> str:
    _, separator, title = native_id.partition("::")
    return separator + title
