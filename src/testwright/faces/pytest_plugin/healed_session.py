"""A pytest session that is listened to, and what comes after it: its results are kept and lost elements looked for."""

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from testwright.isolate.channel_listener import Record
from testwright.model.case import Framework
from testwright.model.errors import TestwrightError
from testwright.model.events import CaughtUp, RunEvent, SuiteEnded, SuiteStarted
from testwright.pipeline.healing.recording_schedule import watched
from testwright.pipeline.running.after_run import AfterRun
from testwright.pipeline.running.code_version import commit_of
from testwright.pipeline.running.event_book import Finished
from testwright.pipeline.running.journey import Habits, new_run, run_suites
from testwright.run.conversation import Conversation
from testwright.run.driver import Driver
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest, Suite
from testwright.run.frameworks.pytest import PytestAdapter, page_config
from testwright.run.inside.pytest_listener import Listener
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite
from testwright.settings import Settings, is_healing_switched_off, load_settings
from testwright.wiring import keeping

# They choose tests, stop early, share tests out, wait for a person, or write a report: all of that is over.
_WITH_VALUE = frozenset(
    {
        "-k", "-m", "-n", "--numprocesses", "--dist", "--tx", "--maxfail", "--junitxml", "--junit-xml", "--html",
        "--report-log", "--json-report-file", "--alluredir", "--deselect", "--ignore", "--ignore-glob",
        "--cov-report", "--cov-config", "--output", "--lfnf", "--last-failed-no-failures", "--durations",
    }
)  # fmt: skip
_WITHOUT_VALUE = frozenset(
    {
        "--testwright", "--no-auto-heal", "-x", "--exitfirst", "--lf", "--last-failed", "--ff", "--failed-first",
        "--nf", "--new-first", "--sw", "--stepwise", "--sw-skip", "--pdb", "--trace", "--json-report", "--cov",
        "--self-contained-html", "--collect-only", "--co", "--setup-plan", "--setup-only",
    }
)  # fmt: skip


def rerun_arguments(arguments: Sequence[str], places: Sequence[str]) -> tuple[str, ...]:
    """`arguments` of the command line without what chose or reported tests. `places` are its files and folders."""
    kept: list[str] = []
    chosen = set(places)
    is_value = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if is_value:
            is_value = False
        elif name in _WITH_VALUE:
            is_value = not equals
        elif name not in _WITHOUT_VALUE and argument not in chosen:
            kept.append(argument)
    return tuple(kept)


class InProcessChannel:
    """Takes the place of the channel: what is listened to is in this process."""

    def __init__(self, config: Mapping[str, object]) -> None:
        self.config = dict(config)
        self.records: list[Record] = []

    def send(self, kind: str, **fields: Any) -> None:
        self.records.append({"kind": kind, **fields})

    hold = send


@dataclass
class ReplayDriver(Driver):
    """A driver for a suite that has run already: it tells what was noted then."""

    records: Sequence[Record] = ()
    seconds: float = 0.0

    # Retries and processes side by side are the live driver's; what has run already has none.
    def run(self, _adapter: FrameworkAdapter, suite: Suite, _request: RunRequest, **_: object) -> Iterator[RunEvent]:  # type: ignore[override]  # it gives what has happened, and takes no orders
        root = self.project.name_of(suite.root)
        yield SuiteStarted(suite.framework, root, "R0")
        conversation = Conversation(suite.framework, self.project)
        for record in self.records:
            yield from conversation.receive(record)
        yield CaughtUp()
        yield SuiteEnded(suite.framework, root, self.seconds * 1000)


class SessionPlan(NamedTuple):
    project: Project
    settings: Settings
    item: PlannedSuite
    heals: bool

    @classmethod
    def of(cls, config: pytest.Config) -> "SessionPlan":
        settings = load_settings(config.rootpath)
        project = Project.at(config.rootpath, exclude=settings.exclude)
        adapter = PytestAdapter(project, Path(sys.executable))
        heals = settings.heal and not (config.getoption("no_auto_heal") or is_healing_switched_off(os.environ))
        request = RunRequest(
            extra=rerun_arguments(config.invocation_params.args, config.getoption("file_or_dir")),
            select=_selected(config),
        )
        item = PlannedSuite(adapter, _suite(project, adapter), request)
        return cls(project, settings, watched([item], project.root)[0] if heals else item, heals)


def _selected(config: pytest.Config) -> tuple[str, ...]:
    """Whether only some tests of their files run, as far as we have to know: which ones, pytest decides by itself."""
    by_name = any("::" in place for place in config.getoption("file_or_dir"))
    is_part = by_name or config.getoption("keyword") or config.getoption("markexpr")
    return ("*",) if is_part else ()


def _suite(project: Project, adapter: PytestAdapter) -> Suite:
    """All that pytest may run here: its own root decides, configurations below it do not count."""
    files = tuple(file for suite in adapter.suites(project) for file in suite.files)
    return Suite(Framework.PYTEST, project.root, files)


class HealedSession:
    """A pytest plugin."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan, self._started = plan, time.monotonic()
        pages = plan.item.request.pages
        self._notes = InProcessChannel({"pages": page_config(plan.project, pages)} if pages is not None else {})
        self._finished: Finished | None = None
        self._lines: list[str] = []

    @classmethod
    def of(cls, config: pytest.Config) -> "HealedSession":
        try:
            plan = SessionPlan.of(config)
        except TestwrightError as error:
            raise pytest.UsageError(f"{error.message} {error.next_step}".strip()) from error
        made = cls(plan)
        config.pluginmanager.register(Listener(made._notes), "testwright-listener")  # type: ignore[arg-type]  # it sends as one does
        return made

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        # Before the terminal's own summary, which shows what we say.
        if not self._notes.records or session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        self._finished = self._carried_out()
        failed = session.exitstatus == pytest.ExitCode.TESTS_FAILED
        if failed and self._finished.exit_code == 0:
            session.exitstatus = pytest.ExitCode.OK

    def _carried_out(self) -> Finished:
        plan = self._plan
        kept = keeping(plan.project.root, plan.settings)
        driver = Driver(plan.project, os.environ)

        def driver_at(root: Path) -> Driver:
            return replace(driver, project=Project.at(root, exclude=plan.project.exclude))

        healing = AfterRun(plan.project.root, [plan.item], driver_at, kept.open, driver.cancel) if plan.heals else None
        replay = ReplayDriver(
            plan.project, os.environ, records=self._notes.records, seconds=time.monotonic() - self._started
        )
        finished = run_suites(
            [plan.item],
            replay,
            new_run(["pytest", *sys.argv[1:]]),
            habits=Habits(),
            record=kept.begin,
            provenance=lambda: commit_of(plan.project.root),
            listen=lambda _: None,
            afterwards=healing,
        )
        not_kept = kept.finish(finished.run) or finished.not_recorded
        self._lines = healing.lines() if healing is not None else []
        if not_kept is not None:
            self._lines.append(f"The results were not kept: {not_kept.message}")
        return finished._replace(heals_fail=plan.settings.heal_policy == "fail")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._finished is None:
            return
        terminalreporter.section("testwright")
        for line in self._lines:
            terminalreporter.line(line)
        terminalreporter.line(f"testwright report run {self._finished.run.id}")
