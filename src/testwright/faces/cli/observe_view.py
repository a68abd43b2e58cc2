"""What `testwright observe` shows to people: tables with times since the session began."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime

from testwright.faces.cli.standard_output import print_table, when
from testwright.model.dom import DomSnapshot
from testwright.model.session import KINDS, AnySessionEvent, EventKind, PageError, ScriptFrame
from testwright.model.untrusted_text import visible, visible_line
from testwright.pipeline.observing.error_bundle import ErrorBundle
from testwright.pipeline.observing.event_listing import EventListing
from testwright.pipeline.observing.event_rows import error_in_words, in_words, short_url
from testwright.store.sessions import SessionSummary

_PLURALS = {"errors": "error(s)", "actions": "action(s)", "network": "request(s)", "console": "line(s)"}


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
