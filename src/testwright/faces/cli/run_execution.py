"""Carry out what `testwright run` has planned: run, keep, tell."""

import argparse
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.run_plan import RunPlan
from testwright.faces.cli.watching import watcher
from testwright.isolate.child import Cancel
from testwright.isolate.guard import Rung
from testwright.model.case import Framework
from testwright.model.events import Event
from testwright.model.result import RunResult, SuiteResult
from testwright.model.untrusted import visible_line
from testwright.pipeline.provenance import commit_of
from testwright.pipeline.running import Finished, Habits, new_run, run_suites
from testwright.run.driver import Driver, Surroundings
from testwright.run.framework import Suite
from testwright.run.head_start import HeadStart
from testwright.run.project import Project
from testwright.wiring import guarded_surroundings, heal_pass, keeping

if TYPE_CHECKING:
    from testwright.pipeline.healing.report import HealReport


def carry_out(options: argparse.Namespace, plan: RunPlan, head_start: HeadStart | None) -> int:
    cancel = Cancel()
    _stop_on_signals(cancel)
    driver = Driver(
        plan.project,
        os.environ,
        limits=plan.limits,
        cancel=cancel,
        surroundings=_surroundings(options, plan),
        head_start=head_start,
    )
    kept = None if options.no_store else keeping(plan.project.root, plan.settings)
    healing = Healing(options, plan, driver) if plan.heals else None
    with watcher(quiet=options.json, verbose=options.verbose) as watch:
        finished = run_suites(
            plan.suites,
            driver,
            new_run(sys.argv[1:]),
            habits=_habits(options, plan),
            record=kept.begin if kept is not None else None,
            provenance=lambda: commit_of(plan.project.root),
            listen=watch,
            afterwards=healing,
        )
    finished = finished._replace(heals_fail=(options.heal_policy or plan.settings.heal_policy) == "fail")
    not_stored = kept.finish(finished.run) if kept is not None else None
    _present(options, finished, not_stored or finished.not_recorded, healing.report if healing is not None else None)
    _count(finished)
    return finished.exit_code


class Healing:
    """What comes after the suites. Next to nothing is loaded where no browser test failed and none was watched."""

    def __init__(self, options: argparse.Namespace, plan: RunPlan, driver: Driver) -> None:
        self._options, self._plan, self._driver = options, plan, driver
        self.report: HealReport | None = None

    def __call__(self, run: RunResult) -> Iterator[Event]:
        if any(_may_be_healed(suite) for suite in run.suites):
            healer = heal_pass(self._plan.project.root, self._plan.settings, self._plan.suites, self._driver_at)
            self.report = healer.report
            yield from healer.events(run)

    def _driver_at(self, root: Path) -> Driver:
        """The same driver, for a copy of the project."""
        project = Project.at(root, exclude=self._plan.project.exclude)
        surroundings = _surroundings(self._options, self._plan._replace(project=project))
        return replace(self._driver, project=project, surroundings=surroundings, head_start=None)


def _may_be_healed(suite: SuiteResult) -> bool:
    return suite.framework in (Framework.PLAYWRIGHT, Framework.PYTEST) and any(
        not result.outcome.is_success and _LOOKED_FOR.search(result.last.message) for result in suite.results
    )


# What every failure says that healing is for; whether it really is one is for others to find out.
_LOOKED_FOR = re.compile(r"locator|selector|get_?by", re.IGNORECASE)


def _count(finished: Finished) -> None:
    """Counters for whoever collects metrics."""
    if finished.run.counters and any(name.startswith("OTEL_") for name in os.environ):
        from testwright.pipeline.healing.telemetry import is_wanted, send

        trouble = send(finished.run.counters, os.environ) if is_wanted(os.environ) else ""
        if trouble:
            sys.stderr.write(f"testwright: {visible_line(trouble)}\n")


def _habits(options: argparse.Namespace, plan: RunPlan) -> Habits:
    return Habits(
        retries=plan.settings.retries if options.retries is None else options.retries,
        parallel=options.parallel or plan.settings.parallel or 1,
        fail_fast=options.fail_fast,
    )


def _surroundings(
    options: argparse.Namespace, plan: RunPlan
) -> Callable[[Suite], AbstractContextManager[Surroundings]] | None:
    """Guarded ground when it was asked for; a user's own tests run as the user otherwise."""
    if options.isolation is None:
        return None
    wanted = None if options.isolation == "best" else Rung[options.isolation]
    return guarded_surroundings(plan.project, wanted, plan.python)


def _present(
    options: argparse.Namespace, finished: Finished, trouble: Exception | None, heals: "HealReport | None"
) -> None:
    if options.junit is not None:
        from testwright.faces.cli.files import write_report
        from testwright.run.junit_writer import junit_xml

        write_report(options.junit, junit_xml(finished.run))
    if options.json:
        from testwright.faces.cli.tables import print_json
        from testwright.model.shapes import run_shape

        shape = run_shape(finished.run)
        if heals is not None:
            _add_heals(shape, heals)
        print_json({**shape, "exitCode": int(finished.exit_code)})
        return
    from testwright.faces.cli.summary import print_summary

    heal_lines = [*(entry.line() for entry in heals.entries), *heals.troubles] if heals is not None else ()
    print_summary(finished.run, kept=not options.no_store, trouble=trouble, heals=heal_lines)


def _add_heals(shape: dict[str, Any], heals: "HealReport") -> None:
    """What healing has to say, beside the results it is about."""
    for suite in shape["suites"]:
        for result in suite["results"]:
            result["heals"] = [entry.as_dict() for entry in heals.of(result["id"])]
    shape["healTroubles"] = list(heals.troubles)


def _stop_on_signals(cancel: Cancel) -> None:
    """The first Ctrl-C stops the run and keeps what finished; a second one stops us there and then."""

    def stop(*_: object) -> None:
        if cancel.raised:
            raise KeyboardInterrupt
        cancel()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
