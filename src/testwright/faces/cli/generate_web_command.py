"""`testwright generate web`: a test from a recorded session, proven by running it, waiting for review."""

import argparse

from testwright.faces.cli.common_options import add_json, add_project
from testwright.model.case import WebFramework

DESCRIPTION = """\
Write a test from a session that `testwright record` or `testwright import` has left.

  --from error         a guard: red while the recorded error exists, green once it is fixed
  --from interaction   what somebody did, with checks of what they saw
  --from regression    the same, held against a baseline of `testwright analyze`

Where the application answers, the test is run three times before you see it. It waits in
`testwright review`; with --output-format inline it is only printed.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="context",
        choices=["error", "interaction", "regression"],
        required=True,
        help="what the test is made from",
    )
    parser.add_argument("--session", default="", metavar="ID", help="the session (default: the newest)")
    parser.add_argument("--error-id", default="", metavar="ID", help="the error (default: the most recent)")
    parser.add_argument("--baseline", default="", metavar="NAME", help="of `analyze` (default: the session itself)")
    what = parser.add_argument_group("what is written")
    what.add_argument(
        "--framework",
        choices=[framework.value for framework in WebFramework],
        default="",
        help="playwright is TypeScript, pytest is Playwright in Python (default: as configured, else playwright)",
    )
    what.add_argument(
        "--polarity",
        choices=["guard", "repro", "known-bug"],
        default="guard",
        help="guard: red while the bug exists; repro: green while it exists; known-bug: a guard marked as failing",
    )
    mocks = what.add_mutually_exclusive_group()
    mocks.add_argument("--mocks", dest="mocks", action="store_true", default=None, help="with the server's answers")
    mocks.add_argument("--no-mocks", dest="mocks", action="store_false", help="against the real server")
    what.add_argument("--base-url", default="", metavar="URL", help="where the application is (default: as recorded)")
    what.add_argument(
        "--output-format", choices=["file", "inline"], default="file", help="inline: print it, propose nothing"
    )
    proof = parser.add_mutually_exclusive_group()
    proof.add_argument(
        "--verify", dest="verify", action="store_true", default=None, help="run it, and fail if that cannot be done"
    )
    proof.add_argument("--no-verify", dest="verify", action="store_false", help="do not run it")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    from testwright.faces.cli.generate_web_execution import carry_out  # late: start-up: selectors, the runners

    return carry_out(options)
