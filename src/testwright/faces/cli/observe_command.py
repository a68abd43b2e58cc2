"""`testwright observe`: what a recorded session saw, by kind, filtered and in pages."""

import argparse

from testwright.faces.cli.common_options import add_json, add_project, count, whole_number

DESCRIPTION = """\
Show what was seen in a browser while `testwright record` watched it, or what `testwright import` took in.

Lists show the newest; `next` of an answer, given as --since, shows what has arrived after it, also while the
session is still being recorded. --since start gives everything from the beginning.
"""
_LISTS = {
    "errors": "exceptions, unhandled rejections, console.error",
    "actions": "what was done: clicks, fills, navigations, dialogs",
    "network": "requests and their answers, WebSockets",
    "console": "what pages wrote to the console",
    "timeline": "all of it, a line for each",
}
_KINDS = ("navigation", "action", "request", "socket", "console", "error", "tab", "dialog")


def configure(parser: argparse.ArgumentParser) -> None:
    views = parser.add_subparsers(dest="view", required=True, metavar="VIEW")
    for name, summary in _LISTS.items():
        _configure_list(name, views.add_parser(name, help=summary))
    bundle = views.add_parser("bundle", help="one error with all that belongs to it")
    dom = views.add_parser("dom", help="a page that was kept, in words")
    bundle.add_argument("--error-id", default="", metavar="ID", help="default: the newest error")
    dom.add_argument("--error-id", default="", metavar="ID", help="the page just after this error")
    dom.add_argument("--at", type=count, metavar="SEQ", help="the page of the action or error with this number")
    dom.add_argument("--limit", type=whole_number, default=500, metavar="N", help="lines (default: 500)")
    sessions = views.add_parser("sessions", help="which sessions there are")
    sessions.add_argument("--limit", type=whole_number, default=100, metavar="N")
    for view in (bundle, dom):
        _add_session(view)
    bundle.add_argument("--full", action="store_true", help="long bodies too")
    for view in views.choices.values():
        add_json(view)
        add_project(view)


def _configure_list(name: str, view: argparse.ArgumentParser) -> None:
    _add_session(view)
    view.add_argument("--since", default="", metavar="CURSOR", help="what has arrived after this; `start`: all of it")
    view.add_argument("--before", default="", metavar="CURSOR", help="what is before this")
    view.add_argument("--limit", type=whole_number, default=100, metavar="N", help="at most N (default: 100)")
    view.add_argument("--tab", type=whole_number, metavar="N", help="only of this tab")
    view.add_argument("--url", default="", metavar="GLOB", help="only with such an address, such as '/api/*'")
    if name in ("network", "timeline"):
        view.add_argument("--status", default="", metavar="S", help="only answers such as 404, 4xx or failed")
        view.add_argument("--method", default="", metavar="M", help="only requests such as POST")
    if name in ("console", "timeline"):
        view.add_argument("--level", action="append", default=[], metavar="L", help="such as error; may be repeated")
    if name == "timeline":
        view.add_argument("--kind", action="append", default=[], choices=_KINDS, help="only these; may be repeated")
    if name in ("errors", "timeline"):
        view.add_argument("--error-id", default="", metavar="ID", help="only this error")
    if name == "errors":
        view.add_argument("--bundle", action="store_true", help="one error with all that belongs to it")
    if name != "timeline":
        view.add_argument("--full", action="store_true", help="long bodies, headers and every candidate too")


def _add_session(view: argparse.ArgumentParser) -> None:
    view.add_argument("--session", default="", metavar="ID", help="default: the newest")


def execute(options: argparse.Namespace) -> int:
    from testwright.faces.cli.observe_execution import carry_out  # late: start-up: msgspec

    return carry_out(options)
