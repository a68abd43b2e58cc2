"""Pages and long texts, each a file of its own: so many and no more, and what belongs to an error goes last."""

import contextlib
from pathlib import Path

from testwright.store.file_errors import named_file_errors
from testwright.store.private_files import replace_file


class BoundedFolder:
    """A folder of named files. When there is no room, the oldest that is not spared gives way."""

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
