"""The private channel by which a child reports its results.

A socket that only the runner process knows of, and a secret (the nonce) that it gets over
that socket. Records are JSON objects, one a line, each with the nonce and the next sequence number.
What a test prints on stdout is only text, and what it writes blindly into inherited descriptors is
noticed and counted, never believed.
"""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from typing import Any

CHANNEL_VARIABLE = "TESTWRIGHT_CHANNEL"  # the descriptor's number, in the child's environment
MAX_RECORD_BYTES = 16 << 20

Record = dict[str, Any]

_decode = json.JSONDecoder().decode


class ChannelListener:
    """Our end of the socket. The child's end is `child_end`, to be inherited and then closed here."""

    def __init__(self, config: Mapping[str, object], ends: tuple[socket.socket, socket.socket]) -> None:
        self.ours, self.child_end = ends
        self.ours.setblocking(False)
        self._nonce = os.urandom(16).hex()
        self._to_send = memoryview(json.dumps({"nonce": self._nonce, **config}).encode() + b"\n")
        self._pending = bytearray()
        self._next = 1
        self.total_bytes = 0  # that have come
        self.forged = 0  # lines that did not come from our reporter

    @property
    def wants_to_send(self) -> bool:
        return len(self._to_send) > 0

    def send_some(self) -> None:
        """Send more of the greeting; a child that never reads it must not block us."""
        try:
            sent = self.ours.send(self._to_send)
        except BlockingIOError:
            return
        except OSError:  # the child is gone: it will be seen by its exit
            sent = len(self._to_send)
        self._to_send = self._to_send[sent:]

    def receive(self) -> tuple[list[Record], bool]:
        """The records that are complete now, and whether more may come."""
        try:
            chunk = self.ours.recv(1 << 18)
        except BlockingIOError:
            return [], True
        except OSError:
            chunk = b""
        if not chunk:
            return [], False
        self.total_bytes += len(chunk)
        self._pending += chunk
        records = list(self._complete())
        if len(self._pending) > MAX_RECORD_BYTES:
            self._pending.clear()
            self.forged += 1
        return records, True

    def _complete(self) -> Iterator[Record]:
        *lines, rest = self._pending.split(b"\n")
        self._pending = rest
        for line in lines:
            record = self._believed(line)
            if record is None:
                self.forged += 1
            else:
                yield record

    def _believed(self, line: bytearray) -> Record | None:
        try:
            record = _decode(line.decode())
        except (ValueError, RecursionError):
            return None
        if not isinstance(record, dict) or record.pop("nonce", None) != self._nonce:
            return None
        if record.pop("seq", None) != self._next:
            return None
        self._next += 1
        return record
