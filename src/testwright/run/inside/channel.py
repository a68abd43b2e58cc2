"""The child's end of the private channel, for runners written in Python. Found by path, not by import name."""

import fcntl
import json
import os

VARIABLE = "TESTWRIGHT_CHANNEL"
TEXT_LIMIT = 65536


class Channel:
    """Read the greeting once, then send records, each with the secret from the greeting and the next number."""

    def __init__(self):
        # Out of the environment and out of the low descriptors: what the tests start must not inherit it.
        inherited = int(os.environ.pop(VARIABLE))
        self._fd = fcntl.fcntl(inherited, fcntl.F_DUPFD_CLOEXEC, 500)
        os.close(inherited)
        self._owner = os.getpid()
        self._sent = 0
        self.config = json.loads(self._greeting())
        self._nonce = self.config.pop("nonce")

    def _greeting(self):
        received = bytearray()
        while not received.endswith(b"\n"):
            chunk = os.read(self._fd, 1 << 16)
            if not chunk:
                raise SystemExit("the other end of the result channel is gone")
            received += chunk
        return bytes(received)

    def send(self, kind, **fields):
        if os.getpid() != self._owner:
            return  # a forked copy of us: its results are not the runner's
        self._sent += 1
        record = {"nonce": self._nonce, "seq": self._sent, "kind": kind}
        record.update(fields)
        data = memoryview(json.dumps(record).encode("ascii") + b"\n")
        while data:
            data = data[os.write(self._fd, data) :]


def clipped(text, limit=TEXT_LIMIT):
    """`text`, or its start and end where it is too long to send."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return "%s\n[… %d characters not kept …]\n%s" % (text[:half], len(text) - 2 * half, text[-half:])
