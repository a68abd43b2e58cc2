"""What a session shows to people and agents: events in pages that fit together while it still grows."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from testwright.model.errors import InvalidCursor, UsageError
from testwright.model.session import (
    AnySessionEvent,
    ConsoleLine,
    EventKind,
    HttpRequest,
    Navigation,
    PageError,
    SessionHead,
    SessionId,
)
from testwright.model.untrusted_text import visible_line
from testwright.observe.recording.error_ids import checked_error_id
from testwright.store.sessions import SessionReader

# What each view shows.
VIEWS: Mapping[str, tuple[EventKind, ...]] = {
    "errors": (EventKind.ERROR,),
    "actions": (EventKind.ACTION, EventKind.NAVIGATION, EventKind.DIALOG),
    "network": (EventKind.REQUEST, EventKind.SOCKET),
    "console": (EventKind.CONSOLE,),
    "timeline": tuple(EventKind),
}
START = "start"  # in the place of a cursor: from the beginning
_CURSOR = re.compile(r"([0-9a-f]{1,32})\.([0-9a-f]{1,13})")
_STATUS = re.compile(r"[1-5]xx|[1-5][0-9]{2}|failed")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which events are wanted; empty or None: any. An event without such a property is not wanted."""

    kinds: tuple[EventKind, ...] = ()
    levels: tuple[str, ...] = ()
    url: str = ""  # a glob; one that begins with / is held against the path; a text without * is looked for inside
    status: str = ""  # 404, 4xx, failed
    method: str = ""
    error_id: str = ""
    tab: int | None = None

    def __post_init__(self) -> None:
        if self.status and not _STATUS.fullmatch(self.status):
            raise UsageError(
                f"{visible_line(self.status, limit=40)!r} is not a status.",
                next_step="Give a number such as 404, a family such as 4xx, or the word failed.",
            )
        if self.error_id:
            checked_error_id(self.error_id)

    @property
    def test(self) -> Callable[[AnySessionEvent], bool] | None:
        """Whether an event is wanted, as far as its kind does not say; None: they all are."""
        tests = [test for is_asked, test in self._tests() if is_asked]
        return (lambda event: all(test(event) for test in tests)) if tests else None

    def _tests(self) -> list[tuple[bool, Callable[[AnySessionEvent], bool]]]:
        return [
            (bool(self.levels), lambda event: isinstance(event, ConsoleLine) and event.level in self.levels),
            (bool(self.url), lambda event: _fits(self.url, getattr(event, "url", ""))),
            (bool(self.status), lambda event: isinstance(event, HttpRequest | Navigation) and self._has_status(event)),
            (
                bool(self.method),
                lambda event: isinstance(event, HttpRequest) and event.method.upper() == self.method.upper(),
            ),
            (bool(self.error_id), lambda event: isinstance(event, PageError) and event.error_id == self.error_id),
            (self.tab is not None, lambda event: event.tab == self.tab),
        ]

    def _has_status(self, event: HttpRequest | Navigation) -> bool:
        if event.status is None:
            return self.status == "failed" and isinstance(event, HttpRequest)
        return str(event.status) == self.status or f"{event.status // 100}xx" == self.status


@dataclass(frozen=True, slots=True)
class EventListing:
    """Events of one session in order, and where to go on."""

    session: SessionId
    head: SessionHead
    events: tuple[AnySessionEvent, ...]
    next: str  # `since` this: what arrives after these
    more: bool  # there is more after these already
    previous: str = ""  # `before` this: what lies before these; empty: nothing does
    is_live: bool = False
    dropped: Mapping[EventKind, int] | None = None


def list_events(
    reader: SessionReader, view: str, *, only: Filter | None = None, since: str = "", before: str = "", limit: int = 100
) -> EventListing:
    """The newest events of a view; with `since` the first that arrived after it, with `before` the last before it."""
    if since and before:
        raise UsageError("--since and --before exclude each other.", next_step="Leave one of them out.")
    only = only or Filter()
    kinds = tuple(kind for kind in VIEWS[view] if not only.kinds or kind in only.kinds)
    if since:
        page = reader.after(_number(since, reader.id), limit, kinds, wanted=only.test)
    else:
        last = _number(before, reader.id) if before else None
        page = reader.latest(limit, kinds, before=last, wanted=only.test)
    return EventListing(
        session=reader.id,
        head=reader.head,
        events=page.events,
        next=_cursor(reader.id, page.newest),
        more=page.has_newer,
        previous=_cursor(reader.id, page.oldest) if page.has_older and page.events else "",
        is_live=reader.is_live,
        dropped={kind: count for kind, count in reader.dropped().items() if kind in kinds},
    )


def _cursor(session: SessionId, number: int) -> str:
    return f"{session.rpartition('_')[2]}.{number:x}"


def _number(cursor: str, session: SessionId) -> int:
    if cursor == START:
        return 0
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise InvalidCursor(
            f"{visible_line(cursor, limit=60)!r} is not a cursor.",
            next_step="Give `next` or `previous` of an earlier answer, or the word start.",
        )
    if parts[1] != session.rpartition("_")[2]:
        raise InvalidCursor(
            f"The cursor {cursor} belongs to another session than {session}.",
            next_step="Name its session with --session, or begin again without the cursor.",
        )
    return int(parts[2], 16)


def _fits(pattern: str, url: str) -> bool:
    if not url:
        return False
    text = urlsplit(url).path if pattern.startswith("/") and "?" not in pattern else url
    return fnmatchcase(text, pattern) if "*" in pattern else pattern in text
