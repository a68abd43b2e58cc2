"""Reasons to end a runner that lie in the middle of a run: a flag of its own, and a flood of captured output."""

import select
import stat
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from testwright.isolate.child import Cancel

_LOOK_SECONDS = 0.25


class LinkedCancel(Cancel):
    """A flag that is raised by itself, or by the one it hangs on."""

    def __init__(self, outer: Cancel) -> None:
        super().__init__()
        self._outer = outer
        self._either = select.epoll()  # readable once either is, so that a child waits for one descriptor
        self._either.register(super().fileno(), select.EPOLLIN)
        self._either.register(outer.fileno(), select.EPOLLIN)

    @property
    def raised(self) -> bool:
        return super().raised or self._outer.raised

    def fileno(self) -> int:
        return self._either.fileno()

    def close(self) -> None:
        self._either.close()


class OutputWatch:
    """Raises a flag when a process prints more than it may into a file of its own.

    A runner that captures what its tests print (pytest does, in a temporary file) hides it from the limit on
    its pipes: without this, a test that prints in a loop fills the disk.
    """

    def __init__(self, limit_bytes: int, cancel: Cancel) -> None:
        self._limit_bytes, self._cancel = limit_bytes, cancel
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        self.overflowed = False

    def watch(self, pid: int) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, args=(pid,), name="output-watch", daemon=True)
            self._thread.start()

    def _look(self, pid: int) -> None:
        while not self._done.wait(_LOOK_SECONDS):
            if sum(_size_of_file(pid, descriptor) for descriptor in (1, 2)) > self._limit_bytes:
                self.overflowed = True
                self._cancel()
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()


def _size_of_file(pid: int, descriptor: int) -> int:
    """The size of what the process has open there; 0 where that is not a regular file, or the process is gone."""
    try:
        found = Path(f"/proc/{pid}/fd/{descriptor}").stat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
