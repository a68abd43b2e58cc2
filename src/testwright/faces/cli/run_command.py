"""`testwright run`: every test of a project, isolated and remembered. This module has the options."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project, count, seconds, size, whole_number
from testwright.model.case import RUNNABLE
from testwright.settings import HEAL_POLICIES

if TYPE_CHECKING:
    from testwright.faces.cli.run_plan import RunPlan
    from testwright.run.head_start import HeadStart

PASSES_OPTIONS_ON = True
DESCRIPTION = """\
Run tests of any supported framework: pytest, Playwright Test, Vitest, Jest, node:test, agent skills.

Each runner is the project's own (its interpreter, its node_modules), started in isolation. What
follows `--` is given to the runner unchanged:  testwright run tests/ -- -m "not slow"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="a file, a folder or file::test (default: everything)"
    )
    what = parser.add_argument_group("what to run")
    what.add_argument(
        "--framework", action="append", choices=list(RUNNABLE), help="only this framework; may be repeated"
    )
    what.add_argument(
        "-k", "--select", action="append", default=[], metavar="GLOB", help="only tests whose id or name matches"
    )
    what.add_argument("--last-failed", "--lf", action="store_true", help="only tests that failed when they last ran")
    what.add_argument("--shard", type=_shard, metavar="I/N", help="part I of N, for spreading a suite over machines")
    how = parser.add_argument_group("how to run it")
    how.add_argument("-j", "--parallel", type=whole_number, metavar="N", help="N tests at a time")
    how.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="for each test (default: its runner's own limit, or 300; for skills see `testwright skills run`)",
    )
    how.add_argument(
        "--memory", type=size, metavar="SIZE", help="for each process, such as 2G; 0: no limit (default: 4G)"
    )
    how.add_argument(
        "--output-limit", type=size, metavar="SIZE", help="the most that a runner may print (default: 256M)"
    )
    how.add_argument("--retries", type=count, metavar="N", help="run failures again; every attempt is kept")
    how.add_argument(
        "--detect-flaky",
        type=whole_number,
        metavar="N",
        help="try each failure N times more, alone and in other orders, to see whether it fails by chance",
    )
    how.add_argument("-x", "--fail-fast", action="store_true", help="stop at the first failure")
    how.add_argument(
        "--isolation", choices=["R1", "R2", "R3", "best"], help="guard the tests: no network, no stray writes"
    )
    how.add_argument("--warm", action="store_true", help="agent skills: one process for all files of a runtime")
    how.add_argument(
        "--check-environment", action="store_true", help="pytest: notice tests that change the process around them"
    )
    how.add_argument("--python", type=Path, metavar="PATH", help="the interpreter or environment for Python tests")
    how.add_argument("--coverage", action="store_true", help="pytest: measure coverage, kept with the run")
    healing = parser.add_argument_group("healing of browser tests whose element is not found")
    healing.add_argument("--no-auto-heal", action="store_true", help="leave every failure as it is")
    healing.add_argument(
        "--heal-policy",
        choices=HEAL_POLICIES,
        help="fail: exit with 1 when a test passed only with a heal (default: pass)",
    )
    shown = parser.add_argument_group("what to show")
    add_json(shown)  # type: ignore[arg-type]  # a group takes arguments as its parser does
    shown.add_argument(
        "--explain",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="say why each failed test failed, and on what evidence (default: yes)",
    )
    shown.add_argument("--junit", type=Path, metavar="FILE", help="also write JUnit XML")
    shown.add_argument("-v", "--verbose", action="store_true", help="a line for every test")
    shown.add_argument("--no-store", action="store_true", help="do not remember this run")
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    """Start the slow parts as soon as possible, and load the rest of our own code while they start."""
    # late: start-up: the supervisor is prepared before anything else is loaded
    from testwright.isolate.supervisor_link import discard_prepared, prepare

    prepare()
    try:
        # late: start-up: loaded while the supervisor comes up
        from testwright.faces.cli.run_plan import RunPlan
        from testwright.run.head_start import HeadStart

        plan = RunPlan.of(options)
        if options.isolation is not None:
            return _carry_out(options, plan, None)
        with HeadStart(plan.suites[0], os.environ, plan.limits) as head_start:
            return _carry_out(options, plan, head_start)
    finally:
        discard_prepared()


def _carry_out(options: argparse.Namespace, plan: "RunPlan", head_start: "HeadStart | None") -> int:
    from testwright.faces.cli.run_execution import carry_out  # late: start-up: loaded while the first runner comes up

    return carry_out(options, plan, head_start)


def _shard(text: str) -> tuple[int, int]:
    index, _, total = text.partition("/")
    if not (index.isdigit() and total.isdigit() and 1 <= int(index) <= int(total)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a shard; write 1/3 for the first of three")
    return int(index), int(total)
