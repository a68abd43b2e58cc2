"""Which files hold a session, told from their beginning. Loads nothing: every import of a file asks."""

import os
import re
from enum import StrEnum
from pathlib import Path

_HEAD = 64 << 10
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MARK = "\ufeff"
_SCALAR = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s\[{",}]+)\s*(,|\}|$)', re.DOTALL)
_KEY = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*:', re.DOTALL)
_OPENS = re.compile(r"\s*([\[{])")


class FileKind(StrEnum):
    """The names that `--format` takes."""

    HAR = "har"
    TRACE = "playwright-trace"
    RECORDER = "devtools-recorder"


def is_session_file(path: Path) -> bool:
    """Whether it is, or pretends to be, a captured session and not a report of test results."""
    if path.suffix.lower() in (".har", ".zip"):
        return True
    head = _beginning(path)
    return head.startswith(_ZIP) or document_kind(head.decode("utf-8", "replace")) is not None


def document_kind(head: str) -> FileKind | None:
    """What a JSON document is, by its outermost keys up to the first list or object."""
    at = len(head) - len(head.removeprefix(_MARK).lstrip())
    if not head.startswith("{", at):
        return None
    at += 1
    while key := _KEY.match(head, at):
        opens = _OPENS.match(head, key.end())
        if opens:
            return _BY_KEY.get((key[1], opens[1]))
        value = _SCALAR.match(head, key.end())
        if value is None:
            return None
        at = value.end()
    return None


_BY_KEY = {("log", "{"): FileKind.HAR, ("steps", "["): FileKind.RECORDER}


def _beginning(path: Path) -> bytes:
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):  # whoever reads it in earnest says what is wrong
        return b""
    try:
        return os.read(descriptor, _HEAD)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
