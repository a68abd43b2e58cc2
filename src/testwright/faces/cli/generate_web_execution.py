"""Carry out `testwright generate web`: write the test, run it, propose it."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from testwright.faces.cli.progress_view import status_line
from testwright.faces.cli.standard_output import print_json
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.pipeline.web.answer import WebTestAnswer
from testwright.pipeline.web.journey import answer_web_test
from testwright.pipeline.web.request import WebTestRequest, web_test_request
from testwright.settings import Settings, load_settings
from testwright.wiring import web_test_tools


def carry_out(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    settings = load_settings(root)
    request = _request(options, settings)
    with _progress(quiet=options.json) as tell:
        answer = answer_web_test(request, web_test_tools(root, settings, progress=tell))
    if options.json:
        print_json({"summary": answer.summary, "data": answer.shape()})
    else:
        _show(answer, inline=options.output_format == "inline")
    return int(answer.proof.verdict in _UNPROVEN)  # it was run, and did not show what it should


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """One line that changes while a person watches, lines on stderr otherwise."""
    if quiet:
        yield lambda _: None
        return
    with status_line("looking at the session") as status:
        if status is not None:
            yield status.update
        else:
            yield lambda text: print(text, file=sys.stderr, flush=True)  # noqa: T201  progress is not a result


def _request(options: argparse.Namespace, settings: Settings) -> WebTestRequest:
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
    # On the command line the test gets what it needs, unless an option says otherwise.
    request = web_test_request(given)
    # A regression test looks at what the server answers today, not at what it answered when it was recorded.
    by_default = False if options.context == "regression" else None
    return replace(request, include_mocks=by_default if options.mocks is None else options.mocks)


def _show(answer: WebTestAnswer, *, inline: bool) -> None:
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
