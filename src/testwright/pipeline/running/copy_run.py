"""Run test files as they would be with other content: on a copy of the project, so its own files stay as they are."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testwright.isolate.limits import Limits
from testwright.model.case import Framework
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
