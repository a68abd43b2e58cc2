"""Jest: unit tests of JavaScript and TypeScript projects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Shard, Suite
from testwright.run.frameworks.javascript import (
    INSIDE,
    NOTHING,
    SCRIPT_ENDINGS,
    config_files,
    depends_on,
    head_of,
    is_named_like_a_test,
    manifests,
    milliseconds,
    node_program,
    not_below,
    parts_by_name,
    path_patterns,
    reporter_config,
    runner_script,
    shard_of_files,
    strangers,
    suites_with_tests,
    version_of,
)
from testwright.run.project import Project

_REPORTER = INSIDE / "jest_reporter.cjs"
_SLACK_SECONDS = 10.0  # Jest ends an overlong test itself, unless it never yields
_PATTERNS_RENAMED = (30, 0)  # --testPathPattern became --testPathPatterns


@dataclass(frozen=True)
class JestAdapter:
    project: Project
    framework = Framework.JEST

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each configuration or package that uses Jest; a configuration with projects runs them all as one."""
        return suites_with_tests(project, self.framework, _roots(project), _looks_like_a_test)

    @cached_property
    def _all_suites(self) -> Sequence[Suite]:
        return self.suites(self.project)

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        script = runner_script(suite.root, ("jest", "jest-cli"), "jest")
        shard = shard_of_files(suite, request)
        if shard is not None and shard.index > shard.count:
            return []  # others have it all
        reporters = ["--reporters=default", f"--reporters={_REPORTER}"]
        start = [node_program(env), str(script), *reporters, *_options(request, shard)]
        left_out = strangers(self.project, suite, self._all_suites)
        by_pattern = "--testPathPatterns" if version_of(script) >= _PATTERNS_RENAMED else "--testPathPattern"
        return [
            RunnerLaunch(
                Command(
                    [*start, *pattern, *_files(suite, part, by_pattern, left_out), *request.extra], suite.root, env
                ),
                {
                    **reporter_config(self.project, self.framework, part),
                    "announce_only": pattern == ["-t", NOTHING],
                    "runner": str(script),
                },
                part,
                slack_seconds=_SLACK_SECONDS,
            )
            for part, pattern in parts_by_name(request)
        ]


def _roots(project: Project) -> dict[str, Path | None]:
    """The folders Jest is started in, each with its configuration where that is a file of its own."""
    roots: dict[str, Path | None] = {
        folder: None for folder, manifest in manifests(project) if "jest" in manifest or depends_on(manifest, "jest")
    }
    roots |= config_files(project, "jest.config")
    with_projects = {folder for folder, manifest in manifests(project) if _names_projects(manifest.get("jest"))}
    with_projects |= {folder for folder, path in roots.items() if path is not None and "projects" in head_of(path)}
    return not_below(roots, with_projects)


def _names_projects(config: object) -> bool:
    return isinstance(config, dict) and "projects" in config


def _looks_like_a_test(name: str) -> bool:
    path = PurePosixPath(name)
    return is_named_like_a_test(name) or (
        "__tests__" in path.parts[:-1] and path.suffix[1:] in SCRIPT_ENDINGS and not path.name.endswith(".d.ts")
    )


def _options(request: RunRequest, shard: Shard | None) -> list[str]:
    options = ["--testLocationInResults"]
    if request.workers is not None:
        options.append(f"--maxWorkers={request.workers}")
    if request.fail_fast:
        options.append("--bail=1")
    if request.test_seconds is not None:
        options.append(f"--testTimeout={milliseconds(request.test_seconds)}")
    if shard is not None:
        options.append(f"--shard={shard.index}/{shard.count}")
    return options


def _files(suite: Suite, request: RunRequest, by_pattern: str, left_out: Sequence[Path]) -> list[str]:
    if request.only is not None:
        return ["--runTestsByPath", *sorted({str(suite.root / case.native_id) for case in request.only})]
    return [f"{by_pattern}={pattern}" for pattern in path_patterns(request.paths, [*left_out, *request.left_out])]
