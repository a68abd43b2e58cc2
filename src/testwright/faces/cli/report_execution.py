"""Carry out `testwright report`: open the store, and show the part that was asked for."""

import argparse
import sys
from collections.abc import Callable

from testwright.faces.cli.report_runs import export_runs, prune_runs, show_run, show_runs
from testwright.faces.cli.report_tests import show_drift, show_test, show_tests
from testwright.model.untrusted_text import visible_line
from testwright.settings import load_settings
from testwright.store.project_store import Store
from testwright.wiring import keeping

Report = Callable[[Store, argparse.Namespace], None]

_LIGHT: dict[str, Report] = {
    "runs": show_runs,
    "run": show_run,
    "tests": show_tests,
    "test": show_test,
    "prune": prune_runs,
    "export": export_runs,
    "drift": show_drift,
}


def carry_out(options: argparse.Namespace) -> int:
    report = _report(options.kind)
    kept = keeping(options.project.absolute(), load_settings(options.project))
    with kept.open() as store:
        for journal in kept.put_aside:
            sys.stderr.write(
                f"testwright: a run's journal could not be read and was put aside: {visible_line(str(journal))}\n"
            )
        report(store, options)
    return 0


def _report(kind: str) -> Report:
    match kind:
        case "flaky":
            from testwright.faces.cli.report_flaky import show_flaky  # late: start-up: judging flakiness

            return show_flaky
        case "quality":
            from testwright.faces.cli.report_quality import show_quality  # late: start-up: explaining failures

            return show_quality
        case "improvements":
            from testwright.faces.cli.report_improvements import (
                show_improvements,  # late: start-up: explaining failures
            )

            return show_improvements
        case _:
            return _LIGHT[kind]
