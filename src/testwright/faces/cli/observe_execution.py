"""Carry out `testwright observe`: read a session, and show the part that was asked for."""

import argparse
from dataclasses import asdict

from testwright.faces.cli.observe_view import (
    listing_summary,
    show_bundle,
    show_listing,
    show_page,
    show_sessions,
)
from testwright.faces.cli.standard_output import print_json
from testwright.model.errors import NoErrorContext
from testwright.model.session import EventKind
from testwright.observe.recording.error_ids import checked_error_id
from testwright.pipeline.observing.error_bundle import error_bundle
from testwright.pipeline.observing.event_listing import Filter, list_events
from testwright.pipeline.observing.event_rows import brief_row, error_in_words, full_row
from testwright.pipeline.observing.page_outline import kept_page, outline
from testwright.store.sessions import SessionReader, list_sessions, open_session


def carry_out(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    if options.view == "sessions":
        return _sessions(options)
    reader = open_session(root, options.session)
    if options.view == "dom":
        return _dom(reader, options)
    if options.view == "bundle" or getattr(options, "bundle", False):
        return _bundle(reader, options)
    return _list(reader, options)


def _list(reader: SessionReader, options: argparse.Namespace) -> int:
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


def _filter(options: argparse.Namespace) -> Filter:
    return Filter(
        kinds=tuple(EventKind(kind) for kind in getattr(options, "kind", ())),
        levels=tuple(getattr(options, "level", ())),
        url=options.url,
        status=getattr(options, "status", ""),
        method=getattr(options, "method", ""),
        error_id=getattr(options, "error_id", ""),
        tab=options.tab,
    )


def _bundle(reader: SessionReader, options: argparse.Namespace) -> int:
    bundle = error_bundle(reader, options.error_id)
    if options.json:
        summary = f"{bundle.error.error_id}: {error_in_words(bundle.error)[:300]}"
        print_json({"summary": summary, "data": {"session": reader.id, **bundle.shape(reader, full=options.full)}})
    else:
        show_bundle(bundle)
    return 0


def _dom(reader: SessionReader, options: argparse.Namespace) -> int:
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
    found = list_sessions(options.project.absolute())
    if options.json:
        summary = f"{len(found)} session(s)" if found else "No session yet: record one with `testwright record URL`"
        shown = [asdict(one) for one in found[: options.limit]]
        print_json({"summary": summary, "data": {"sessions": shown, "more": len(found) > options.limit}})
    else:
        show_sessions(found[: options.limit])
    return 0
