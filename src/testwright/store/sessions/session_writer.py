"""A session while it is written. What `add` was given is safe once it has returned, unless the power fails."""

import contextlib
import fcntl
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.session import KINDS, AnySessionEvent, EventKind, PageError, SessionHead, SessionId
from testwright.model.state_folder import (
    SESSION_END,
    SESSION_HEAD,
    SESSION_LOCK,
    SESSION_PAGES,
    SESSION_TEXTS,
    page_name,
)
from testwright.store import page_bytes
from testwright.store.private_files import named_file_errors, open_to_read, prepare_folder, replace_file, try_lock
from testwright.store.sessions.bounded_files import CAPS, BoundedFolder, RingLog
from testwright.store.sessions.event_lines import json_bytes
from testwright.store.sessions.session_paths import is_blob_name, make_session_folder, session_folders

_MIB = 1 << 20
_MOST_PAGES = 60
_MOST_TEXTS = 5_000
_MOST_BYTES = 1 << 30


def new_session(root: Path) -> "SessionWriter":
    """Begin a session of the project at `root`; old ones that nothing hangs on make room for it."""
    prune_sessions(root)
    return SessionWriter(make_session_folder(root))


class SessionWriter:
    """Keeps one session in `folder`. A `SessionSink` for what watches a browser; everything it is given is masked.

    An event that cannot be kept (a full disk, a line beyond all measure) is counted, not raised: the watching goes on.
    """

    def __init__(self, folder: Path) -> None:
        prepare_folder(folder)
        self.folder = folder
        self.id = SessionId(folder.name)
        self.trouble: TestwrightError | None = None  # why the last event that was lost was lost
        with named_file_errors(folder / SESSION_LOCK):
            # Held as long as we live: it tells a session that goes on from one whose writer died.
            self._lock: int | None = os.open(
                folder / SESSION_LOCK, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600
            )
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._logs = {kind: RingLog(folder, kind, cap) for kind, cap in CAPS.items()}
        self._pages = BoundedFolder(
            folder / SESSION_PAGES, most_bytes=64 * _MIB, most_files=_MOST_PAGES, largest=8 * _MIB
        )
        self._texts = BoundedFolder(
            folder / SESSION_TEXTS, most_bytes=64 * _MIB, most_files=_MOST_TEXTS, largest=16 * _MIB
        )
        self._number = 0
        self._lost: Counter[EventKind] = Counter()

    def begin(self, head: SessionHead) -> None:
        """Write the head. Again, where more has become known of how the session began."""
        replace_file(self.folder / SESSION_HEAD, json_bytes(head))

    def add(self, event: AnySessionEvent) -> None:
        kind = KINDS[type(event)]
        log, spelled = self._logs[kind], json_bytes(event)
        if len(spelled) + 64 > log.most_line_bytes:
            self._lost[kind] += 1
            return
        try:
            log.append(self._number + 1, spelled)
        except TestwrightError as error:
            self.trouble = error
            self._lost[kind] += 1
            return
        self._number += 1
        if isinstance(event, PageError):
            self._pages.spare(event.page)
            self._texts.spare(event.aria)

    def keep_page(self, seq: int, page: DomSnapshot) -> str:
        return self._kept(self._pages, page_name(seq), page_bytes.encoded(page))

    def keep_text(self, name: str, text: str) -> str:
        content = text.encode("utf-8", "replace")
        return self._kept(self._texts, _free_name(name, self._texts), content)

    def finish(
        self, *, ended: int, gaps: Iterable[str], last_page: str = "", remask: Callable[[str], str] | None = None
    ) -> None:
        """Write the last word. `remask`: values turned out to be secret after some of them had been written."""
        for log in self._logs.values():
            log.close()
        told = [*gaps, *self._own_gaps()]
        if remask is not None:  # before the end is written: what has an end is masked
            from testwright.store.sessions.session_remasker import remask_files  # late: start-up: only now, and seldom

            remask_files(self.folder, remask)
            told = [remask(gap) for gap in told]
        replace_file(self.folder / SESSION_END, json_bytes({"ended": ended, "gaps": told, "last_page": last_page}))
        self.close()

    def close(self) -> None:
        """Let go of the session; without `finish` before, it counts as cut off."""
        for log in self._logs.values():
            log.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _kept(self, shelf: BoundedFolder, name: str, content: bytes) -> str:
        try:
            return name if shelf.put(name, content) else ""
        except TestwrightError as error:
            self.trouble = error
            return ""

    def _own_gaps(self) -> list[str]:
        why = f": {self.trouble.message}" if self.trouble is not None else ", because they were too large"
        return [f"{count} event(s) of the kind {kind} were not kept{why}" for kind, count in self._lost.items()]


def _free_name(wanted: str, shelf: BoundedFolder) -> str:
    """A name that can name a file, and that no other text has."""
    name = re.sub(r"[^0-9A-Za-z._-]", "-", wanted)[:80]
    if not is_blob_name(name):
        name = f"text-{name}"
    found, number = name, 1
    while found in shelf:
        number += 1
        found = f"{name}-{number}"
    return found


def prune_sessions(root: Path, *, keep: int = 20, most_bytes: int = _MOST_BYTES) -> list[SessionId]:
    """Remove all but the newest `keep` sessions, and more while they take too much room; the ids of those removed.

    One that is still written stays, and so does one that a baseline was made of.
    """
    # late: start-up: to look at a session needs none
    from testwright.store.sessions.baseline_files import sessions_of_baselines

    spared = sessions_of_baselines(root)
    removed: list[SessionId] = []
    kept, taken = 0, 0
    for session, folder in session_folders(root):
        size = _size_of(folder)
        if session in spared:
            continue
        if kept < keep and taken + size <= most_bytes:
            kept += 1
            taken += size
            continue
        with _unwritten(folder) as is_ours:
            if is_ours:
                shutil.rmtree(folder, ignore_errors=True)
                removed.append(session)
    return removed


@contextlib.contextmanager
def _unwritten(folder: Path) -> Iterator[bool]:
    """Whether the session is over. A folder without a lock has just been made, unless it has an end."""
    descriptor = open_to_read(folder / SESSION_LOCK)
    if descriptor is None:
        yield (folder / SESSION_END).exists()
        return
    try:
        yield try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _size_of(folder: Path) -> int:
    total = 0
    for above, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(above) / name).lstat().st_size
    return total
