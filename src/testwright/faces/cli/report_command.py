"""`testwright report`: look back at runs and tests."""

import argparse
from pathlib import Path

from testwright.faces.cli.common_options import add_json, add_project, count, whole_number
from testwright.model.case import Framework
from testwright.model.outcome import Outcome

DESCRIPTION = "Show what earlier runs saw. For every number you can look up the runs behind it."


def configure(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    runs = kinds.add_parser("runs", help="the newest runs")
    runs.add_argument("--limit", type=whole_number, default=20, metavar="N")
    runs.add_argument("--before", metavar="ID", help="only runs that are older than this one")
    one_run = kinds.add_parser("run", help="one run, with what failed")
    one_run.add_argument("id", metavar="ID", help="a run's id, or the start of it; `latest` for the newest")
    tests = kinds.add_parser("tests", help="every test, with its last outcome")
    tests.add_argument("text", nargs="?", default="", metavar="TEXT", help="only tests whose id holds this")
    tests.add_argument(
        "--outcome", action="append", choices=list(Outcome), help="only tests whose last outcome is this"
    )
    tests.add_argument("--framework", choices=list(Framework))
    tests.add_argument("--limit", type=whole_number, default=100, metavar="N")
    one_test = kinds.add_parser("test", help="one test over time")
    one_test.add_argument("id", metavar="ID", help="a test's id, or a part that is in no other id")
    one_test.add_argument("--limit", type=whole_number, default=30, metavar="N")
    prune = kinds.add_parser("prune", help="forget old runs")
    prune.add_argument("--keep", type=count, metavar="N", help="keep the newest N runs")
    prune.add_argument("--days", type=whole_number, metavar="N", help="forget runs older than N days")
    export = kinds.add_parser("export", help="runs as JSON lines, which `testwright import` reads")
    export.add_argument("ids", nargs="*", metavar="ID", help="which runs (default: all)")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to the terminal")
    drift = kinds.add_parser("drift", help="how often each module's tests lost an element")
    drift.add_argument("--limit", type=whole_number, default=100, metavar="N", help="over the newest N runs of each")
    flaky = kinds.add_parser("flaky", help="which tests fail by chance, and which are broken since when")
    flaky.add_argument("--runs", type=whole_number, default=200, metavar="N", help="over the newest N runs")
    quality = kinds.add_parser("quality", help="what the newest failures have in common, and the trend")
    quality.add_argument("--runs", type=whole_number, default=30, metavar="N", help="the trend of the newest N runs")
    quality.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page, with charts")
    improvements = kinds.add_parser("improvements", help="what to do about each failure of a run")
    improvements.add_argument(
        "--run", default="latest", metavar="ID", help="a run's id, or the start of it (default: the newest)"
    )
    improvements.add_argument(
        "--propose", action="store_true", help="write tests again where that may help; they wait in `review`"
    )
    for kind in (runs, one_run, tests, one_test, prune, export, drift, flaky, quality, improvements):
        add_project(kind)
        if kind is not export:
            add_json(kind)


def execute(options: argparse.Namespace) -> int:
    from testwright.faces.cli.report_execution import carry_out  # late: start-up: the store

    return carry_out(options)
