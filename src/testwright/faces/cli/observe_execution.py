"""Carry out `testwright observe`: read a session, and show the part that was asked for."""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime

from testwright.faces.cli.standard_output import print_json, print_table, when
from testwright.model.dom import DomSnapshot
from testwright.model.errors import NoErrorContext
from testwright.model.session import KINDS, AnySessionEvent, EventKind, PageError, ScriptFrame
from testwright.model.untrusted_text import visible, visible_line
from testwright.observe.recording.error_ids import checked_error_id
from testwright.pipeline.observing.error_bundle import ErrorBundle, error_bundle
from testwright.pipeline.observing.event_listing import (
    EventListing,
    Filter,
    brief_row,
    error_in_words,
    full_row,
    in_words,
    list_events,
    short_url,
)
from testwright.pipeline.observing.page_outline import kept_page, outline
from testwright.store.sessions import SessionReader, SessionSummary, list_sessions, open_session

_PLURALS = {"errors": "error(s)", "actions": "action(s)", "network": "request(s)", "console": "line(s)"}


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


def listing_summary(listing: EventListing, view: str) -> str:
    line = f"{len(listing.events)} {_PLURALS.get(view, 'event(s)')} of {listing.session}"
    if listing.more:
        line += ", with more to come"
    elif listing.previous:
        line += ", the newest"
    return line + (" (still being recorded)" if listing.is_live else "")


def show_listing(listing: EventListing, view: str) -> None:
    if listing.events:
        print_table(*_table(listing.events, view))
    for kind, count in (listing.dropped or {}).items():
        sys.stdout.write(f"{count} older event(s) of the kind {kind} were dropped.\n")
    sys.stdout.write(f"{listing_summary(listing, view)}.\n")
    if listing.previous:
        sys.stdout.write(f"Before these: --before {listing.previous}\n")
    if listing.more or listing.is_live:
        sys.stdout.write(f"After these: --since {listing.next}\n")


def _table(events: Iterable[AnySessionEvent], view: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    if view == "errors":
        return ("time", "id", "error", "where"), [
            (since(event), event.error_id, error_in_words(event), _where(event))
            for event in events
            if isinstance(event, PageError)
        ]
    return ("time", "seq", "kind", "after", "what"), [
        (
            since(event),
            str(event.seq),
            KINDS[type(event)].value,
            "" if event.after is None else str(event.after),
            in_words(event),
        )
        for event in events
    ]


def since(event: AnySessionEvent) -> str:
    """When, since the session began."""
    minutes, milliseconds = divmod(event.t, 60_000)
    return f"{minutes}:{milliseconds / 1000:06.3f}"


def _where(error: PageError) -> str:
    frame = next((one for one in error.stack if one.is_app), None) or next(iter(error.stack), None)
    return frame_in_words(frame) if frame is not None else short_url(error.url)


def frame_in_words(frame: ScriptFrame) -> str:
    if frame.spot is not None:
        place = f"{frame.spot.file}:{frame.spot.line}:{frame.spot.column}"
        function = frame.spot.name or frame.function
    else:
        place, function = f"{short_url(frame.url)}:{frame.line}:{frame.column}", frame.function
    return f"{function} ({place})" if function else place


def show_bundle(bundle: ErrorBundle) -> None:
    error = bundle.error
    say = sys.stdout.write
    say(f"{error.error_id}  {visible_line(error_in_words(error))}\n")
    say(f"  at {since(error)} on {visible_line(error.url)}\n")
    for frame in error.stack:
        say(f"    {'' if frame.is_app else '· '}{visible_line(frame_in_words(frame))}\n")
    if bundle.same > 1:
        say(f"  {bundle.same} errors of this session have the same fingerprint.\n")
    if bundle.start is not None:
        say(f"\nSince {visible_line(in_words(bundle.start))}:\n")
    _show_part("What was done", bundle.actions, mark=bundle.cause)
    _show_part("Requests", bundle.requests)
    _show_part("WebSockets", bundle.sockets)
    _show_part("Console", bundle.console)
    if bundle.page:
        say("\nThe page\n")
        say("".join(f"  {visible_line(line)}\n" for line in bundle.page.splitlines()[:60]))
    for gap in bundle.gaps:
        say(f"not seen: {visible_line(gap)}\n")


def _show_part(title: str, events: tuple[AnySessionEvent, ...], *, mark: AnySessionEvent | None = None) -> None:
    if not events:
        return
    sys.stdout.write(f"\n{title}\n")
    for event in events:
        pointer = ">" if mark is not None and event.seq == mark.seq else " "
        sys.stdout.write(f"{pointer} {since(event)}  {event.seq:>5}  {visible_line(in_words(event))}\n")


def show_page(page: DomSnapshot, lines: list[str], left_out: int) -> None:
    sys.stdout.write(f"{visible_line(page.title)}  {visible_line(page.url)}\n")
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
    if left_out:
        sys.stdout.write(f"{left_out} more line(s): --limit {len(lines) + left_out}\n")


def show_sessions(sessions: list[SessionSummary]) -> None:
    if not sessions:
        sys.stdout.write("No session yet. Record one with: testwright record URL\n")
        return
    print_table(
        ("session", "started", "from", "length", "actions", "requests", "errors", "address"),
        [
            (
                one.id,
                shown_time(one.started),
                one.source,
                "recording" if one.is_live else "cut off" if one.ended is None else f"{one.ended / 1000:.0f} s",
                str(one.counts.get(EventKind.ACTION, 0)),
                str(one.counts.get(EventKind.REQUEST, 0)),
                str(one.counts.get(EventKind.ERROR, 0)),
                one.title or one.url,
            )
            for one in sessions
        ],
    )


def shown_time(milliseconds: int) -> str:
    """A moment that is given in milliseconds since 1970."""
    try:
        return when(datetime.fromtimestamp(milliseconds / 1000, UTC))
    except (OverflowError, ValueError, OSError):  # an imported time may lie outside of the calendar
        return "?"
