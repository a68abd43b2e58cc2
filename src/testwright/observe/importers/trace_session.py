"""A trace of Playwright as a session: what a test did and what the browser said, with the pages between."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from testwright.masking.masker import Masker
from testwright.model.session import (
    BrowserEnvironment,
    Navigation,
    NavigationCause,
    SessionHead,
    SessionId,
    SessionSource,
    StorageState,
)
from testwright.model.untrusted_text import storable
from testwright.observe.archive import Archive
from testwright.observe.importers.har import Traffic, is_noise, read_entries, surroundings, traffic_gaps
from testwright.observe.importers.har_bodies import Attachments, BodyReader
from testwright.observe.importers.har_entries import Entry
from testwright.observe.importers.json_document import malformed
from testwright.observe.importers.session_input import SessionInput
from testwright.observe.importers.session_timeline import MOST_EVENTS, NOT_YET, PageSource, SessionContent, Timeline
from testwright.observe.importers.trace_actions import TestCalls
from testwright.observe.importers.trace_browser_events import BrowserEvents
from testwright.observe.importers.trace_listener import TraceListener
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.playwright_trace import Trace, TracedCall, trace_in
from testwright.observe.recording.http_bodies import MOST_PER_BODY

NEVER_THERE = (
    "what a person did by hand: a trace has the calls of a test or a script, and these stand as actions",
    "local and session storage: a trace does not have them",
    "whether an error was an unhandled rejection: a trace does not tell",
    "changes of the address without a new document: a trace does not have them",
    "WebSocket messages: a trace does not have them",
)
_NO_PAGES = "pages: this trace was recorded without snapshots, so that no selector could be tried"
_MOST_ATTACHED = 64 << 20  # bytes of all bodies
_MOST_CALLS = 10_000
_LOOKED_BACK = 20  # calls, for the last page
_MOVES = {
    "goto": NavigationCause.GOTO,
    "reload": NavigationCause.RELOAD,
    "goBack": NavigationCause.HISTORY,
    "goForward": NavigationCause.HISTORY,
}


def read_file(source: SessionInput) -> SessionContent:
    assert source.archive is not None  # a trace is always one
    return import_trace(source.archive, source.name, source.masker, source.noise)


def import_trace(archive: Archive, name: str, masker: Masker, noise: NoiseRules) -> SessionContent:
    heard = TraceListener()
    trace = trace_in(archive, heard)
    heard.settle()
    timeline = Timeline()
    tabs = _tabs(heard)
    entries, unusable = read_entries(_network(archive))
    traffic = _TracedTraffic(timeline, masker, BodyReader(masker, _attached(archive)), tabs)
    traffic.know(trace, heard)
    traffic.take([entry for entry in entries if not is_noise(entry, noise)])
    calls = TestCalls(trace, heard, masker, timeline, tabs)
    for call in trace.calls[:_MOST_CALLS]:
        calls.take(call)
    BrowserEvents(trace, heard, masker, noise, timeline, tabs).take_all()
    traffic.take_silent_moves()
    if len(trace.calls) > _MOST_CALLS:
        timeline.left_out[f"calls after the first {_MOST_CALLS:,}"] = len(trace.calls) - _MOST_CALLS
    if len(heard.happenings) > MOST_EVENTS:
        timeline.left_out["console lines and errors, because there are too many"] = len(heard.happenings) - MOST_EVENTS
    if unusable:
        timeline.left_out["requests of the file that could not be used"] = unusable
    if not timeline:
        problems = f" ({', '.join(trace.problems)})" if trace.problems else ""
        raise malformed(name, f"nothing happens in its trace{problems}")
    return _session(trace, heard, entries, traffic, noise)


class _TracedTraffic(Traffic):
    """Traffic whose navigations are known from the calls that asked for them."""

    _moves: list[tuple[float, float, TracedCall]]
    _heard: TraceListener

    def know(self, trace: Trace, heard: TraceListener) -> None:
        self._heard = heard
        asked = [call for call in trace.calls if call.method in _MOVES and not call.error]
        self._moves = [(heard.at(one.source, one.started), self._end(one), one) for one in asked]
        self._silent = {id(one) for one in asked}

    def is_page(self, entry: Entry) -> bool:
        known = self._heard.main_frames
        return entry.shows_a_page and (not known or not entry.frame or entry.frame in known)

    def cause_of(self, entry: Entry, at: float, tab: int) -> NavigationCause:
        for start, end, call in self._moves:
            if start - 1 <= at <= end and self.tabs.get(self._heard.page_of((call.source, call.id)), 1) == tab:
                self._silent.discard(id(call))
                return _MOVES[call.method]
        return NavigationCause.GOTO if entry.headers.get("sec-fetch-site") == "none" else NavigationCause.PAGE

    def take_silent_moves(self) -> None:
        """Addresses that were gone to without a request: `about:blank`, or answered from elsewhere."""
        for start, _, call in self._moves:
            url = storable(call.params.get("url", ""))
            if id(call) in self._silent and call.method == "goto" and url:
                tab = self.tabs.get(self._heard.page_of((call.source, call.id)), 1)
                self.timeline.add(
                    start,
                    Navigation(seq=NOT_YET, t=NOT_YET, tab=tab, url=self.masker.url(url), cause=NavigationCause.GOTO),
                )

    def _end(self, call: TracedCall) -> float:
        ended = self._heard.ends.get((call.source, call.id))
        return self._heard.at(call.source, ended) if ended else float("inf")


def _session(
    trace: Trace, heard: TraceListener, entries: list[Entry], traffic: Traffic, noise: NoiseRules
) -> SessionContent:
    timeline, masker = traffic.timeline, traffic.masker
    started = timeline.started
    events, pages = timeline.finish(started)
    first = next((event for event in events if isinstance(event, Navigation)), None)
    has_pages = any(trace.page_at(call) is not None for call in trace.calls[:_LOOKED_BACK])
    problems = tuple(f"a part of the trace that could not be read: {problem}" for problem in trace.problems)
    head = SessionHead(
        id=SessionId(""),
        source=SessionSource.TRACE,
        url=first.url if first else "",
        started=int(started),
        surroundings=_surroundings(heard.options, entries, masker),
        state=first.state if first else StorageState(),
        test_id_attribute=trace.test_id_attribute,
        gaps=(
            *NEVER_THERE,
            *(() if has_pages else (_NO_PAGES,)),
            *traffic_gaps(entries, traffic),
            *problems,
            *timeline.left_out_gaps(),
            *noise.told(),
        ),
    )
    return SessionContent(
        head, events, pages, ended=max((event.t for event in events), default=0), last_page=_last_page(trace)
    )


def _last_page(trace: Trace) -> PageSource | None:
    for call in reversed(trace.calls[-_LOOKED_BACK:]):
        if trace.page_at_failure(call) is not None:
            return partial(trace.page_at_failure, call)
    return None


def _surroundings(options: Mapping[str, Any], entries: list[Entry], masker: Masker) -> BrowserEnvironment:
    sent = surroundings(entries)
    viewport = options.get("viewport")
    size: tuple[int, int] | None = None
    if isinstance(viewport, dict) and all(isinstance(viewport.get(side), int) for side in ("width", "height")):
        size = (viewport["width"], viewport["height"])

    def said(name: str) -> str:
        value = options.get(name)
        return masker.text(storable(value)) if isinstance(value, str) else ""

    scale = options.get("deviceScaleFactor")
    return BrowserEnvironment(
        viewport=size,
        scale=float(scale) if isinstance(scale, int | float) and 0 < scale < 100 else 1.0,
        touch=options.get("hasTouch") is True,
        user_agent=said("userAgent") or sent.user_agent,
        locale=said("locale") or sent.locale,
        timezone=said("timezoneId"),
        color_scheme=said("colorScheme"),
    )


def _network(archive: Archive) -> Iterator[object]:
    for name in archive.names:
        if name.endswith(".network"):
            for line in archive.lines(name):
                try:
                    event = json.loads(line) if line.strip() else None
                except (ValueError, RecursionError):  # the last line of a browser that was killed, for one
                    continue
                if isinstance(event, dict) and event.get("type") == "resource-snapshot":
                    yield event.get("snapshot")


def _attached(archive: Archive) -> Attachments:
    room = _MOST_ATTACHED

    def read(name: str) -> bytes | None:
        nonlocal room
        content = archive.read_small(
            name if name.startswith("resources/") else f"resources/{name}", min(room, MOST_PER_BODY)
        )
        room -= len(content or b"")
        return content

    return read


def _tabs(heard: TraceListener) -> dict[str, int]:
    opened = [one.page for one in heard.happenings if one.kind == "page" and one.page]
    opened += heard.pages()  # a trace may begin when they are open already
    return {page: number for number, page in enumerate(dict.fromkeys(opened), start=1)}
