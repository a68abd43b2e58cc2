"""HAR files, as Chrome, Firefox, Playwright and proxies write them: the network traffic of pages, and nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from testwright.masking.masker import Masker
from testwright.model.session import (
    BrowserEnvironment,
    Navigation,
    NavigationCause,
    SessionHead,
    SessionId,
    SessionSource,
    SocketEvent,
    SocketMoment,
    StorageState,
    TabEvent,
)
from testwright.model.strict_json import JsonObject
from testwright.observe.importers.har_bodies import Attachments, BodyReader, no_attachments
from testwright.observe.importers.har_entries import Entry, as_request, cookies_sent, read_entry
from testwright.observe.importers.json_document import malformed
from testwright.observe.importers.json_fields import (
    WrongTypeError,
    checked_object,
    number_of,
    object_or_empty,
    objects_of,
    text_of,
)
from testwright.observe.importers.session_input import SessionInput
from testwright.observe.importers.session_timeline import MOST_EVENTS, NOT_YET, SessionContent, Stamp, Timeline
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.http_bodies import MOST_PER_BODY

NEVER_THERE = (
    "actions: a HAR file does not say what the user did",
    "errors and console lines: a HAR file has no scripts' output",
    "pages: a HAR file does not show them, only the documents as they were sent",
    "local and session storage: a HAR file has none",
)
_NO_COOKIES = "cookies and login headers: this file was exported without them, or there were none"
_NO_BODIES = "contents of answers: this file was exported without them"
_NO_FRAMES = "WebSocket messages: this file names {0} WebSocket(s) and not what was said on them"
_MOST_FRAME = 64 << 10


def read_file(source: SessionInput) -> SessionContent:
    archive = source.archive
    attachments = no_attachments if archive is None else partial(archive.read_small, most=MOST_PER_BODY)
    return import_har(source.document, source.name, source.masker, source.noise, attachments)


def import_har(
    har: JsonObject, name: str, masker: Masker, noise: NoiseRules, attachments: Attachments = no_attachments
) -> SessionContent:
    """A HAR document as a session. `attachments`: the files beside it in an archive."""
    log = har.get("log")
    if not isinstance(log, dict) or not isinstance(log.get("entries"), list):
        raise malformed(name, "it has no log with entries, as a HAR file must")
    entries, left_out = read_entries(log["entries"])
    if not entries:
        raise malformed(name, "no entry of it can be used" if left_out else "it holds no requests")
    tabs = _tabs(log, entries)
    titles = {} if tabs else _titles(log)  # a tab has had many titles
    reading = Traffic(Timeline(), masker, BodyReader(masker, attachments), tabs, titles=titles)
    if left_out:
        reading.timeline.left_out["entries of the file that could not be used"] = left_out
    reading.take([entry for entry in entries if not is_noise(entry, noise)])
    return _session(reading, entries, noise)


def read_entries(raws: Iterable[object]) -> tuple[list[Entry], int]:
    """Those that can be used, by the time they began, and how many cannot."""
    found: list[Entry] = []
    left_out = 0
    for raw in raws:
        if len(found) >= MOST_EVENTS:
            left_out += 1
            continue
        try:
            found.append(read_entry(checked_object(raw, "entry")))
        except WrongTypeError:
            left_out += 1
    return found, left_out


@dataclass
class Traffic:
    """Puts entries on a timeline: requests, the navigations that some of them are, and WebSockets."""

    timeline: Timeline
    masker: Masker
    bodies: BodyReader
    tabs: Mapping[str, int]  # by what the file calls a page
    sockets_without_words: int = 0
    addresses: dict[int, str] = field(default_factory=dict)  # tab -> where it is
    titles: Mapping[str, str] = field(default_factory=dict)
    _last: float = 0.0

    def take(self, entries: list[Entry]) -> None:
        self._last = min((one.at for one in entries if one.at is not None), default=0.0)
        timed = []
        for entry in entries:
            self._last = entry.at if entry.at is not None else self._last  # without a time: when the one before was
            timed.append((self._last, entry))
        for at, entry in sorted(timed, key=lambda one: one[0]):
            tab = self.tabs.get(entry.page, 1)
            if entry.is_socket:
                self._take_socket(at, tab, entry)
            else:
                self._take_request(at, tab, entry)

    def is_page(self, entry: Entry) -> bool:
        return entry.shows_a_page

    def cause_of(self, entry: Entry, at: float, tab: int) -> NavigationCause:  # noqa: ARG002  others look at the time
        return entry.cause(is_first=not self.addresses, before=self.addresses.get(tab, ""))

    def _take_request(self, at: float, tab: int, entry: Entry) -> None:
        self.timeline.add_made(at, tab, lambda stamp: as_request(entry, self.masker, self.bodies, stamp))
        if self.is_page(entry):
            cause = self.cause_of(entry, at, tab)
            self.addresses[tab] = entry.url
            self.timeline.add(
                at,
                Navigation(
                    seq=NOT_YET,
                    t=NOT_YET,
                    tab=tab,
                    url=self.masker.url(entry.url),
                    cause=cause,
                    method=entry.method,
                    status=entry.status,
                    state=cookies_sent(entry, self.masker),
                    title=self.masker.text(self.titles.get(entry.page, "")),
                ),
            )

    def _take_socket(self, at: float, tab: int, entry: Entry) -> None:
        opened: list[int] = []

        def opening(stamp: Stamp) -> SocketEvent:
            opened.append(stamp.seq)
            return SocketEvent(
                seq=stamp.seq,
                t=stamp.t,
                tab=tab,
                after=stamp.after,
                socket=stamp.seq,
                what=SocketMoment.OPENED,
                url=self.masker.url(entry.url),
            )

        self.timeline.add_made(at, tab, opening)
        try:
            messages = list(objects_of(entry.raw, "_webSocketMessages"))
        except WrongTypeError:
            messages = []
        if not messages:
            self.sockets_without_words += 1
        for message in messages:
            self._take_message(at, tab, message, opened)

    def _take_message(self, opened_at: float, tab: int, message: JsonObject, opened: list[int]) -> None:
        try:
            at = max(opened_at, number_of(message, "time") * 1000)
            what = SocketMoment.SENT if text_of(message, "type") == "send" else SocketMoment.RECEIVED
            data, is_text = text_of(message, "data"), number_of(message, "opcode", 1) == 1
        except WrongTypeError:
            self.timeline.left_out["WebSocket messages that could not be used"] += 1
            return
        note = "" if is_text and len(data) <= _MOST_FRAME else "too_large" if is_text else "binary"
        self.timeline.add_made(
            at,
            tab,
            lambda stamp: SocketEvent(
                seq=stamp.seq,
                t=stamp.t,
                tab=tab,
                after=stamp.after,
                socket=opened[0],
                what=what,
                text=None if note else self.masker.body(data, ""),
                size=len(data.encode()),
                note=note,
            ),
        )


def surroundings(entries: list[Entry]) -> BrowserEnvironment:
    """What requests say of the browser that sent them."""
    agent = next((one.headers["user-agent"] for one in entries if "user-agent" in one.headers), "")
    languages = next((one.headers["accept-language"] for one in entries if "accept-language" in one.headers), "")
    return BrowserEnvironment(user_agent=agent, locale=languages.partition(",")[0].partition(";")[0].strip("* "))


def traffic_gaps(entries: list[Entry], traffic: Traffic) -> list[str]:
    """What this file lacks although files of its kind can have it."""
    found = []
    if entries and not any(
        "cookie" in one.headers or "authorization" in one.headers or one.set_cookies for one in entries
    ):
        found.append(_NO_COOKIES)
    answered = [one for one in entries if one.status is not None and not one.is_socket]
    if answered and not any(
        {"text", "_file", "_sha1"} & object_or_empty(one.response.get("content")).keys() for one in answered
    ):
        found.append(_NO_BODIES)
    if traffic.sockets_without_words:
        found.append(_NO_FRAMES.format(traffic.sockets_without_words))
    return found


def is_noise(entry: Entry, noise: NoiseRules) -> bool:
    return noise.drops_socket(entry.url) if entry.is_socket else noise.drops_request(entry.url)


def _session(traffic: Traffic, entries: list[Entry], noise: NoiseRules) -> SessionContent:
    timeline, masker = traffic.timeline, traffic.masker
    for page, tab in traffic.tabs.items():
        mine = [one.at for one in entries if one.page == page and one.at is not None]
        if tab > 1 and mine:
            timeline.add(min(mine) - 0.5, TabEvent(seq=NOT_YET, t=NOT_YET, tab=tab, what="opened"))
    started = timeline.started
    events, _ = timeline.finish(started)
    first = next((event for event in events if isinstance(event, Navigation)), None)
    head = SessionHead(
        id=SessionId(""),
        source=SessionSource.HAR,
        url=first.url if first else masker.url(entries[0].url),
        started=int(started),
        surroundings=surroundings(entries),
        state=first.state if first else StorageState(),
        title=first.title if first else "",
        gaps=(*NEVER_THERE, *traffic_gaps(entries, traffic), *timeline.left_out_gaps(), *noise.told()),
    )
    return SessionContent(head, events, ended=max((_end(event) for event in events), default=0))


def _end(event: object) -> int:
    ended = getattr(event, "ended", None)
    return ended if isinstance(ended, int) else int(getattr(event, "t", 0))


def _tabs(log: JsonObject, entries: list[Entry]) -> dict[str, int]:
    """Playwright's pages are tabs; in other files a page is a document, and all are in one tab."""
    creator = log.get("creator")
    if not (isinstance(creator, dict) and creator.get("name") == "Playwright"):
        return {}
    names = dict.fromkeys(one.page for one in sorted(entries, key=lambda one: one.at or 0.0) if one.page)
    return {name: number for number, name in enumerate(names, start=1)}


def _titles(log: JsonObject) -> dict[str, str]:
    try:
        found = {text_of(page, "id"): text_of(page, "title") for page in objects_of(log, "pages")}
    except WrongTypeError:
        return {}
    return {name: title for name, title in found.items() if "://" not in title}  # Chrome calls a page by its address
