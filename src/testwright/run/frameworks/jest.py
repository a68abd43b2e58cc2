"""Jest: unit tests of JavaScript and TypeScript projects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.frameworks import javascript as js
from testwright.run.project import Project

_REPORTER = js.INSIDE / "jest_reporter.cjs"
_SLACK_SECONDS = 10.0  # Jest ends an overlong test itself, unless it never yields
_PATTERNS_RENAMED = (30, 0)  # --testPathPattern became --testPathPatterns


@dataclass(frozen=True)
class JestAdapter:
    project: Project
    framework = Framework.JEST

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each configuration or package that uses Jest; a configuration with projects runs them all as one."""
        return js.suites_with_tests(project, self.framework, _roots(project), _looks_like_a_test)

    @cached_property
    def _all_suites(self) -> Sequence[Suite]:
        return self.suites(self.project)

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        script = js.runner_script(suite.root, ("jest", "jest-cli"), "jest")
        shard = js.shard_of_files(suite, request)
        if shard is not None and shard.index > shard.count:
            return []  # others have it all
        reporters = ["--reporters=default", f"--reporters={_REPORTER}"]
        options = js.unit_test_options("--testLocationInResults", request, shard)
        start = [js.node_program(env), str(script), *reporters, *options]
        left_out = js.strangers(self.project, suite, self._all_suites)
        by_pattern = "--testPathPatterns" if js.version_of(script) >= _PATTERNS_RENAMED else "--testPathPattern"
        return [
            RunnerLaunch(
                Command(
                    [*start, *pattern, *_files(suite, part, by_pattern, left_out), *request.extra], suite.root, env
                ),
                {
                    **js.reporter_config(self.project, self.framework, part),
                    "announce_only": pattern == ["-t", js.NOTHING],
                    "runner": str(script),
                },
                part,
                slack_seconds=_SLACK_SECONDS,
            )
            for part, pattern in js.parts_by_name(request)
        ]


def _roots(project: Project) -> dict[str, Path | None]:
    """The folders Jest is started in, each with its configuration where that is a file of its own."""
    roots: dict[str, Path | None] = {
        folder: None
        for folder, manifest in js.manifests(project)
        if "jest" in manifest or js.depends_on(manifest, "jest")
    }
    roots |= js.config_files(project, "jest.config")
    with_projects = {folder for folder, manifest in js.manifests(project) if _names_projects(manifest.get("jest"))}
    with_projects |= {folder for folder, path in roots.items() if path is not None and "projects" in js.head_of(path)}
    return js.not_below(roots, with_projects)


def _names_projects(config: object) -> bool:
    return isinstance(config, dict) and "projects" in config


def _looks_like_a_test(name: str) -> bool:
    path = PurePosixPath(name)
    return js.is_named_like_a_test(name) or (
        "__tests__" in path.parts[:-1] and path.suffix[1:] in js.SCRIPT_ENDINGS and not path.name.endswith(".d.ts")
    )


def _files(suite: Suite, request: RunRequest, by_pattern: str, left_out: Sequence[Path]) -> list[str]:
    if request.only is not None:
        return ["--runTestsByPath", *sorted({str(suite.root / case.native_id) for case in request.only})]
    return [f"{by_pattern}={pattern}" for pattern in js.path_patterns(request.paths, [*left_out, *request.left_out])]
