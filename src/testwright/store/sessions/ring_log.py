"""The events of one kind, appended to files of limited size: the oldest give way to the newest."""

import contextlib
import os
from pathlib import Path

from testwright.model.session import EventKind
from testwright.store.file_errors import named_file_errors
from testwright.store.private_files import append_lines
from testwright.store.sessions.event_lines import numbered
from testwright.store.sessions.session_paths import log_name

_MIB = 1 << 20
# Bytes for each kind. What a test is made of has room for days of work; what floods has less.
CAPS = {
    EventKind.NAVIGATION: 8 * _MIB,
    EventKind.ACTION: 16 * _MIB,
    EventKind.REQUEST: 32 * _MIB,
    EventKind.SOCKET: 8 * _MIB,
    EventKind.CONSOLE: 8 * _MIB,
    EventKind.ERROR: 8 * _MIB,
    EventKind.TAB: 2 * _MIB,
    EventKind.DIALOG: 2 * _MIB,
}


class RingLog:
    """The log of one kind. Each line is one write, so that a kill leaves at most its last line torn."""

    def __init__(self, folder: Path, kind: EventKind, cap: int) -> None:
        self.most_line_bytes = cap // 2  # what may fill a whole generation, and no more
        self._folder, self._kind = folder, kind
        self._generation = -1
        self._descriptor: int | None = None
        self._size = 0
        self._index = 0

    def append(self, number: int, event: bytes) -> None:
        line = numbered(number, self._index + 1, event)
        if self._descriptor is None or (self._size and self._size + len(line) > self.most_line_bytes):
            self._begin_generation()
        self._write(line)
        self._index += 1

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _begin_generation(self) -> None:
        path = self._folder / log_name(self._kind, self._generation + 1)
        with named_file_errors(path):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW
            descriptor = os.open(path, flags, 0o600)
        self.close()
        self._descriptor, self._size = descriptor, 0
        self._generation += 1
        with contextlib.suppress(OSError):  # it is only in the way: the next one to begin does not miss it
            (self._folder / log_name(self._kind, self._generation - 2)).unlink(missing_ok=True)

    def _write(self, line: bytes) -> None:
        assert self._descriptor is not None
        with named_file_errors(self._folder / log_name(self._kind, self._generation)):
            append_lines(self._descriptor, line)
        self._size += len(line)
