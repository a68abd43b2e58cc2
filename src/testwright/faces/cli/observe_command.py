"""`testwright observe`: what a recorded session saw, by kind, filtered and in pages."""

import argparse
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project, count, whole_number

if TYPE_CHECKING:
    from testwright.pipeline.observing.event_listing import Filter
    from testwright.store.sessions import SessionReader

DESCRIPTION = """\
Show what was seen in a browser while `testwright record` watched it, or what `testwright import` took in.

Lists show the newest; `next` of an answer, given as --since, shows what has arrived after it, also while the
session is still being recorded. --since start begins at the beginning.
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
    view.add_argument("--before", default="", metavar="CURSOR", help="what lies before this")
    view.add_argument("--limit", type=whole_number, default=100, metavar="N", help="at most so many (default: 100)")
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
    from testwright.store.sessions import open_session

    root = options.project.absolute()
    if options.view == "sessions":
        return _sessions(options)
    reader = open_session(root, options.session)
    if options.view == "dom":
        return _dom(reader, options)
    if options.view == "bundle" or getattr(options, "bundle", False):
        return _bundle(reader, options)
    return _list(reader, options)


def _list(reader: "SessionReader", options: argparse.Namespace) -> int:
    from testwright.faces.cli.observe_view import listing_summary, show_listing
    from testwright.faces.cli.standard_output import print_json
    from testwright.model.errors import NoErrorContext
    from testwright.pipeline.observing.event_listing import list_events
    from testwright.pipeline.observing.event_rows import brief_row, full_row

    only = _filter(options)
    listing = list_events(
        reader, options.view, only=only, since=options.since, before=options.before, limit=options.limit
    )
    if only.error_id and not listing.events and not options.since and not options.before:
        raise NoErrorContext(
            f"The session {reader.id} has no error {only.error_id}.",
            next_step="`testwright observe errors` lists them; --session names another session.",
        )
    if not options.json:
        show_listing(listing, options.view)
        return 0
    if options.view == "timeline":
        rows = [brief_row(event) for event in listing.events]
    else:
        rows = [full_row(event, reader.text, full=options.full) for event in listing.events]
    data = {
        "session": listing.session,
        "is_live": listing.is_live,
        "started": listing.head.started,
        options.view if options.view != "timeline" else "events": rows,
        "next": listing.next,
        "more": listing.more,
        "previous": listing.previous or None,
        "dropped": listing.dropped,
    }
    print_json({"summary": listing_summary(listing, options.view), "data": data})
    return 0


def _filter(options: argparse.Namespace) -> "Filter":
    from testwright.model.session import EventKind
    from testwright.pipeline.observing.event_listing import Filter

    return Filter(
        kinds=tuple(EventKind(kind) for kind in getattr(options, "kind", ())),
        levels=tuple(getattr(options, "level", ())),
        url=options.url,
        status=getattr(options, "status", ""),
        method=getattr(options, "method", ""),
        error_id=getattr(options, "error_id", ""),
        tab=options.tab,
    )


def _bundle(reader: "SessionReader", options: argparse.Namespace) -> int:
    from testwright.faces.cli.observe_view import show_bundle
    from testwright.faces.cli.standard_output import print_json
    from testwright.pipeline.observing.error_bundle import error_bundle
    from testwright.pipeline.observing.event_rows import error_in_words

    bundle = error_bundle(reader, options.error_id)
    if options.json:
        summary = f"{bundle.error.error_id}: {error_in_words(bundle.error)[:300]}"
        print_json({"summary": summary, "data": {"session": reader.id, **bundle.shape(reader, full=options.full)}})
    else:
        show_bundle(bundle)
    return 0


def _dom(reader: "SessionReader", options: argparse.Namespace) -> int:
    from testwright.faces.cli.observe_view import show_page
    from testwright.faces.cli.standard_output import print_json
    from testwright.observe.recording.error_ids import checked_error_id
    from testwright.pipeline.observing.page_outline import kept_page, outline

    error_id = checked_error_id(options.error_id) if options.error_id else ""
    name, page = kept_page(reader, at=options.at, error_id=error_id)
    lines = outline(page)
    left_out = max(0, len(lines) - options.limit)
    if not options.json:
        show_page(page, lines[: options.limit], left_out)
        return 0
    data = {
        "session": reader.id,
        "name": name,
        "url": page.url,
        "title": page.title,
        "elements": len(page.elements),
        "aria": "\n".join(lines[: options.limit]),
        "lines_left_out": left_out,
    }
    print_json({"summary": f"{page.title or 'A page'} at {page.url}: {len(lines)} lines", "data": data})
    return 0


def _sessions(options: argparse.Namespace) -> int:
    from testwright.faces.cli.observe_view import session_shape, show_sessions
    from testwright.faces.cli.standard_output import print_json
    from testwright.store.sessions import list_sessions

    found = list_sessions(options.project.absolute())
    if options.json:
        summary = f"{len(found)} session(s)" if found else "No session yet: record one with `testwright record URL`"
        shown = [session_shape(one) for one in found[: options.limit]]
        print_json({"summary": summary, "data": {"sessions": shown, "more": len(found) > options.limit}})
    else:
        show_sessions(found[: options.limit])
    return 0
