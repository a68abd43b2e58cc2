"""One error with all that belongs to it, such as what was done before it and the page; and errors that are the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from testwright.model.errors import NoErrorContext
from testwright.model.session import (
    Action,
    AnySessionEvent,
    ConsoleLine,
    Dialog,
    ErrorId,
    ErrorSource,
    EventKind,
    HttpRequest,
    Navigation,
    NavigationCause,
    PageError,
    Session,
    SessionId,
    SocketEvent,
    TabEvent,
)
from testwright.observe.recording.error_ids import checked_error_id
from testwright.pipeline.observing.event_listing import full_row
from testwright.pipeline.observing.page_outline import outline
from testwright.store.sessions import SessionReader

_BEFORE_MS, _AFTER_MS = 2_000, 500  # what is said within this time counts as near
_MOST_LINES = 50


@dataclass(frozen=True, slots=True)
class ErrorBundle:
    error: PageError
    start: Navigation | None  # the last full navigation before it
    cause: AnySessionEvent | None  # the action or navigation it came after
    actions: tuple[AnySessionEvent, ...] = ()  # since the start, with the dialogs they met and where they led
    requests: tuple[HttpRequest, ...] = ()
    sockets: tuple[SocketEvent, ...] = ()
    console: tuple[ConsoleLine, ...] = ()
    same: int = 1  # how many errors of the session have its fingerprint
    page: str = ""  # in words
    gaps: tuple[str, ...] = ()

    def shape(self, reader: SessionReader, *, full: bool = False) -> dict[str, Any]:
        def rows(events: tuple[AnySessionEvent, ...]) -> list[dict[str, Any]]:
            return [full_row(event, reader.text, full=full) for event in events]

        return {
            "error": full_row(self.error, reader.text, full=full),
            "start": full_row(self.start, reader.text, full=full) if self.start is not None else None,
            "cause": self.cause.seq if self.cause is not None else None,
            "actions": rows(self.actions),
            "requests": rows(self.requests),
            "sockets": rows(self.sockets),
            "console": rows(self.console),
            "occurrences": self.same,
            "page": self.page,
            "gaps": list(self.gaps),
        }


def error_bundle(reader: SessionReader, error_id: str = "") -> ErrorBundle:
    """The error with that id, or the newest. Raises NoErrorContext, or InvalidErrorId for what cannot be an id."""
    wanted = checked_error_id(error_id) if error_id else ""
    session = reader.session()
    error = next((one for one in reversed(session.errors) if not wanted or one.error_id == wanted), None)
    if error is None:
        raise _no_error(session, error_id)
    return _bundle(session, error, reader)


def _no_error(session: Session, error_id: str) -> NoErrorContext:
    if not session.errors:
        return NoErrorContext(
            f"The session {session.head.id} has no errors.",
            next_step="Trigger the error while `testwright record` is running, then ask again.",
        )
    known = ", ".join(error.error_id for error in session.errors[-3:])
    return NoErrorContext(
        f"The session {session.head.id} has no error {error_id}. The last ones are: {known}.",
        next_step="`testwright observe errors` lists them; --session names another session.",
    )


def _bundle(session: Session, error: PageError, reader: SessionReader) -> ErrorBundle:
    before = [event for event in session.events if event.seq <= error.seq]
    start = _start(before, error.tab)
    since = start.seq if start is not None else 0
    cause = next((event for event in before if event.seq == error.after), None)
    caused_from = cause.seq if cause is not None else since
    near = [
        event
        for event in session.events
        if isinstance(event, ConsoleLine) and error.t - _BEFORE_MS <= event.t <= error.t + _AFTER_MS
    ]
    return ErrorBundle(
        error=error,
        start=start,
        cause=cause,
        actions=tuple(
            event
            for event in before
            if event.seq > since and isinstance(event, Action | Navigation | Dialog | TabEvent)
        ),
        requests=tuple(
            event
            for event in before
            if isinstance(event, HttpRequest) and (event.seq > caused_from or _is_in_flight(event, error.t))
        ),
        sockets=tuple(event for event in before if isinstance(event, SocketEvent) and event.seq > caused_from),
        console=tuple(near[-_MOST_LINES:]),
        same=sum(one.fingerprint == error.fingerprint for one in session.errors),
        page=_page_in_words(reader, error),
        gaps=session.gaps,
    )


def _start(before: list[AnySessionEvent], tab: int) -> Navigation | None:
    """The last full navigation of the tab; of a tab that another one opened, that one's before it did."""
    openings = {event.tab: event for event in before if isinstance(event, TabEvent) and event.what == "opened"}
    seen: set[int] = set()
    until = before[-1].seq + 1 if before else 0
    found: Navigation | None = None
    while tab not in seen:
        seen.add(tab)
        for event in before:
            is_full = isinstance(event, Navigation) and event.cause is not NavigationCause.SAME_DOCUMENT
            if is_full and event.tab == tab and event.seq < until:
                assert isinstance(event, Navigation)
                found = event
        opening = openings.get(tab)
        if opening is None or opening.opener is None:
            break
        tab, until = opening.opener, opening.seq
    return found


def _is_in_flight(request: HttpRequest, t: int) -> bool:
    return request.t <= t and (request.ended is None or request.ended >= t)


def _page_in_words(reader: SessionReader, error: PageError) -> str:
    if error.aria and (kept := reader.text(error.aria)):
        return kept
    page = reader.page(error.page) if error.page else None
    return "\n".join(outline(page)) if page is not None else ""


@dataclass(frozen=True, slots=True)
class ErrorCluster:
    """The same error, as often as it was seen. `first` and `last` in milliseconds since 1970."""

    fingerprint: str
    name: str
    message: str  # of the newest
    source: ErrorSource
    count: int
    first: int
    last: int
    sessions: tuple[SessionId, ...]  # the newest first
    sample: ErrorId  # the newest, in the first of the sessions
    urls: tuple[str, ...] = ()


def error_clusters(readers: Iterable[SessionReader]) -> list[ErrorCluster]:
    """The most frequent first. `readers`: the newest session first."""
    found: dict[str, list[tuple[SessionId, int, PageError]]] = {}
    for reader in readers:
        for error in reader.session([EventKind.ERROR]).errors:
            key = error.fingerprint or f"{error.name}\0{error.message}"
            found.setdefault(key, []).append((reader.id, reader.head.started + error.t, error))
    clusters = [_cluster(seen) for seen in found.values()]
    return sorted(clusters, key=lambda one: (-one.count, -one.last))


def _cluster(seen: list[tuple[SessionId, int, PageError]]) -> ErrorCluster:
    sessions = tuple(dict.fromkeys(session for session, _, _ in seen))
    newest = max((one for one in seen if one[0] == sessions[0]), key=lambda one: one[2].seq)[2]
    moments = [moment for _, moment, _ in seen]
    return ErrorCluster(
        fingerprint=newest.fingerprint,
        name=newest.name,
        message=newest.message,
        source=newest.source,
        count=len(seen),
        first=min(moments),
        last=max(moments),
        sessions=sessions,
        sample=newest.error_id,
        urls=tuple(dict.fromkeys(error.url for _, _, error in seen if error.url))[:5],
    )
