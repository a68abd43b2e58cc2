"""One event as a line: its number among all that arrived, its place among its kind, and the event itself."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from testwright.model.session import (
    Action,
    AnyEvent,
    ConsoleLine,
    Dialog,
    Kind,
    Navigation,
    PageError,
    Request,
    SocketEvent,
    TabEvent,
)

_START = re.compile(rb'\{"n":([0-9]{1,15}),"i":([0-9]{1,15}),')


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it was read. `number` counts all events of the session from 1, `index` those of its kind."""

    number: int
    index: int
    raw: bytes


def json_bytes(value: Any) -> bytes:
    """A value of the model as JSON. Half a surrogate pair, which UTF-8 cannot spell, becomes the replacement mark."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        from testwright.store.encoding import each_text  # rarely needed, and looking at a session waits for it

        return msgspec.json.encode(each_text(msgspec.to_builtins(value), _speakable))


def _speakable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def numbered(number: int, index: int, event: bytes) -> bytes:
    """The whole line of an event that `json_bytes` spelled."""
    return b'{"n":%d,"i":%d,%b\n' % (number, index, event[1:])


def read_line(raw: bytes) -> Line | None:
    """None: it is no line of ours, or was cut off."""
    start = _START.match(raw)
    return None if start is None else Line(int(start[1]), int(start[2]), raw)


_DECODERS: Mapping[Kind, Callable[[bytes], AnyEvent]] = {
    Kind.NAVIGATION: msgspec.json.Decoder(Navigation).decode,
    Kind.ACTION: msgspec.json.Decoder(Action).decode,
    Kind.REQUEST: msgspec.json.Decoder(Request).decode,
    Kind.SOCKET: msgspec.json.Decoder(SocketEvent).decode,
    Kind.CONSOLE: msgspec.json.Decoder(ConsoleLine).decode,
    Kind.ERROR: msgspec.json.Decoder(PageError).decode,
    Kind.TAB: msgspec.json.Decoder(TabEvent).decode,
    Kind.DIALOG: msgspec.json.Decoder(Dialog).decode,
}


def event_in(kind: Kind, line: Line) -> AnyEvent | None:
    """The event; None: the line is no event of this kind. Fields that we do not know are passed over."""
    try:
        return _DECODERS[kind](line.raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
