"""`testwright interact`: do things in the browser that is being recorded, from another terminal or a script."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from testwright.faces.cli.common_options import add_json, add_project, seconds
from testwright.faces.cli.standard_output import print_json
from testwright.model.errors import UsageError
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.observing.live_commands import interact
from testwright.settings import load_settings

DESCRIPTION = """\
Use the browser that `testwright record` or `testwright attach` has open, in its current tab. What is done this way is
recorded like the rest, marked as done by a pilot. It needs `pilot = true` in the settings; only `stop` does not.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    navigate = actions.add_parser("navigate", help="go to an address")
    navigate.add_argument("url", metavar="URL")
    click = actions.add_parser("click", help="click an element")
    fill = actions.add_parser("fill", help="give a field a text")
    select = actions.add_parser("select", help="choose options of a list")
    for action in (click, fill, select):
        action.add_argument("selector", metavar="SELECTOR", help="as Playwright understands it")
    text = fill.add_mutually_exclusive_group(required=True)
    text.add_argument("text", nargs="?", metavar="TEXT")
    text.add_argument(
        "--from-variable", default="", metavar="NAME", help="the value of an environment variable: for secrets"
    )
    select.add_argument("values", nargs="+", metavar="VALUE")
    press = actions.add_parser("press", help="press a key, such as Enter or Control+A")
    press.add_argument("key", metavar="KEY")
    press.add_argument("--selector", default="", metavar="SELECTOR", help="where; default: what has the focus")
    wait = actions.add_parser("wait", help="wait for an element, a text, an address, or until the page is loaded")
    what = wait.add_mutually_exclusive_group()
    what.add_argument("--selector", default="", metavar="SELECTOR")
    what.add_argument("--text", default="", metavar="TEXT")
    what.add_argument("--url", default="", metavar="GLOB")
    actions.add_parser("stop", help="end the recording, as closing the browser would")
    for action in actions.choices.values():
        action.add_argument("--session", default="", metavar="ID", help="default: the newest that goes on")
        action.add_argument("--timeout", type=seconds, default=5.0, metavar="S", help="for this step (default: 5)")
        add_json(action)
        add_project(action)


def execute(options: argparse.Namespace) -> int:
    root: Path = options.project.absolute()
    done = interact(
        root, command_of(options), pilot=load_settings(root).pilot, session=options.session, timeout_s=options.timeout
    )
    if options.json:
        print_json({"session": done.session, **done.answer})
    elif done.is_ok:
        where = visible_line(str(done.answer.get("url") or ""), limit=200)
        sys.stdout.write(f"{options.action}: done{f', at {where}' if where else ''}\n")
    else:
        message = visible_line(str(done.answer.get("message") or "it did not say why"), limit=500)
        sys.stderr.write(
            f"{options.action}: {message} [{visible_line(str(done.answer.get('code') or ''), limit=60)}]\n"
        )
    return int(not done.is_ok)


def command_of(options: argparse.Namespace) -> dict[str, Any]:
    """The command as the recorder understands it; the same words as in a file of steps."""
    command: dict[str, Any] = {"do": options.action, "timeout": options.timeout}
    match options.action:
        case "navigate":
            command |= {"url": options.url}
        case "click":
            command |= {"selector": options.selector}
        case "fill":
            command |= {"selector": options.selector, "value": _text(options)}
        case "select":
            command |= {"selector": options.selector, "values": options.values}
        case "press":
            command |= {"key": options.key, "selector": options.selector}
        case "wait":
            command |= {"selector": options.selector, "text": options.text, "url": options.url}
    return {name: value for name, value in command.items() if value != "" or name == "value"}


def _text(options: argparse.Namespace) -> str:
    if not options.from_variable:
        return str(options.text)
    value = os.environ.get(options.from_variable)
    if value is None:
        raise UsageError(
            f"The environment has no variable {options.from_variable!r}.", next_step="Set it, or give the text itself."
        )
    return value
