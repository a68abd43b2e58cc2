"""`testwright classify`: why tests failed, from what a runner printed or from a run in the store."""

import argparse
import sys

from testwright.faces.cli.common_options import add_json, add_project
from testwright.model.case import Framework
from testwright.model.errors import UsageError

DESCRIPTION = """\
Say why tests failed: a label, how sure it is, the words it rests on, and what to do about it.

  testwright classify output.txt           what a runner printed: one failure, or many
  npx playwright test | testwright classify -
  testwright classify --run last           the failures of a run in the store
  testwright classify --jsonl              one JSON object per line in, one per line out

The exit code is 0 when every failure got a label, 1 when one is `unknown`.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("file", nargs="?", metavar="FILE", help="what a runner printed; - is standard input")
    what.add_argument("--run", metavar="ID", help="a run in the store: its id, the start of it, or `last`")
    what.add_argument("--jsonl", action="store_true", help="answer lines of JSON with lines of JSON; see the docs")
    parser.add_argument("--framework", choices=list(Framework), default="", help="whose text it is (default: guessed)")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    # late: start-up: the rules
    from testwright.faces.cli.classify_execution import answer_failures, classify_output, classify_stored_run

    if options.jsonl:
        return answer_failures(sys.stdin.buffer, sys.stdout)
    if options.run is not None:
        return classify_stored_run(options)
    if options.file is None:
        raise UsageError("Nothing says what to classify.", next_step="Name a file, `-`, --run ID or --jsonl.")
    return classify_output(options)
