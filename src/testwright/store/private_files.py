"""Files of ours in private folders: read without following a link, replaced or appended to without half a line."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from testwright.store.file_errors import named_file_errors


def open_to_read(path: Path) -> int | None:
    """A descriptor of a regular file, never of a link; None: there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def content_of(path: Path, *, most: int) -> bytes | None:
    """The bytes of a regular file; None: there is none, or it is larger than `most`."""
    descriptor = open_to_read(path)
    if descriptor is None:
        return None
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(most + 1)
    return content if len(content) <= most else None


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` there at once or not at all, for this user alone."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with named_file_errors(path):
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            beside.replace(path)
        except BaseException:  # an interrupt too must not leave half a file
            beside.unlink(missing_ok=True)
            raise


def append_lines(descriptor: int, lines: bytes) -> None:
    """Write whole lines to the end of an open file. Where that fails, those that are whole stay."""
    before, written = os.fstat(descriptor).st_size, 0
    try:
        while written < len(lines):
            written += os.write(descriptor, memoryview(lines)[written:])
    except BaseException:  # a full disk, or Ctrl-C: half a line in the middle would spoil all that follow
        whole = lines.rfind(b"\n", 0, written) + 1
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, before + whole)
        raise
