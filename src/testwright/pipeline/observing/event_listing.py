"""What a session shows to people and agents: events in pages that fit together while it still grows."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

import msgspec

from testwright.model.errors import InvalidCursor, UsageError
from testwright.model.session import (
    KINDS,
    REDACTED,
    Action,
    ActionTarget,
    AnySessionEvent,
    ConsoleLine,
    Dialog,
    EventKind,
    HttpRequest,
    MessageBody,
    Navigation,
    PageError,
    Secret,
    SessionHead,
    SessionId,
    SocketEvent,
    TabEvent,
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
LONGEST_INLINE = 2048  # characters of a body within a list
_MOST_FRAMES = 8
_MOST_CANDIDATES = 3
_ONLY_IN_FULL = ("args", "headers", "answer_headers", "state")
Texts = Callable[[str], str | None]  # a session's long texts by their name


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


def in_words(event: AnySessionEvent) -> str:
    """What happened, in one line."""
    match event:
        case Navigation():
            status = f" {event.status}" if event.status is not None else ""
            return f"{event.cause} {event.url}{status}"
        case Action():
            return _action_in_words(event)
        case HttpRequest():
            return f"{event.method} {short_url(event.url)} {_outcome(event)}"
        case SocketEvent():
            said = event.text if event.text is not None else f"{event.size} bytes" if event.size else event.url
            return f"socket {event.socket} {event.what} {said}".rstrip()
        case ConsoleLine():
            return f"{event.level}: {event.text}"
        case PageError():
            return f"{event.error_id} {error_in_words(event)}"
        case TabEvent():
            by = f" by tab {event.opener}" if event.opener is not None else ""
            return f"tab {event.tab} {event.what}{by} {event.url}".rstrip()
        case Dialog():
            answers = {True: " accepted", False: " dismissed", None: ""}
            return f'{event.type} "{event.message}"{answers[event.accepted]}'


def error_in_words(error: PageError) -> str:
    if error.name and not error.message.startswith(error.name):
        return f"{error.name}: {error.message}"
    return error.message or error.name or error.source


def short_url(url: str) -> str:
    """Host and what follows it; a document within an address is not spelled out."""
    if url.startswith(("data:", "blob:")):
        return url[:60]
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}{'?' + parts.query if parts.query else ''}" if parts.netloc else url


def target_in_words(target: ActionTarget) -> str:
    called = f'{target.role or target.tag or "element"} "{target.name}"' if target.name else target.role or target.tag
    best = target.best or (target.candidates[0] if target.candidates else None)
    return called or (best.selector if best is not None else "an element")


def _action_in_words(action: Action) -> str:
    words = f"{action.type} {target_in_words(action.target)}"
    if action.onto is not None:
        words += f" onto {target_in_words(action.onto)}"
    if isinstance(action.value, Secret):
        words += f" = {REDACTED} ({action.value.name})"
    elif action.value:
        words += f" = {action.value!r}"
    if action.values:
        words += f" = {', '.join(action.values)}"
    return words


def _outcome(request: HttpRequest) -> str:
    took = f" in {request.ended - request.t} ms" if request.ended is not None else ""
    return f"{request.status if request.status is not None else request.failure or 'no answer'}{took}"


def brief_row(event: AnySessionEvent) -> dict[str, Any]:
    """An event as a row of the timeline."""
    row: dict[str, Any] = {"seq": event.seq, "t": event.t, "kind": KINDS[type(event)].value, "what": in_words(event)}
    if len(row["what"]) > LONGEST_INLINE:
        row["what"] = row["what"][:LONGEST_INLINE] + "…"
    if isinstance(event, PageError):
        row["error_id"] = event.error_id
    if event.tab != 1:
        row["tab"] = event.tab
    if event.after is not None:
        row["after"] = event.after
    return row


def full_row(event: AnySessionEvent, texts: Texts, *, full: bool = False) -> dict[str, Any]:
    """An event with all that is known of it. `full`: with long texts and with every candidate and frame."""
    values: dict[str, Any] = msgspec.to_builtins(event)
    for name in ("sent", "received"):
        body = getattr(event, name, None)
        if isinstance(body, MessageBody):
            values[name] = _body(body, texts, full=full)
    if not full:
        _shorten(values)
    return _without_empty_fields({"seq": event.seq, "t": event.t, "kind": KINDS[type(event)].value, **values})


def _body(body: MessageBody, texts: Texts, *, full: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"mime": body.mime, "size": body.size, "note": body.note, "blob": body.blob}
    if full:
        text = body.text if body.text is not None or not body.blob else texts(body.blob)
    else:
        text = body.text if body.text is not None and len(body.text) <= LONGEST_INLINE else None
        if text is None and (body.text is not None or body.blob):
            shown["note"] = body.note or "long: --full shows it"
    return {**shown, "text": text}


def _shorten(values: dict[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, str) and len(value) > LONGEST_INLINE:
            values[name] = value[:LONGEST_INLINE] + "…"
    stack = values.get("stack")
    if isinstance(stack, list | tuple) and len(stack) > _MOST_FRAMES:
        values["stack"] = stack[:_MOST_FRAMES]
        values["frames_left_out"] = len(stack) - _MOST_FRAMES
    for target in (values.get("target"), values.get("onto")):
        if target:
            target["candidates"] = target["candidates"][:_MOST_CANDIDATES]
    for name in _ONLY_IN_FULL:
        values.pop(name, None)


def _without_empty_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Without fields that say nothing: agents pay for each word. That a dialog was not accepted says something."""
    kept = {key: _without_empty(value) for key, value in values.items()}
    return {
        key: value
        for key, value in kept.items()
        if value not in ("", None, [], {}) and (value is not False or key == "accepted")
    }


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return _without_empty_fields(value)
    return [_without_empty(one) for one in value] if isinstance(value, list | tuple) else value
