"""Run generated test files as they would lie in the project, on a copy of it."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from testwright.generate.web.unit.import_style import NEEDS_FLAG
from testwright.generate.web.web_plan import WrittenTest
from testwright.isolate.limits import Limits
from testwright.model.errors import NoTests, RunnerMissing
from testwright.model.outcome import Outcome
from testwright.pipeline.running.journey import Finished, Habits, new_run, run_suites
from testwright.pipeline.web.proof import Trial, TrialResult
from testwright.run.driver import Driver
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest
from testwright.run.overlay import overlay
from testwright.run.project import Project
from testwright.run.suite_plan import parse_target, plan_suites

_MINUTE = 60.0
_ES_MODULES = "--experimental-vm-modules"  # what Jest needs to load them by itself
_NO_BROWSER = "Executable doesn't exist"  # Playwright's words
_SECONDS_TO_ANSWER = 3.0


@dataclass(frozen=True)
class TrialProject:
    """The project, and how its tests are run."""

    root: Path
    adapters_at: Callable[[Project], Sequence[FrameworkAdapter]]
    exclude: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)


def trial_on(ground: TrialProject, folder: str) -> Trial:
    """Runs files in `folder`. Generated tests are run with the user's own rights: they need the browser and the app."""

    def trial(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        files = {f"{folder}/{test.filename}".removeprefix("./"): test.content.encode() for test in tests}
        with overlay(ground.root, ground.root, files) as copy:
            try:
                finished = _run(ground, copy, list(files), tests[0])
            except NoTests as error:
                raise RunnerMissing(
                    f"The project is not set up for {tests[0].framework}, so that the test could not be run.",
                    next_step="Install it in the project, or ask for another framework.",
                ) from error
        problems = [problem for suite in finished.run.suites for problem in suite.problems]
        if not finished.run.results:
            told = problems[0].message if problems else "No test of it was found."
            raise RunnerMissing(
                f"The generated test could not be run: {told}",
                next_step="Install the project's test runner, or generate with --no-verify.",
            )
        tried = {test.filename: _tried(finished, test.filename) for test in tests}
        if any(_NO_BROWSER in one.message for one in tried.values()):
            raise RunnerMissing(
                "The project's Playwright has no browser to run the test in.",
                next_step="Run `playwright install chromium` in the project, or name one in its configuration.",
            )
        return tried

    return trial


def _run(ground: TrialProject, copy: Path, files: Sequence[str], test: WrittenTest) -> Finished:
    project = Project.at(copy, exclude=ground.exclude)
    targets = [parse_target(str(copy / file), project) for file in files]
    # Two runners may both take a file for theirs by its name; this one is meant.
    adapters = [one for one in ground.adapters_at(project) if one.framework == str(test.framework)]
    planned = plan_suites(project, adapters, RunRequest(test_seconds=_MINUTE), targets=targets)
    env = {**os.environ, **({"NODE_OPTIONS": _ES_MODULES} if NEEDS_FLAG in test.notes else {})}
    env.pop("BASE_URL", None)  # it may lead to another application than the one that was recorded
    return run_suites(
        planned,
        Driver(project, env, limits=ground.limits),
        new_run(("generate", *files)),
        habits=Habits(),
        record=None,
        provenance=lambda: ("", False),
        listen=lambda _: None,
    )


def _tried(finished: Finished, filename: str) -> TrialResult:
    """Every test of the file; a runner may have several browsers, and one that says otherwise counts."""
    results = [
        one for one in finished.run.results if one.case.file.endswith(f"/{filename}") or one.case.file == filename
    ]
    attempts = [one.attempts[0] for one in results if one.attempts]
    if not attempts:
        return TrialResult(Outcome.NO_VERDICT, "it did not run")
    worst = next((one for one in attempts if one.outcome is not Outcome.PASSED), attempts[0])
    return TrialResult(worst.outcome, worst.message)


def answers_at(url: str) -> bool:
    """Whether a server answers there, whatever it says."""
    if urlsplit(url).scheme not in {"http", "https"}:
        return False
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(Request(url, headers={"user-agent": "testwright"}), timeout=_SECONDS_TO_ANSWER):  # noqa: S310  checked above
            return True
    except HTTPError as error:
        error.close()
        return True
    except (URLError, OSError, ValueError):
        return False
