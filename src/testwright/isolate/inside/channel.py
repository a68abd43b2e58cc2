"""The child's end of the private channel, for programs written in Python. Mostly found by path, not by import name."""

import fcntl
import json
import os
from typing import Any, Dict

VARIABLE = "TESTWRIGHT_CHANNEL"
TEXT_LIMIT = 65536
_HIGH_DESCRIPTORS = (500, 200, 64)  # tried in turn: a low limit on open files allows no high numbers


class Channel:
    """Read the greeting once, then send records, each with the secret from the greeting and the next number."""

    def __init__(self) -> None:
        # Out of the environment and out of the low descriptors: what the tests start must not inherit it.
        inherited = int(os.environ.pop(VARIABLE))
        self._fd = _moved_up(inherited)
        # Kept from now: a test may put something else in their place, and forget to put them back.
        self._write, self._getpid, self._encode = os.write, os.getpid, json.JSONEncoder().encode
        self._owner = os.getpid()
        self._sent = 0
        self._held = b""
        self.config: Dict[str, Any] = json.loads(self._greeting())
        self._nonce = self.config.pop("nonce")

    def close(self) -> None:
        """For a forked copy of the process: what it runs has nothing to say here."""
        os.close(self._fd)

    def _greeting(self) -> bytes:
        received = bytearray()
        while not received.endswith(b"\n"):
            chunk = os.read(self._fd, 1 << 16)
            if not chunk:
                raise SystemExit("the other end of the result channel is gone")
            received += chunk
        return bytes(received)

    def send(self, kind: str, **fields: Any) -> None:
        if self._getpid() != self._owner:
            return  # a forked copy of us: its results are not the runner's
        self.hold(kind, **fields)
        data = memoryview(self._held)
        self._held = b""
        while data:
            data = data[self._write(self._fd, data) :]

    def hold(self, kind: str, **fields: Any) -> None:
        """Send it along with the next record, which must be about to come: each write wakes the listener up."""
        self._sent += 1
        record = {"nonce": self._nonce, "seq": self._sent, "kind": kind}
        record.update(fields)
        self._held += self._encode(record).encode("ascii") + b"\n"


def _moved_up(descriptor: int) -> int:
    for number in _HIGH_DESCRIPTORS:
        try:
            moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, number)
        except OSError:
            continue
        os.close(descriptor)
        return moved
    os.set_inheritable(descriptor, False)
    return descriptor


def clipped(text: str, limit: int = TEXT_LIMIT) -> str:
    """`text`, or its start and end where it is too long to send."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return "%s\n[… %d characters not kept …]\n%s" % (text[:half], len(text) - 2 * half, text[-half:])
