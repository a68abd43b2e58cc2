"""Run the tests of one file as if it had other content: on a copy of the project, so that the file stays as it is."""

import os
from pathlib import Path

from testwright.isolate.limits import Limits
from testwright.model.errors import ExitCode, NoTests
from testwright.model.outcome import Outcome
from testwright.pipeline.healing.on_request.file_proposals import Rerun, Rerunner
from testwright.pipeline.running.journey import Finished, Habits, new_run, run_suites
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.overlay import overlay
from testwright.run.project import Project
from testwright.run.project_interpreter import project_python
from testwright.run.suite_plan import parse_target, plan_suites
from testwright.settings import Settings
from testwright.wiring import adapters


def rerunner(root: Path, settings: Settings) -> Rerunner:
    """How `--auto-apply` finds out whether a change is right."""

    def rerun(file: str, content: bytes) -> Rerun:
        with overlay(root, root, {file: content}) as copy:
            try:
                return _verdict(_run(copy, file, root, settings))
            except NoTests:
                return Rerun(False, "the file has no tests of its own")

    return rerun


def _run(copy: Path, file: str, root: Path, settings: Settings) -> Finished:
    project = Project.at(copy, exclude=settings.exclude)
    # The interpreter is the project's own: the copy has none.
    python = project_python(root, os.environ, given=_given_python(root, settings), stop_at=root)
    request = RunRequest(test_seconds=settings.timeout)
    planned = plan_suites(
        project, adapters(project, python=python), request, targets=[parse_target(str(copy / file), project)]
    )
    limits = Limits(memory_bytes=settings.memory or None, output_bytes=settings.output)
    return run_suites(
        planned,
        Driver(project, os.environ, limits=limits),
        new_run(("heal", file)),
        habits=Habits(),
        record=None,
        provenance=lambda: ("", False),
        listen=lambda _: None,
    )


def _given_python(root: Path, settings: Settings) -> Path | None:
    if not settings.python:
        return None
    return root / settings.python if "/" in settings.python else Path(settings.python)


def _verdict(finished: Finished) -> Rerun:
    """Passed means: tests ran, and none of them did anything but pass or rest."""
    results = finished.run.results
    passed = [result for result in results if result.outcome is Outcome.PASSED]
    failed = [result for result in results if not result.outcome.is_success]
    if finished.exit_code is ExitCode.OK and passed:
        return Rerun(True, f"{len(passed)} of {len(results)} passed")
    if failed:
        return Rerun(False, f"{failed[0].case.name}: {failed[0].outcome}")
    return Rerun(False, "no test passed")
