"""pytest, and pytest-playwright, which is pytest with a browser."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.run.framework_adapter import PageWatch, RunnerLaunch, RunRequest, Shard, Suite
from testwright.run.project import Project, folder_of, nearest
from testwright.run.project_interpreter import project_python

_RUNNER = Path(__file__).parents[1] / "inside" / "pytest_runner.py"
# Reads a page in the project's interpreter. Found by path: what runs there knows no packages of ours.
_PAGE_WALK = Path(__file__).parents[2] / "observe" / "inside" / "page_walk.py"
_TEST_FILE = re.compile(r"(test_.*|.*_test)\.py", re.DOTALL)
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
# With one of these in its configuration, a project's tests may lie in files of any name.
_OTHER_FILES = re.compile(r"python_files|--doctest-(modules|glob)")
_MOST_FILES_AS_ARGUMENTS = 1000  # beyond it the whole suite is collected, and our reporter leaves out the rest


@dataclass(frozen=True)
class PytestAdapter:
    project: Project
    python: Path | None = None
    framework = Framework.PYTEST

    def suites(self, project: Project) -> Sequence[Suite]:
        configs = _configurations(project)
        tests = [name for name in project.names if _TEST_FILE.fullmatch(PurePosixPath(name).name)]
        by_root: dict[str, list[str]] = {folder: [] for folder, text in configs.items() if _OTHER_FILES.search(text)}
        for name in tests:
            by_root.setdefault(nearest(name, tuple(configs)) or "", []).append(name)
        return [
            Suite(self.framework, project.path(root), tuple(project.path(name) for name in by_root[root]))
            for root in sorted(by_root)
        ]

    @cached_property
    def _roots(self) -> tuple[Path, ...]:
        return tuple(suite.root for suite in self.suites(self.project))

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        python = project_python(suite.root, env, given=self.python, stop_at=self.project.root)
        requests = _shared_out(request)
        return [self._launch(suite, part, python, env) for part in requests]

    def _launch(self, suite: Suite, request: RunRequest, python: Path, env: Mapping[str, str]) -> RunnerLaunch:
        arguments, config = self._chosen(request)
        options = [
            "--continue-on-collection-errors",  # one file that does not load must not keep the others from running
            *(f"--ignore={other}" for other in self._roots if suite.root in other.parents),  # suites of their own
            *(["-x"] if request.fail_fast else []),
        ]
        config |= {"select": request.select, "check_environment": request.check_environment}
        for name, part in (("shard", request.shard), ("share", request.share)):
            if part is not None:
                config[name] = (part.index, part.count)
        if request.left_out:
            config["left_out"] = [str(file) for file in request.left_out]
        if request.coverage_file is not None:
            config["coverage_file"] = str(request.coverage_file)
        if request.pages is not None:
            config["pages"] = page_config(self.project, request.pages)
        # The user's options come last: one that may take a value, such as --cov, must not swallow a path of ours.
        argv = [str(python), str(_RUNNER), *options, *arguments, *request.extra]
        return RunnerLaunch(Command(argv, suite.root, env), config, request)

    def _chosen(self, request: RunRequest) -> tuple[list[str], dict[str, object]]:
        """What pytest is to collect, and what our reporter is to keep of that.

        Paths are absolute, so that none can be read as an option. Tests to run again are named to our reporter
        alone: pytest would run nothing at all if one of them were gone.
        """
        if request.only is not None:
            asked = [
                (str(self.project.path(case.file)), "::".join(case.title), case.occurrence) for case in request.only
            ]
            files = [file for file in dict.fromkeys(file for file, _, _ in asked) if Path(file) not in request.left_out]
            if len(files) > _MOST_FILES_AS_ARGUMENTS:
                files = []
            return _as_arguments(files) or [], {"only": asked}
        places = [str(path) for path in request.paths]
        names = [f"{path}::{name}" for path, name in request.named if path not in request.left_out]
        arguments = _as_arguments([*places, *(str(path) for path, _ in request.named)])
        if arguments is not None:
            return [*arguments[: len(places)], *names], {}
        only = [*((place, "", 1) for place in places), *((str(path), name, 1) for path, name in request.named)]
        return [], {"only": only}


def page_config(project: Project, pages: PageWatch) -> dict[str, object]:
    """What our reporter has to know to watch pages."""
    return {
        "folder": str(pages.folder),
        "project": str(project.root),
        "walk": str(_PAGE_WALK),
        "record": pages.record,
        "known": pages.known,
        "share": pages.share,
    }


def _shared_out(request: RunRequest) -> list[RunRequest]:
    """One request for each worker. What a worker leaves undone is done by a single process."""
    workers = request.workers or 1
    if workers == 1:
        return [request]
    alone = replace(request, workers=1)
    return [replace(alone, share=Shard(index, workers)) for index in range(1, workers + 1)]


def _as_arguments(paths: Iterable[str]) -> list[str] | None:
    """Paths as pytest reads them; None where it would take part of one for the name of a test or its parameters."""
    arguments = list(paths)
    return None if any("[" in path or "::" in path for path in arguments) else arguments


def _configurations(project: Project) -> dict[str, str]:
    """The folders that hold a pytest configuration, and what it says."""
    found: dict[str, str] = {}
    for name in project.names:
        sign = _CONFIGS.get(PurePosixPath(name).name)
        if sign is None or not project.path(name).is_file():  # reading a named pipe would never end
            continue
        try:
            text = project.path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if sign in text:
            found[folder_of(name)] = found.get(folder_of(name), "") + text
    return found
