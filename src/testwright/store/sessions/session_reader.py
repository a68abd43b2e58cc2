"""A session as it lies on disk: whole, or as much of it as somebody wants to see, also while it is still written."""

import contextlib
import fcntl
import os
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from pathlib import Path

import msgspec

from testwright.model.dom import DomSnapshot
from testwright.model.errors import SessionNotFound, SessionUnreadable
from testwright.model.session import AnySessionEvent, EventKind, Session, SessionHead, SessionId, SessionSource
from testwright.model.state_folder import SESSION_END, SESSION_HEAD, SESSION_LOCK, SESSION_PAGES, SESSION_TEXTS
from testwright.model.untrusted_text import visible_line
from testwright.store import page_bytes
from testwright.store.private_files import content_of, open_to_read, try_lock
from testwright.store.sessions.event_lines import (
    NumberedLine,
    event_in,
    newest_first,
    oldest_first,
    read_line,
    whole_lines,
)
from testwright.store.sessions.session_paths import is_blob_name, logs_in, session_folders

Wanted = Callable[[AnySessionEvent], bool]

_MOST_HEAD = 64 << 20
_MOST_TEXT = 64 << 20
_MOST_PAGE = 16 << 20
_MOST_UNPACKED_PAGE = 256 << 20


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events of a session in the order of `seq`, and what to ask with for those around them."""

    events: tuple[AnySessionEvent, ...]
    newest: int  # the number of arrival of the newest shown; what came after it has not been shown
    oldest: int
    has_newer: bool = False  # more of what was asked for has arrived after these
    has_older: bool = False  # more of what was asked for lies before these, if that is known


class _End(msgspec.Struct, frozen=True):
    ended: int | None = None
    gaps: tuple[str, ...] = ()
    last_page: str = ""


class SessionReader:
    """One session. Nothing is read before it is asked for; what is read later may be more."""

    def __init__(self, folder: Path) -> None:
        """Raises SessionUnreadable where there is no head."""
        self.folder = folder
        self.id = SessionId(folder.name)
        self.head = _head(folder)

    @property
    def end(self) -> _End:
        """How it ended; nothing known: it still goes on, or was cut off."""
        content = content_of(self.folder / SESSION_END, most=_MOST_HEAD)
        if content is None:
            return _End()
        try:
            return msgspec.json.decode(content, type=_End)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _End(gaps=("how the session ended cannot be read",))

    @property
    def is_live(self) -> bool:
        """Whether somebody writes it at this moment."""
        descriptor = open_to_read(self.folder / SESSION_LOCK)
        if descriptor is None:
            return False
        try:
            return not try_lock(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)

    def session(self, kinds: Collection[EventKind] = tuple(EventKind)) -> Session:
        """All of it, or all of these kinds."""
        end = self.end
        events: list[AnySessionEvent] = []
        gaps = [*self.head.gaps, *end.gaps]
        for kind in kinds:
            read = [_event(kind, raw) for path in self._logs.get(kind, []) for raw in whole_lines(path)]
            events.extend(event for event in read if event is not None)
            if broken := read.count(None):
                gaps.append(f"{broken} line(s) of the kind {kind} cannot be read")
        events.sort(key=lambda event: event.seq)
        unique = tuple(dict.fromkeys(gaps))
        return Session(self.head, tuple(events), self.dropped(), unique, end.ended, end.last_page)

    def latest(
        self,
        limit: int,
        kinds: Collection[EventKind] = tuple(EventKind),
        *,
        before: int | None = None,
        wanted: Wanted | None = None,
    ) -> EventPage:
        """The last `limit` events that are wanted, of those that arrived before number `before`."""
        lines = merge(*(self._newest_first(kind) for kind in kinds), key=lambda found: found[1].number, reverse=True)
        kept = ((kind, line) for kind, line in lines if before is None or line.number < before)
        found, has_older = _first_wanted(kept, limit, wanted)
        return _page(found, has_older=has_older)

    def after(
        self, number: int, limit: int, kinds: Collection[EventKind] = tuple(EventKind), *, wanted: Wanted | None = None
    ) -> EventPage:
        """The first `limit` events that are wanted, of those that arrived after `number`; 0: from the beginning."""
        lines = merge(*(self._oldest_first(kind, number) for kind in kinds), key=lambda found: found[1].number)
        found, has_newer = _first_wanted(lines, limit, wanted)
        page = _page(found, has_newer=has_newer, has_older=number > 0)
        return page if found else EventPage((), number, number, has_older=number > 0)

    def counts(self) -> dict[EventKind, int]:
        """How many events of each kind are kept."""
        found = {}
        for kind, paths in self._logs.items():
            first, last = self._ends(paths)
            if first is not None and last is not None:
                found[kind] = last.index - first.index + 1
        return found

    def dropped(self) -> dict[EventKind, int]:
        """How many events of each kind gave way to newer ones."""
        firsts = {kind: self._ends(paths)[0] for kind, paths in self._logs.items()}
        return {kind: first.index - 1 for kind, first in firsts.items() if first is not None and first.index > 1}

    def text(self, name: str) -> str | None:
        """A text that was kept apart; None: there is none of that name, or none any more."""
        if not is_blob_name(name):
            return None
        content = content_of(self.folder / SESSION_TEXTS / name, most=_MOST_TEXT)
        return None if content is None else content.decode("utf-8", "replace")

    def page(self, name: str) -> DomSnapshot | None:
        """A page that was kept; None: there is none of that name, or none any more."""
        if not is_blob_name(name):
            return None
        content = content_of(self.folder / SESSION_PAGES / name, most=_MOST_PAGE)
        if content is None or not _unpacks_within(content, _MOST_UNPACKED_PAGE):
            return None
        return page_bytes.decoded(content)

    @property
    def _logs(self) -> dict[EventKind, list[Path]]:
        try:
            return logs_in(self.folder)
        except OSError:  # it was removed while we looked
            return {}

    @staticmethod
    def _ends(paths: list[Path]) -> tuple[NumberedLine | None, NumberedLine | None]:
        first = next((line for path in paths for line in oldest_first(path)), None)
        last = next((line for path in reversed(paths) for line in newest_first(path)), None)
        return first, last

    def _newest_first(self, kind: EventKind) -> Iterator[tuple[EventKind, NumberedLine]]:
        for path in reversed(self._logs.get(kind, [])):
            for line in newest_first(path):
                yield kind, line

    def _oldest_first(self, kind: EventKind, after: int) -> Iterator[tuple[EventKind, NumberedLine]]:
        for path in self._logs.get(kind, []):
            for line in oldest_first(path, after=after):
                yield kind, line


def _event(kind: EventKind, raw: bytes) -> AnySessionEvent | None:
    line = read_line(raw)
    return None if line is None else event_in(kind, line)


def _head(folder: Path) -> SessionHead:
    content = content_of(folder / SESSION_HEAD, most=_MOST_HEAD)
    try:
        return msgspec.json.decode(content or b"", type=SessionHead)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SessionUnreadable(
            f"The session {folder.name} has no head that can be read.",
            next_step=f"Choose another with --session, or remove {folder}.",
        ) from error


def _first_wanted(
    lines: Iterable[tuple[EventKind, NumberedLine]], limit: int, wanted: Wanted | None
) -> tuple[list[tuple[int, AnySessionEvent]], bool]:
    """The first `limit` events that are wanted, each with its number, and whether there is yet another."""
    found: list[tuple[int, AnySessionEvent]] = []
    for kind, line in lines:
        event = event_in(kind, line)
        if event is None or (wanted is not None and not wanted(event)):
            continue
        if len(found) == limit:
            return found, True
        found.append((line.number, event))
    return found, False


def _page(found: list[tuple[int, AnySessionEvent]], *, has_newer: bool = False, has_older: bool = False) -> EventPage:
    numbers = [number for number, _ in found] or [0]
    events = sorted((event for _, event in found), key=lambda event: event.seq)
    return EventPage(tuple(events), max(numbers), min(numbers), has_newer, has_older)


def _unpacks_within(content: bytes, most: int) -> bool:
    """Whether packed bytes come to no more than so many: a small file can hold a flood."""
    unpacker = zlib.decompressobj()
    try:
        unpacker.decompress(content, most)
    except zlib.error:
        return False
    return not unpacker.unconsumed_tail


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in one row. `started` in milliseconds since 1970; `ended` in milliseconds since then, None: no end."""

    id: SessionId
    source: SessionSource
    url: str
    title: str
    started: int
    ended: int | None
    is_live: bool
    counts: Mapping[EventKind, int]


def list_sessions(root: Path) -> list[SessionSummary]:
    """The sessions of the project at `root`, the newest first. One without a head that can be read is left out."""
    found = []
    for _, folder in session_folders(root):
        with contextlib.suppress(SessionUnreadable):
            found.append(summary_of(SessionReader(folder)))
    return found


def summary_of(reader: SessionReader) -> SessionSummary:
    head = reader.head
    return SessionSummary(
        reader.id, head.source, head.url, head.title, head.started, reader.end.ended, reader.is_live, reader.counts()
    )


def open_session(root: Path, id: str = "") -> SessionReader:  # noqa: A002  what everybody calls it
    """The session with that id, or the newest. Raises SessionNotFound, which names those there are."""
    known = dict(session_folders(root))
    if not known:
        raise SessionNotFound(
            "There is no session in this project yet.", next_step="Record one with: testwright record URL"
        )
    if id:
        if SessionId(id) not in known:
            raise SessionNotFound(
                f"There is no session {visible_line(id, limit=80)!r}. There are: {_some(list(known))}.",
                next_step="`testwright observe sessions` lists them; without --session the newest is taken.",
            )
        return SessionReader(known[SessionId(id)])
    for folder in known.values():
        with contextlib.suppress(SessionUnreadable):
            return SessionReader(folder)
    return SessionReader(next(iter(known.values())))  # which says what is wrong with it


def _some(ids: list[SessionId]) -> str:
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
