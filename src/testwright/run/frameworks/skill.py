"""Tests of agent skills: `tests/<skill>.tests.mjs` and `tests/<skill>_tests.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from testwright.model.case import Framework, TestCase
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.project import Project, lies_in
from testwright.run.skills import DEFAULT_TIMEOUT_MS
from testwright.run.skills.catalog import discover_skill_tests, skill_homes
from testwright.run.skills.runner_launch import LaunchSettings, by_runtime, launch_of, short_name_of


@dataclass(frozen=True)
class SkillAdapter:
    """One process for each file; with `warm`, one for each runtime (`skills.warm_worker` says what files share)."""

    project: Project
    warm: bool = False
    python: Path | None = None  # None: the project's own interpreter
    framework = Framework.SKILL

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each folder that has skills and, beside them, tests of theirs."""
        found = []
        for home in skill_homes(project):
            inner = project if not home else Project(project.path(home), project.exclude)
            # Skills that share a short name share its test file.
            files = tuple(dict.fromkeys(test.test_file for test in discover_skill_tests(inner)))
            if files:
                found.append(Suite(Framework.SKILL, inner.root, files))
        return found

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        cases = self._wanted(suite, request)
        files = [self.project.path(case.file) for case in cases]
        # Files named one by one are a retry, or what a worker's end cut off: those run alone.
        together = self.warm and request.only is None
        groups = by_runtime(files) if together else [[file] for file in files]
        settings = LaunchSettings(env, self.python, suite.root)
        by_file = dict(zip(files, cases, strict=True))
        return [launch_of(group, settings, _part(request, [by_file[file] for file in group])) for group in groups]

    def _wanted(self, suite: Suite, request: RunRequest) -> list[TestCase]:
        cases = [TestCase(Framework.SKILL, self.project.name_of(file), (short_name_of(file),)) for file in suite.files]
        if request.paths:
            cases = [case for case in cases if lies_in(self.project.path(case.file), request.paths)]
        if request.only is not None:
            asked = {case.id for case in request.only}
            cases = [case for case in cases if case.id in asked]
        if request.select:
            cases = [case for case in cases if _is_selected(case, request.select)]
        if request.shard is not None:
            cases = cases[request.shard.index - 1 :: request.shard.count]
        return cases


def _part(request: RunRequest, cases: Sequence[TestCase]) -> RunRequest:
    """The request as one launch serves it."""
    seconds = request.test_seconds if request.test_seconds is not None else DEFAULT_TIMEOUT_MS / 1000
    return replace(request, paths=(), only=tuple(cases), select=(), shard=None, test_seconds=seconds)


def _is_selected(case: TestCase, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns for text in (case.id, case.name))
