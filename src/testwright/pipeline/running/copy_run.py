"""Run test files as they would be with other content: on a copy of the project, so its own files stay as they are."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testwright.isolate.limits import Limits
from testwright.model.case import Framework
from testwright.model.errors import ExitCode, NoTests
from testwright.model.outcome import Outcome
from testwright.pipeline.healing.on_request.file_proposals import Rerun, Rerunner
from testwright.pipeline.running.event_book import Finished
from testwright.pipeline.running.journey import Habits, new_run, run_suites
from testwright.run.driver import Driver
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest
from testwright.run.overlay import overlay
from testwright.run.project import Project
from testwright.run.suite_plan import parse_target, plan_suites


@dataclass(frozen=True)
class TrialProject:
    """The project that is copied, and how its tests are run."""

    root: Path
    adapters_at: Callable[[Project], Sequence[FrameworkAdapter]]
    exclude: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)


def run_on_copy(
    project: TrialProject,
    files: Mapping[str, bytes],
    *,
    command: str,
    test_seconds: float | None,
    framework: Framework | None = None,
    env: Mapping[str, str] = os.environ,
) -> Finished:
    """Run `files`, given by their names from the project's root, with the user's own rights. Nothing is recorded.

    With `framework`, only by that one: two runners may both take a file for theirs by its name. Raises NoTests.
    """
    with overlay(project.root, project.root, files) as copy:
        copied = Project.at(copy, exclude=project.exclude)
        targets = [parse_target(str(copy / file), copied) for file in files]
        adapters = [each for each in project.adapters_at(copied) if framework in (None, each.framework)]
        return run_suites(
            plan_suites(copied, adapters, RunRequest(test_seconds=test_seconds), targets=targets),
            Driver(copied, env, limits=project.limits),
            new_run((command, *files)),
            habits=Habits(),
            record=None,
            provenance=lambda: ("", False),
            listen=lambda _: None,
        )


def rerunner(project: TrialProject, *, test_seconds: float | None) -> Rerunner:
    """Runs the tests of one file on a copy of the project."""

    def rerun(file: str, content: bytes) -> Rerun:
        try:
            return _judged(run_on_copy(project, {file: content}, command="heal", test_seconds=test_seconds))
        except NoTests:
            return Rerun(False, "the file has no tests of its own")

    return rerun


def _judged(finished: Finished) -> Rerun:
    """Passed means: tests ran, and each of them passed or was skipped."""
    results = finished.run.results
    passed = [result for result in results if result.outcome is Outcome.PASSED]
    failed = [result for result in results if not result.outcome.is_success]
    if finished.exit_code is ExitCode.OK and passed:
        return Rerun(True, f"{len(passed)} of {len(results)} passed")
    if failed:
        return Rerun(False, f"{failed[0].case.name}: {failed[0].outcome}")
    return Rerun(False, "no test passed")
