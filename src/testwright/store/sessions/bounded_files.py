"""What a session may take of the disk: logs and folders of limited size, in which the oldest gives way."""

import contextlib
import os
from pathlib import Path

from testwright.model.session import EventKind
from testwright.store.private_files import append_lines, named_file_errors, replace_file
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
    """The events of one kind. Each line is one write, so that a kill leaves at most its last line torn."""

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


class BoundedFolder:
    """Pages and long texts, each a file of its own: what belongs to an error goes last."""

    def __init__(self, folder: Path, *, most_bytes: int, most_files: int, largest: int) -> None:
        self._folder = folder
        self._most_bytes, self._most_files, self._largest = most_bytes, most_files, largest
        self._sizes: dict[str, int] = {}  # the oldest first
        self._spared: dict[str, int] = {}
        self._bytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._sizes or name in self._spared

    def put(self, name: str, content: bytes) -> bool:
        """False: it is too large, or what has to stay takes all the room."""
        if len(content) > min(self._largest, self._most_bytes):
            return False
        self._forget(name)
        while self._sizes and self._is_full_with(len(content)):
            self._remove(next(iter(self._sizes)))
        if self._bytes + len(content) > self._most_bytes:
            return False
        with named_file_errors(self._folder):
            self._folder.mkdir(mode=0o700, exist_ok=True)
        replace_file(self._folder / name, content)
        self._sizes[name] = len(content)
        self._bytes += len(content)
        return True

    def spare(self, name: str) -> None:
        """Keep this one as long as there are not too many such; after that it is one like any other."""
        if name in self._sizes and len(self._spared) < self._most_files:
            self._spared[name] = self._sizes.pop(name)

    def _is_full_with(self, more: int) -> bool:
        return len(self._sizes) >= self._most_files or self._bytes + more > self._most_bytes

    def _remove(self, name: str) -> None:
        self._forget(name)
        with contextlib.suppress(OSError):  # a file that stays takes room, and does no other harm
            (self._folder / name).unlink(missing_ok=True)

    def _forget(self, name: str) -> None:
        self._bytes -= self._sizes.pop(name, 0) + self._spared.pop(name, 0)
