"""The first runner is started before anybody listens, and is never left alone."""

import os
from pathlib import Path

import pytest

from testwright.isolate.limits import Limits
from testwright.model.events import AttemptFinished
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.head_start import HeadStart
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "test_a.py").write_text("def test_one(): pass\ndef test_two(): assert False\n")
    return Project.at(tmp_path)


@pytest.fixture
def planned(project: Project) -> PlannedSuite:
    adapter = PytestAdapter(project)
    (suite,) = adapter.suites(project)
    return PlannedSuite(adapter, suite, RunRequest())


def attempts(driver: Driver, planned: PlannedSuite, *, retries: int = 0) -> list[tuple[str, str]]:
    events = driver.run(planned.adapter, planned.suite, planned.request, retries=retries)
    return [(event.case.name, event.attempt.outcome) for event in events if isinstance(event, AttemptFinished)]


def test_the_driver_takes_over_the_runner_that_was_started(project: Project, planned: PlannedSuite) -> None:
    with HeadStart(planned, os.environ, Limits()) as head_start:
        (launch,) = head_start.launches(planned.suite, planned.request)
        driver = Driver(project, os.environ, head_start=head_start)

        assert attempts(driver, planned) == [("test_one", "passed"), ("test_two", "failed")]

        assert head_start.take(launch) is None


def test_retries_get_runners_of_their_own(project: Project, planned: PlannedSuite) -> None:
    with HeadStart(planned, os.environ, Limits()) as head_start:
        driver = Driver(project, os.environ, head_start=head_start)

        assert attempts(driver, planned, retries=1) == [
            ("test_one", "passed"),
            ("test_two", "failed"),
            ("test_two", "failed"),
        ]


def test_a_runner_that_was_not_taken_over_is_ended(planned: PlannedSuite) -> None:
    with HeadStart(planned, os.environ, Limits()) as head_start:
        assert head_start._child is not None
        supervisor = head_start._child._link.process

    assert supervisor.returncode is not None


def test_a_runner_that_is_missing_is_left_for_the_driver_to_tell_of(project: Project, planned: PlannedSuite) -> None:
    missing = PlannedSuite(PytestAdapter(project, Path("/nowhere/python")), planned.suite, planned.request)

    with HeadStart(missing, os.environ, Limits()) as head_start:
        assert not head_start.launches(missing.suite, missing.request)
