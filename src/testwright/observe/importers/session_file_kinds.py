"""The kinds of files that hold a session: how each is recognized, from its beginning, and what reads it.

One more kind is a row of `FORMS` and a module with a function `read_file`. It loads no reader, as every import asks it.
"""

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_HEAD = 64 << 10
_MARK = "\ufeff"
_SCALAR = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s\[{",}]+)\s*(,|\}|$)', re.DOTALL)
_KEY = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*:', re.DOTALL)
_OPENS = re.compile(r"\s*([\[{])")


class FileKind(StrEnum):
    """The names that `--format` takes."""

    HAR = "har"
    TRACE = "playwright-trace"
    RECORDER = "devtools-recorder"


@dataclass(frozen=True, slots=True)
class FileForm:
    """What files of one kind look like."""

    kind: FileKind
    reader: str  # the module beside this one whose `read_file` makes a session of a SessionInput
    name: str  # of one such file, in a message
    names: str  # of all such files, in the help of a command
    key: str = ""  # an outermost key of its JSON; "": it is not JSON
    opens: str = ""  # what the value of that key begins with
    suffix: str = ""  # a file that ends with it is one, whatever is in it
    entries: tuple[str, ...] = ()  # endings of what is read of an archive, the telling one first; (): in no archive


FORMS = (
    FileForm(
        FileKind.TRACE, "trace_session", "a trace", "traces of Playwright (trace.zip)",
        entries=(".trace", ".stacks", ".network"),
    ),
    FileForm(
        FileKind.HAR, "har", "a HAR file", "HAR files (.har, .har.zip)",
        key="log", opens="{", suffix=".har", entries=(".har",),
    ),
    FileForm(
        FileKind.RECORDER, "devtools_recorder", "a recording of DevTools",
        "recordings of Chrome's DevTools (the Recorder's JSON export)", key="steps", opens="[",
    ),
)  # fmt: skip


def form_of(kind: FileKind) -> FileForm:
    return next(form for form in FORMS if form.kind is kind)


def is_session_file(path: Path) -> bool:
    """Whether it is, or pretends to be, a captured session and not a report of test results."""
    if path.suffix.lower() in (".zip", *(form.suffix for form in FORMS if form.suffix)):
        return True
    head = _beginning(path)
    return head.startswith(ZIP_MARKS) or document_kind(head.decode("utf-8", "replace")) is not None


def document_kind(head: str) -> FileKind | None:
    """What a JSON document is, by its outermost keys up to the first list or object."""
    at = len(head) - len(head.removeprefix(_MARK).lstrip())
    if not head.startswith("{", at):
        return None
    at += 1
    while key := _KEY.match(head, at):
        opens = _OPENS.match(head, key.end())
        if opens:
            return next((form.kind for form in FORMS if (form.key, form.opens) == (key[1], opens[1])), None)
        value = _SCALAR.match(head, key.end())
        if value is None:
            return None
        at = value.end()
    return None


def _beginning(path: Path) -> bytes:
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for a writer without end.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):  # the reader says what is wrong
        return b""
    try:
        return os.read(descriptor, _HEAD)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
