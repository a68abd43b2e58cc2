"""Playwright Test: browser tests in JavaScript and TypeScript."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework, TestCase
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.frameworks import javascript as js
from testwright.run.project import Project, lies_in

_REPORTER = js.INSIDE / "playwright_reporter.cjs"
_CHOOSES_EXACTLY = (1, 62)  # since then a reporter may leave tests out, by Playwright's own ids
_SLACK_SECONDS = 30.0  # Playwright ends an overlong test itself, then tears down its fixtures and browser
_TAGS = r"(?: @\S+)*"  # Playwright puts tags into the name it matches


@dataclass(frozen=True)
class PlaywrightAdapter:
    project: Project
    framework = Framework.PLAYWRIGHT

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each configuration. Its files are those where it keeps its tests, below no nearer configuration."""
        configs = js.config_files(project, "playwright.config")
        places = js.browser_test_folders(project)
        files = js.own_files(project, self.framework, configs, js.is_named_like_a_test)
        return [
            Suite(
                self.framework,
                project.path(folder),
                tuple(file for file in files[folder] if lies_in(file, [places[folder]])),
                configs[folder],
            )
            for folder in sorted(configs)
        ]

    @cached_property
    def _all_suites(self) -> Sequence[Suite]:
        return self.suites(self.project)

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        script = js.runner_script(suite.root, ("@playwright/test", "playwright"), "playwright")
        start = [
            js.node_program(env),
            str(script),
            "test",
            f"--config={suite.config or suite.root}",
            *_options(request),
        ]
        around = {
            **env,
            "PW_TEST_REPORTER": str(_REPORTER),  # beside the reporters of the configuration, not in their place
            "PLAYWRIGHT_HTML_OPEN": "never",  # the HTML report must not wait for a reader
        }
        left_out = js.strangers(self.project, suite, self._all_suites)
        is_exact = js.version_of(script) >= _CHOOSES_EXACTLY
        parts = _parts(request, is_exact=is_exact)
        return [
            RunnerLaunch(
                Command([*start, *options, *_files(part, left_out), *request.extra], suite.root, around),
                {
                    **js.reporter_config(self.project, self.framework, part),
                    "announce_only": "--list" in options,
                    "trace_is_ours": request.trace is not None,
                    "files": [str(file) for file in self._expected(suite, part)],
                },
                part,
                slack_seconds=_SLACK_SECONDS,
            )
            for part, options in parts
        ]

    def _expected(self, suite: Suite, request: RunRequest) -> list[Path]:
        """The files that Playwright will probably load."""
        if request.only is not None:
            return sorted({self.project.path(case.file) for case in request.only})
        return [file for file in suite.files if not request.paths or lies_in(file, request.paths)]


def _parts(request: RunRequest, *, is_exact: bool) -> list[tuple[RunRequest, list[str]]]:
    """The request in as many parts as it takes, each with the options that choose its tests."""
    if is_exact or (request.only is None and not request.select):
        return [(request, [])]
    if request.only is None:
        return [(request, ["--list"])]  # announces what was selected; announced and not run, it is asked for again
    patterns = {case: _pattern(case) for case in request.only}
    return [
        (replace(request, only=tuple(cases)), [f"--grep={pattern}"])
        for cases, pattern in js.bundles(request.only, patterns)
    ]


def _options(request: RunRequest) -> list[str]:
    options = ["--pass-with-no-tests"] if request.select else []  # the tests that are meant may be another suite's
    if request.workers is not None:
        options.append(f"--workers={request.workers}")
    if request.fail_fast:
        options.append("-x")
    if request.test_seconds is not None:
        options.append(f"--timeout={js.milliseconds(request.test_seconds)}")
    if request.shard is not None and request.only is None:  # tests named one by one are not dealt out again
        options.append(f"--shard={request.shard.index}/{request.shard.count}")
    if request.trace is not None:
        options.append(f"--trace={request.trace}")
    if request.aside is not None:
        # Playwright empties its output folder before a run, and its reporters write their reports again.
        options.extend([f"--output={request.aside}", "--reporter=null"])
    return options


def _files(request: RunRequest, left_out: Sequence[Path]) -> list[str]:
    """Patterns for the files to load. One that does not load keeps Playwright from running any test."""
    if request.only is not None:
        return sorted({f"(^|/){js.regex_escaped(case.file)}$" for case in request.only})
    return js.path_patterns(request.paths, [*left_out, *request.left_out])


def _pattern(case: TestCase) -> str:
    """What an older Playwright looks for: project, file and titles, joined by spaces, with tags in between."""
    file = js.regex_escaped(PurePosixPath(case.file).name)
    if not case.title:
        return f"{file} "
    title = f"{_TAGS} +".join(js.regex_escaped(part) for part in case.title)
    project = f"^ *{js.regex_escaped(case.variant)} " if case.variant else ""
    return f"{project}.*{file}{_TAGS} +{title}{_TAGS}$"
