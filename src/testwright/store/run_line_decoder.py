"""One line of a journal or of an exported run, from bytes.

The events are the model's own dataclasses, so what is accepted cannot drift apart from what `encoding` writes.
"""

from datetime import datetime
from typing import Annotated, Any, Union

import msgspec

from testwright.model.events import KeptEvent
from testwright.model.result import RunId, RunResult
from testwright.store.run_line_encoder import ESCAPE_IN_JSON, FORMAT, MAX_LINE_BYTES, TYPES, each_text
from testwright.store.text_escapes import unescaped_text


class UnreadableLineError(Exception):
    """Says what is wrong with a line; the reader adds which line of which file."""


class _Line(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What every line has: a type."""


class RunLine(_Line, frozen=True, tag="run"):
    """The first line: which run this is."""

    format: int
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    started_at: Annotated[datetime, msgspec.Meta(tz=True)]
    commit: str = ""
    dirty: bool = False
    command: tuple[str, ...] = ()
    source: str = "run"

    def run(self) -> RunResult:
        return RunResult(
            id=RunId(self.id),
            started_at=self.started_at,
            commit=self.commit,
            dirty=self.dirty,
            command=self.command,
            source=self.source,
        )


class RunEndedLine(_Line, frozen=True, tag="run_ended"):
    """The last line: the run was seen to its end, or to its interruption."""

    duration_ms: float
    interrupted: bool


class EventLine(_Line, frozen=True):
    event: KeptEvent


# One for each kind of event, so that msgspec knows by the type of a line what its event must have.
_EVENT_LINES = [
    msgspec.defstruct(f"{event.__name__}Line", [("event", event)], bases=(EventLine,), frozen=True, tag=tag)
    for event, tag in TYPES.items()
]
Line = RunLine | EventLine | RunEndedLine

_AnyLine: Any = Union[(RunLine, RunEndedLine, *_EVENT_LINES)]
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(_AnyLine)


class _Header(msgspec.Struct):
    """As much of a line as every format must have."""

    type: str
    format: int = FORMAT


def decode(raw: bytes) -> Line:
    """The line that `raw` spells. Raises UnreadableLineError for anything that `encoding` could not have written."""
    if len(raw) > MAX_LINE_BYTES:
        raise UnreadableLineError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        header = msgspec.json.decode(raw, type=_Header)
        if header.format != FORMAT:
            raise UnreadableLineError(f"it is in format {header.format}; this version reads format {FORMAT}")
        if ESCAPE_IN_JSON not in raw:
            return _decoder.decode(raw)
        line: Line = msgspec.convert(each_text(msgspec.json.decode(raw), unescaped_text), _AnyLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise UnreadableLineError(str(error) or type(error).__name__) from error
    return line
