"""Carry out what `testwright run` has planned: run, keep, tell."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from testwright.faces.cli.run_plan import RunPlan
from testwright.faces.cli.watching import watcher
from testwright.isolate.child import Cancel
from testwright.isolate.guard import Rung
from testwright.pipeline.provenance import commit_of
from testwright.pipeline.running import Finished, Habits, new_run, run_suites
from testwright.run.driver import Driver, Surroundings
from testwright.run.framework import Suite
from testwright.run.head_start import HeadStart
from testwright.wiring import guarded_surroundings, keeping


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
    with watcher(quiet=options.json, verbose=options.verbose) as watch:
        finished = run_suites(
            plan.suites,
            driver,
            new_run(sys.argv[1:]),
            habits=_habits(options, plan),
            record=kept.begin if kept is not None else None,
            provenance=lambda: commit_of(plan.project.root),
            listen=watch,
        )
    not_stored = kept.finish(finished.run) if kept is not None else None
    _present(options, finished, not_stored or finished.not_recorded)
    return finished.exit_code


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


def _present(options: argparse.Namespace, finished: Finished, trouble: Exception | None) -> None:
    if options.junit is not None:
        from testwright.faces.cli.files import write_report
        from testwright.run.junit_writer import junit_xml

        write_report(options.junit, junit_xml(finished.run))
    if options.json:
        from testwright.faces.cli.tables import print_json
        from testwright.model.shapes import run_shape

        print_json({**run_shape(finished.run), "exitCode": int(finished.exit_code)})
        return
    from testwright.faces.cli.summary import print_summary

    print_summary(finished.run, kept=not options.no_store, trouble=trouble)


def _stop_on_signals(cancel: Cancel) -> None:
    """The first Ctrl-C stops the run and keeps what finished; a second one stops us there and then."""

    def stop(*_: object) -> None:
        if cancel.raised:
            raise KeyboardInterrupt
        cancel()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
