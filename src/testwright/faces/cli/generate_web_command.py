"""`testwright generate web`: a test from a recorded session, proven by running it, waiting for review."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project
from testwright.model.case import WebFramework

if TYPE_CHECKING:
    from testwright.pipeline.web.answer import WebTestAnswer
    from testwright.pipeline.web.request import WebTestRequest
    from testwright.settings import Settings

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
    from testwright.faces.cli.standard_output import print_json
    from testwright.pipeline.web.journey import answer_web_test
    from testwright.settings import load_settings
    from testwright.wiring import web_test_tools

    root = options.project.absolute()
    settings = load_settings(root)
    request = _request(options, settings)
    with _progress(quiet=options.json) as tell:
        answer = answer_web_test(request, web_test_tools(root, settings, progress=tell))
    if options.json:
        print_json({"summary": answer.summary, "data": answer.shape()})
    else:
        _show(answer, inline=options.output_format == "inline")
    return _exit_code(answer)


@contextmanager
def _progress(*, quiet: bool) -> "Iterator[Callable[[str], None]]":
    """One line that changes while a person watches, lines on stderr otherwise."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("looking at the session") as status:
            yield status.update
    else:
        yield lambda text: print(text, file=sys.stderr, flush=True)  # noqa: T201  progress is no result


def _request(options: argparse.Namespace, settings: "Settings") -> "WebTestRequest":
    from dataclasses import replace

    from testwright.pipeline.web.request import web_test_request

    given: dict[str, object] = {
        "context": options.context,
        "error_id": options.error_id,
        "framework": options.framework or settings.web_framework,
        "output_format": options.output_format,
        "base_url": options.base_url,
        "session": options.session,
        "polarity": options.polarity,
        "baseline": options.baseline,
        **({"verify": options.verify} if options.verify is not None else {}),
    }
    # On the command line the test gets what it needs, unless somebody says otherwise.
    request = web_test_request(given)
    # A regression test looks at what the server answers today, not at what it answered when it was recorded.
    by_default = False if options.context == "regression" else None
    return replace(request, include_mocks=by_default if options.mocks is None else options.mocks)


def _show(answer: "WebTestAnswer", *, inline: bool) -> None:
    from testwright.model.untrusted_text import harmless_in_ci_log, visible_line

    say = sys.stdout.write
    if inline:
        say(harmless_in_ci_log(answer.written.content))
        return
    say(f"{visible_line(answer.summary)}\n")
    if answer.source_error:
        say(f"  about     {answer.source_error} of session {answer.session}\n")
    proof = answer.proof
    say(f"  proof     {proof.verdict}: {visible_line(proof.told) or 'it was not run'}\n")
    if proof.ingredients:
        say(f"  it needs  {', '.join(proof.ingredients)}\n")
    for note in answer.shape()["notes"]:
        say(f"  note      {visible_line(note)}\n")
    if answer.proposal:
        say(f"It waits for you: testwright review show {answer.proposal}\n")
    elif proof.verdict in _UNPROVEN:
        say("It is not proposed, since it does not prove what it should; --output-format inline prints it.\n")
    else:
        say(f"{visible_line(answer.file)} reads like this already.\n")


_UNPROVEN = ("not_reproduced", "not_green")


def _exit_code(answer: "WebTestAnswer") -> int:
    """1 where it was run, and did not show what it should."""
    return int(answer.proof.verdict in _UNPROVEN)
