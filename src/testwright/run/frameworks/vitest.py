"""Vitest: unit and component tests of projects built with Vite, and of many others."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.model.errors import RunnerMissing
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.frameworks import javascript as js
from testwright.run.project import Project

_REPORTER = js.INSIDE / "vitest_reporter.mjs"
_OLDEST = (3, 0)
_SLACK_SECONDS = 10.0  # Vitest ends an overlong test itself, unless it never yields
_TEST_SECTION = re.compile(r"\btest\s*:\s*\{|vitest/config|defineWorkspace")


@dataclass(frozen=True)
class VitestAdapter:
    project: Project
    framework = Framework.VITEST

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each configuration or package that uses Vitest; a workspace runs the packages below it as one."""
        return js.suites_with_tests(project, self.framework, _roots(project), js.is_named_like_a_test)

    @cached_property
    def _all_suites(self) -> Sequence[Suite]:
        return self.suites(self.project)

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        script = js.runner_script(suite.root, ("vitest",), "vitest")
        version = js.version_of(script)
        if version < _OLDEST:
            raise RunnerMissing(
                f"{suite.root} has Vitest {version[0]}.{version[1]}, whose reporters cannot tell enough.",
                next_step="Update vitest to 3 or newer.",
            )
        shard = js.shard_of_files(suite, request)
        if shard is not None and shard.index > shard.count:
            return []  # others have it all
        excluded = _excluded(suite, [*js.strangers(self.project, suite, self._all_suites), *request.left_out])
        reporters = ["--reporter=default", f"--reporter={_REPORTER}"]
        options = js.unit_test_options("--includeTaskLocation", request, shard)
        start = [js.node_program(env), str(script), "run", *reporters, *options, *excluded]
        return [
            RunnerLaunch(
                Command([*start, *pattern, *_files(suite, part), *request.extra], suite.root, env),
                {
                    **js.reporter_config(self.project, self.framework, part),
                    "announce_only": pattern == ["-t", js.NOTHING],
                },
                part,
                slack_seconds=_SLACK_SECONDS,
            )
            for part, pattern in js.parts_by_name(request)
        ]


def _roots(project: Project) -> dict[str, Path | None]:
    """The folders Vitest is started in, each with its configuration where it has one."""
    workspaces = js.config_files(project, "vitest.workspace")
    vite = js.config_files(project, "vite.config")
    roots: dict[str, Path | None] = {
        **{folder: None for folder, manifest in js.manifests(project) if js.depends_on(manifest, "vitest")},
        **{folder: path for folder, path in vite.items() if _TEST_SECTION.search(js.head_of(path))},
        **js.config_files(project, "vitest.config"),
        **workspaces,
    }
    above = [
        folder for folder, path in roots.items() if folder in workspaces or (path is not None and _has_projects(path))
    ]
    return js.not_below(roots, above)


def _has_projects(config: Path) -> bool:
    return re.search(r"\b(projects|workspace)\s*:", js.head_of(config)) is not None


def _files(suite: Suite, request: RunRequest) -> list[str]:
    """Vitest runs the files whose path holds one of these."""
    if request.only is not None:
        return sorted({str(suite.root / case.native_id) for case in request.only})
    return [str(path) for path in request.paths]


def _excluded(suite: Suite, left_out: Sequence[Path]) -> list[str]:
    """Globs that Vitest adds to those of the configuration."""
    names = [(path, re.sub(r"[\\*?\[\](){}!]", r"\\\g<0>", os.path.relpath(path, suite.root))) for path in left_out]
    return [f"--exclude={name}{'/**' if path.is_dir() else ''}" for path, name in names]
