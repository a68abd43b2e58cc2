"""One event as a line: its number among all that arrived, its place among its kind, and the event itself."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from testwright.model.session import (
    Action,
    AnySessionEvent,
    ConsoleLine,
    Dialog,
    EventKind,
    HttpRequest,
    Navigation,
    PageError,
    SocketEvent,
    TabEvent,
)
from testwright.store.private_files import open_to_read

_START = re.compile(rb'\{"n":([0-9]{1,15}),"i":([0-9]{1,15}),')


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line as it was read. `number` counts all events of the session from 1, `index` those of its kind."""

    number: int
    index: int
    raw: bytes


def json_bytes(value: Any) -> bytes:
    """A value of the model as JSON. Half a surrogate pair, which UTF-8 cannot spell, becomes the replacement mark."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        from testwright.store.run_line_encoder import each_text  # late: start-up: rarely needed

        return msgspec.json.encode(each_text(msgspec.to_builtins(value), _speakable))


def _speakable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def numbered(number: int, index: int, event: bytes) -> bytes:
    """The whole line of an event that `json_bytes` spelled."""
    return b'{"n":%d,"i":%d,%b\n' % (number, index, event[1:])


def read_line(raw: bytes) -> NumberedLine | None:
    """None: it is not a line of ours, or was cut off."""
    start = _START.match(raw)
    return None if start is None else NumberedLine(int(start[1]), int(start[2]), raw)


_DECODERS: Mapping[EventKind, Callable[[bytes], AnySessionEvent]] = {
    EventKind.NAVIGATION: msgspec.json.Decoder(Navigation).decode,
    EventKind.ACTION: msgspec.json.Decoder(Action).decode,
    EventKind.REQUEST: msgspec.json.Decoder(HttpRequest).decode,
    EventKind.SOCKET: msgspec.json.Decoder(SocketEvent).decode,
    EventKind.CONSOLE: msgspec.json.Decoder(ConsoleLine).decode,
    EventKind.ERROR: msgspec.json.Decoder(PageError).decode,
    EventKind.TAB: msgspec.json.Decoder(TabEvent).decode,
    EventKind.DIALOG: msgspec.json.Decoder(Dialog).decode,
}


def event_in(kind: EventKind, line: NumberedLine) -> AnySessionEvent | None:
    """The event; None: the line is not an event of this kind. Fields that we do not know are passed over."""
    try:
        return _DECODERS[kind](line.raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


# --- Lines of a growing file, from either end, reading no more of it than is asked for ------------------------------


_BLOCK = 64 << 10
_LARGEST_BLOCK = 4 << 20


def newest_first(path: Path) -> Iterator[NumberedLine]:
    """The whole lines, the last one first. What follows the last newline was cut off, or is still being written."""
    descriptor = open_to_read(path)
    if descriptor is None:
        return
    try:
        at = os.fstat(descriptor).st_size
        rest, block, is_last = b"", _BLOCK, True
        while at > 0:
            size = min(block, at)
            at -= size
            parts = (os.pread(descriptor, size, at) + rest).split(b"\n")
            if is_last and len(parts) > 1:
                parts.pop()
                is_last = False
            if is_last:  # no newline yet: all of it belongs to a line that was cut off
                rest = parts[0]
            else:
                # The first part may have begun further up, unless there is nothing further up.
                rest = parts.pop(0) if at > 0 else b""
                yield from _readable(reversed(parts))
            block = min(block * 2, _LARGEST_BLOCK)
    finally:
        os.close(descriptor)


def oldest_first(path: Path, *, after: int = 0) -> Iterator[NumberedLine]:
    """The whole lines in their order, from the first one with a number above `after`."""
    for raw in whole_lines(path, after=after):
        line = read_line(raw)
        if line is not None and line.number > after:
            yield line


def whole_lines(path: Path, *, after: int = 0) -> Iterator[bytes]:
    """The lines as they are, from one that is not far before the first with a number above `after`."""
    descriptor = open_to_read(path)
    if descriptor is None:
        return
    with os.fdopen(descriptor, "rb") as file:
        if after:
            file.seek(_offset_before(descriptor, after))
        for raw in file:
            if raw.endswith(b"\n"):
                yield raw


def _readable(lines: Iterator[bytes]) -> Iterator[NumberedLine]:
    for raw in lines:
        line = read_line(raw)
        if line is not None:
            yield line


def _offset_before(descriptor: int, number: int) -> int:
    """Where a line begins that is not after the first one with a number above `number`, and not far before it."""
    low, high = 0, os.fstat(descriptor).st_size
    while high - low > _BLOCK:
        middle = (low + high) // 2
        found = _line_from(descriptor, middle, high)
        if found is None or found[1].number > number:
            high = middle
        else:
            low = found[0]
    return low


def _line_from(descriptor: int, at: int, end: int) -> tuple[int, NumberedLine] | None:
    """The first readable line that begins after `at` and before `end`, and where."""
    while at < end:
        block = os.pread(descriptor, _BLOCK, at)
        start = block.find(b"\n") + 1
        while 0 < start < len(block):
            if at + start >= end:
                return None
            line = read_line(block[start : start + 64])
            if line is not None:
                return at + start, line
            start = block.find(b"\n", start) + 1
        at += max(1, len(block))
        if not block:
            return None
    return None
