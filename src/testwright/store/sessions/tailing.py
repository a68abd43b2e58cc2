"""Lines of a growing file, from either end, reading no more of it than is asked for."""

import os
from collections.abc import Iterator
from pathlib import Path

from testwright.store.sessions.lines import Line, read_line
from testwright.store.sessions.places import open_to_read

_BLOCK = 64 << 10
_LARGEST_BLOCK = 4 << 20


def newest_first(path: Path) -> Iterator[Line]:
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


def oldest_first(path: Path, *, after: int = 0) -> Iterator[Line]:
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


def _readable(lines: Iterator[bytes]) -> Iterator[Line]:
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


def _line_from(descriptor: int, at: int, end: int) -> tuple[int, Line] | None:
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
