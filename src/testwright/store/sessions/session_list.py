"""Which sessions there are, and one of them by its id."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import SessionNotFound, SessionUnreadable
from testwright.model.session import EventKind, SessionId, SessionSource
from testwright.model.untrusted_text import visible_line
from testwright.store.sessions.session_paths import session_folders
from testwright.store.sessions.session_reader import SessionReader


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
