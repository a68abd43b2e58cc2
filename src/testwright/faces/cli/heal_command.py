"""`testwright heal`: find where the lost elements of a test file went, against a page you name."""

import argparse
from pathlib import Path

from testwright.faces.cli.common_options import add_json, add_project

DESCRIPTION = """\
Look at a page and say which selectors of a test file find nothing there, and which elements they mean now.
Nothing is written: --propose queues the change for `testwright review`.

`testwright run` heals by itself, from what it remembers of passing runs; this is for looking at one page on purpose.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    analyze = actions.add_parser("analyze", help="which selectors of a file are broken on a page")
    repair = actions.add_parser("repair", help="the same, with the change to the file as a diff")
    batch = actions.add_parser("batch", help="every test file of a folder: at most 20")
    for action in (analyze, repair):
        action.add_argument("file", metavar="FILE", help="a test file in TypeScript, JavaScript or Python")
    batch.add_argument("folder", metavar="DIR", help="a folder of the project")
    for action in (analyze, repair, batch):
        _add_page(action)
    for action in (analyze, repair):
        action.add_argument(
            "--selector", action="append", default=[], metavar="S", help="only this one; may be repeated, 50 at most"
        )
    for action in (repair, batch):
        action.add_argument("--propose", action="store_true", help="queue the change for `testwright review`")
        action.add_argument(
            "--auto-apply",
            action="store_true",
            help="write what is at least 90%% sure, if the tests pass with it; needs `pilot = true` in the settings",
        )
    for action in (analyze, repair, batch):
        action.add_argument(
            "--test-id-attribute", default="", metavar="NAME", help="default: what the Playwright settings say"
        )
        add_json(action)
        add_project(action)
    _configure_match(actions.add_parser("match", help="answer cases of lost elements, one JSON line each"))
    _configure_flutter(
        actions.add_parser("flutter", help="where the lost widgets of Flutter tests went, from their machine report")
    )
    _configure_golden(
        actions.add_parser("golden", help="which golden screens of a Go program only moved or were restyled")
    )


def _add_page(parser: argparse.ArgumentParser) -> None:
    page = parser.add_argument_group("the page, one of").add_mutually_exclusive_group(required=True)
    page.add_argument("--url", default="", metavar="URL", help="opened in a browser")
    page.add_argument("--html", type=Path, metavar="FILE", help="a saved page")
    page.add_argument("--trace", type=Path, metavar="ZIP", help="a Playwright trace: the page when the test failed")


def _configure_match(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read one case per line on stdin (an element as it was, and a page as it is) and answer each with a line: "
        "heal, suggest or abstain, the element, how sure, and why. docs/healing.md describes both."
    )
    parser.add_argument("--jsonl", action="store_true", required=True, help="JSON lines in, JSON lines out")


def _configure_flutter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `flutter test --machine` printed")
    parser.add_argument(
        "--passed", type=Path, required=True, metavar="REPORT", help="the same of a run that passed: what is remembered"
    )
    parser.add_argument("--widgets", type=Path, metavar="FILE", help="a debugDumpApp(), where the report has none")
    parser.add_argument("--semantics", type=Path, metavar="FILE", help="a debugDumpSemanticsTree()")
    parser.add_argument("--propose", action="store_true", help="queue the change for `testwright review`")
    add_json(parser)
    add_project(parser)


def _configure_golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `go test -json` printed")
    parser.add_argument("--propose", action="store_true", help="queue the new golden files for `testwright review`")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    """Load what this action needs, and nothing of the others: each is slow to load."""
    match options.action:
        case "match":
            from testwright.faces.cli import heal_match  # late: start-up: the healing engine

            return heal_match.carry_out(options)
        case "flutter":
            from testwright.faces.cli.heal_reports import show_flutter_heals  # late: start-up: rapidfuzz, the store

            return show_flutter_heals(options)
        case "golden":
            from testwright.faces.cli.heal_reports import show_golden_heals  # late: start-up: rapidfuzz, the store

            return show_golden_heals(options)
        case _:
            from testwright.faces.cli import heal_page  # late: start-up: rapidfuzz, msgspec, the store

            return heal_page.carry_out(options)
