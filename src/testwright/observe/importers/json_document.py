"""JSON files of strangers: no NaN, no double keys, no endless nesting, and no size that would hurt."""

import codecs
import errno
import json
import os
import stat
from pathlib import Path

from testwright.model.errors import MalformedSession, NotARegularFile, PathNotFound, PathUnreadable, TooLarge
from testwright.model.strict_json import JsonObject, NotStrictError, read_strict_json, syntax_complaint
from testwright.model.untrusted_text import visible_line

MOST_BYTES = 64 << 20
MOST_VALUES = 3_000_000  # brackets; so many empty lists would fill the memory


def file_content(path: Path) -> bytes:
    """The bytes of a regular file that is not too large. The size is looked at before anything is read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unopenable(path, error) from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotARegularFile(f"{path} is not a regular file.", next_step="Name the file that was exported.")
        check_size(str(path), status.st_size)
        try:
            content = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise _unopenable(path, error) from error
    check_size(str(path), len(content))  # it may have grown after it was measured
    return content


def check_size(name: str, size: int) -> None:
    if size > MOST_BYTES:
        raise TooLarge(
            f"{visible_line(name)} has {size:,} bytes; such a file may have {MOST_BYTES:,}.",
            next_step="Record a shorter session, or export it without the contents of images and other large files.",
        )


def document(content: bytes, name: str) -> JsonObject:
    """The content as one JSON object."""
    if content.count(b"{") + content.count(b"[") > MOST_VALUES:
        raise TooLarge(
            f"{visible_line(name)} holds more than {MOST_VALUES:,} lists and objects.",
            next_step="Record a shorter session.",
        )
    try:
        found = read_strict_json(_text(content))
    except json.JSONDecodeError as error:
        raise malformed(name, f"line {error.lineno}, column {error.colno}: {syntax_complaint(error)}") from error
    except RecursionError as error:
        raise malformed(name, "its JSON is nested too deeply") from error
    except ValueError as error:  # not strict, not text, or a number of thousands of digits
        raise malformed(name, str(error)) from error
    if not isinstance(found, dict):
        raise malformed(name, "it is not a JSON object")
    return found


def malformed(name: str, why: str) -> MalformedSession:
    return MalformedSession(
        f"{visible_line(name)} cannot be read: {visible_line(why, limit=300)}.",
        next_step="Export it again, and check that the export ran to its end.",
    )


def _text(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrictError("it is not UTF-8") from error


def _unopenable(path: Path, error: OSError | ValueError) -> PathNotFound | PathUnreadable | NotARegularFile:
    number = error.errno if isinstance(error, OSError) else errno.EINVAL
    if number in (errno.ENOENT, errno.ENOTDIR):
        return PathNotFound(f"There is no {path}.", next_step="Check the path.")
    if number in (errno.ENXIO, errno.EISDIR):  # a socket or a device without its other end; a folder
        return NotARegularFile(f"{path} is not a regular file.", next_step="Name the file that was exported.")
    reason = os.strerror(number) if number else str(error)
    return PathUnreadable(f"{path} cannot be read: {reason}.", next_step="Check the path and its permissions.")
