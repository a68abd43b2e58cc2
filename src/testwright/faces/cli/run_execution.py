"""Carry out what `testwright run` has planned: run, keep, report."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.progress_view import progress_listener
from testwright.faces.cli.run_plan import RunPlan
from testwright.faces.cli.run_summary import print_summary, summary_lines
from testwright.faces.cli.standard_output import print_json
from testwright.isolate.child import Cancel
from testwright.isolate.guard import IsolationLevel
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.pipeline.running.after_run import AfterRun
from testwright.pipeline.running.code_version import commit_of
from testwright.pipeline.running.event_book import Finished
from testwright.pipeline.running.journey import Habits, new_run, run_suites
from testwright.pipeline.running.run_keeper import RunKeeper
from testwright.run.driver import ChildAccess, Driver
from testwright.run.framework_adapter import Suite
from testwright.run.head_start import HeadStart
from testwright.run.project import Project
from testwright.wiring import guarded_access, keeping

if TYPE_CHECKING:
    from testwright.pipeline.explaining.shared_causes import Explanation
    from testwright.pipeline.running.failure_repeats import FailureRepeats


def carry_out(options: argparse.Namespace, plan: RunPlan, head_start: HeadStart | None) -> int:
    cancel = Cancel()
    _stop_on_signals(cancel)
    driver = Driver(
        plan.project,
        os.environ,
        limits=plan.limits,
        cancel=cancel,
        child_access=_child_access(options, plan),
        head_start=head_start,
    )
    kept = None if options.no_store else keeping(plan.project.root, plan.settings)
    healing = _after_run(options, plan, driver, kept) if plan.heals and kept is not None else None
    detecting = _detecting(options, plan, driver, healing)
    with progress_listener(quiet=options.json, verbose=options.verbose) as watch:
        finished = run_suites(
            plan.suites,
            driver,
            new_run(sys.argv[1:]),
            habits=_habits(options, plan),
            record=kept.begin if kept is not None else None,
            provenance=lambda: commit_of(plan.project.root),
            listen=watch,
            afterwards=detecting or healing,
        )
    finished = finished._replace(heals_fail=(options.heal_policy or plan.settings.heal_policy) == "fail")
    not_stored = kept.finish(finished.run) if kept is not None else None
    _present(options, plan, finished, not_stored or finished.not_recorded, healing, detecting)
    _count(finished)
    return finished.exit_code


def _after_run(options: argparse.Namespace, plan: RunPlan, driver: Driver, kept: RunKeeper) -> AfterRun:
    def driver_at(root: Path) -> Driver:
        """The same driver, for the project or a copy of it."""
        project = Project.at(root, exclude=plan.project.exclude)
        child_access = _child_access(options, plan._replace(project=project))
        return replace(driver, project=project, child_access=child_access, head_start=None)

    return AfterRun(plan.project.root, plan.suites, driver_at, kept.open, driver.cancel)


def _detecting(
    options: argparse.Namespace, plan: RunPlan, driver: Driver, healing: AfterRun | None
) -> "FailureRepeats | None":
    if options.detect_flaky is None:
        return None
    from testwright.pipeline.running.failure_repeats import FailureRepeats  # late: start-up: only for --detect-flaky

    return FailureRepeats(plan.suites, driver, options.detect_flaky, root=plan.project.root, first=healing)


def _count(finished: Finished) -> None:
    """Send the counters where metrics are collected."""
    if finished.run.counters and any(name.startswith("OTEL_") for name in os.environ):
        # late: start-up: only where metrics are collected
        from testwright.pipeline.healing.open_telemetry import is_wanted, send

        trouble = send(finished.run.counters, os.environ) if is_wanted(os.environ) else ""
        if trouble:
            sys.stderr.write(f"testwright: {visible_line(trouble)}\n")


def _habits(options: argparse.Namespace, plan: RunPlan) -> Habits:
    return Habits(
        retries=plan.settings.retries if options.retries is None else options.retries,
        parallel=options.parallel or plan.settings.parallel or 1,
        fail_fast=options.fail_fast,
    )


def _child_access(
    options: argparse.Namespace, plan: RunPlan
) -> Callable[[Suite], AbstractContextManager[ChildAccess]] | None:
    """Isolation where it was asked for; otherwise a user's own tests run as the user."""
    if options.isolation is None:
        return None
    wanted = None if options.isolation == "best" else IsolationLevel[options.isolation]
    return guarded_access(plan.project, wanted, plan.python)


def _present(
    options: argparse.Namespace,
    plan: RunPlan,
    finished: Finished,
    trouble: Exception | None,
    healing: AfterRun | None,
    detecting: "FailureRepeats | None",
) -> None:
    if options.junit is not None:
        # late: start-up: only for --junit: lxml
        from testwright.faces.cli.standard_output import write_report
        from testwright.run.junit_writer import junit_xml

        write_report(options.junit, junit_xml(finished.run))
    explanation = _explained(options, plan, finished, healing)
    if options.json:
        from testwright.model.result_json import run_shape  # late: start-up: only for --json

        shape = run_shape(finished.run)
        if healing is not None:
            healing.add_to(shape)
        if explanation is not None:
            explanation.add_to(shape)
        if detecting is not None:
            detecting.add_to(shape)
        print_json({**shape, "exitCode": int(finished.exit_code)})
        return
    heals = healing.lines() if healing is not None else ()
    kept = not options.no_store
    print_summary(summary_lines(finished.run, kept=kept, trouble=trouble, heals=heals, explanation=explanation))
    for line in detecting.lines() if detecting is not None else ():
        sys.stdout.write(f"{harmless_in_ci_log(line)}\n")


def _explained(
    options: argparse.Namespace, plan: RunPlan, finished: Finished, healing: AfterRun | None
) -> "Explanation | None":
    """Why the tests failed that did; nothing is loaded for it where none did."""
    if not options.explain or not any(
        result.is_flaky or not result.outcome.is_success for result in finished.run.results
    ):
        return None
    # late: start-up: a run without failures explains nothing
    from testwright.pipeline.explaining.journey import explain_run

    try:
        return explain_run(finished.run, plan.project.root, heals=healing.entries if healing is not None else ())
    except Exception as fault:  # noqa: BLE001  a fault of ours must not cost the user the results of the run
        sys.stderr.write(
            f"testwright: the failures could not be explained, by a fault of our own: {visible_line(repr(fault))}\n"
        )
        return None


def _stop_on_signals(cancel: Cancel) -> None:
    """The first Ctrl-C stops the run and keeps what finished; a second one stops us at once."""

    def stop(*_: object) -> None:
        if cancel.raised:
            raise KeyboardInterrupt
        cancel()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
