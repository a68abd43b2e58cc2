"""What a child printed, kept in bounded memory: the start, the end, and how much there was."""

from collections import deque
from typing import NamedTuple

from testwright.model.untrusted_text import decoded


class Output(NamedTuple):
    head: bytes = b""
    tail: bytes = b""
    total_bytes: int = 0

    @property
    def dropped_bytes(self) -> int:
        return self.total_bytes - len(self.head) - len(self.tail)

    @property
    def text(self) -> str:
        """Everything that was kept; a line in the middle says what was not."""
        if self.dropped_bytes == 0:
            return decoded(self.head + self.tail)[0]
        gap = f"\n[… {self.dropped_bytes:,} bytes not kept …]\n"
        return decoded(self.head)[0] + gap + decoded(self.tail)[0]

    @property
    def is_valid_utf8(self) -> bool:
        # Where bytes were dropped the cut may fall inside a character, which is not the child's fault.
        return self.dropped_bytes > 0 or decoded(self.head + self.tail)[1]


class OutputKeeper:
    """Collects output as it comes; never holds more than twice `keep_bytes` and one chunk."""

    def __init__(self, keep_bytes: int) -> None:
        self._keep_bytes = keep_bytes
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self.total_bytes = 0

    def add(self, chunk: bytes) -> None:
        self.total_bytes += len(chunk)
        room = self._keep_bytes - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk)
            self._tail_bytes += len(chunk)
        while self._tail and self._tail_bytes - len(self._tail[0]) >= self._keep_bytes:
            self._tail_bytes -= len(self._tail.popleft())

    def output(self) -> Output:
        tail = b"".join(self._tail)[-self._keep_bytes :] if self._tail else b""
        return Output(bytes(self._head), tail, self.total_bytes)
