"""One line of a journal or of an exported run, to and from bytes.

A line is a JSON object: its `type`, and the event itself. The events are the model's own dataclasses,
so what is written and what is accepted cannot drift apart.
"""

from dataclasses import replace
from datetime import UTC, datetime
from math import isfinite
from typing import Annotated, Any, get_args

import msgspec

from testwright.model.errors import TooLarge
from testwright.model.events import (
    AttemptFinished,
    Collected,
    ProblemFound,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.result import RunId, RunResult
from testwright.store.any_text import original, storable

FORMAT = 1
MAX_LINE_BYTES = 128 << 20  # a result channel's largest record, even if every byte of it needs a six-byte escape
_ESCAPE_IN_JSON = b"\\u0010"


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

    @classmethod
    def of(cls, run: RunResult) -> "RunLine":
        started_at = run.started_at if run.started_at.tzinfo is not None else run.started_at.replace(tzinfo=UTC)
        return cls(FORMAT, run.id, started_at, run.commit, run.dirty, run.command, run.source)

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

    @classmethod
    def of(cls, duration_ms: float, *, interrupted: bool) -> "RunEndedLine":
        return cls(_finite(duration_ms), interrupted)


class SuiteStartedLine(_Line, frozen=True, tag="suite_started"):
    event: SuiteStarted


class CollectedLine(_Line, frozen=True, tag="collected"):
    event: Collected


class TestStartedLine(_Line, frozen=True, tag="test_started"):
    event: TestStarted


class AttemptFinishedLine(_Line, frozen=True, tag="attempt_finished"):
    event: AttemptFinished


class ProblemFoundLine(_Line, frozen=True, tag="problem_found"):
    event: ProblemFound


class SuiteEndedLine(_Line, frozen=True, tag="suite_ended"):
    event: SuiteEnded


# All events but RunnerStarted, which is news for a moment only.
KeptEvent = SuiteStarted | Collected | TestStarted | AttemptFinished | ProblemFound | SuiteEnded
EventLine = SuiteStartedLine | CollectedLine | TestStartedLine | AttemptFinishedLine | ProblemFoundLine | SuiteEndedLine
Line = RunLine | EventLine | RunEndedLine

_LINE_FOR: dict[type, Any] = {line.__annotations__["event"]: line for line in get_args(EventLine)}
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class _Header(msgspec.Struct):
    """As much of a line as every format must have."""

    type: str
    format: int = FORMAT


def encode_event(event: KeptEvent) -> bytes:
    return encode(_LINE_FOR[type(event)](_with_finite_numbers(event)))


def encode(line: Line) -> bytes:
    """The line, with its newline."""
    try:
        raw = _encoder.encode(line)
        plain = _ESCAPE_IN_JSON not in raw
    except UnicodeEncodeError:  # half a surrogate pair, which UTF-8 cannot spell
        plain = False
    if not plain:
        raw = _encoder.encode(_each_text(msgspec.to_builtins(line), storable))
    if len(raw) > MAX_LINE_BYTES:
        raise TooLarge(
            f"One record of this run takes {len(raw):,} bytes; the most we keep is {MAX_LINE_BYTES:,}.",
            next_step="Have the test print or report less.",
        )
    return raw + b"\n"


def decode(raw: bytes) -> Line:
    """The line that `raw` spells. Raises UnreadableLineError for anything that `encode` could not have written."""
    if len(raw) > MAX_LINE_BYTES:
        raise UnreadableLineError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        header = msgspec.json.decode(raw, type=_Header)
        if header.format != FORMAT:
            raise UnreadableLineError(f"it is in format {header.format}; this version reads format {FORMAT}")
        if _ESCAPE_IN_JSON not in raw:
            return _decoder.decode(raw)
        line: Line = msgspec.convert(_each_text(msgspec.json.decode(raw), original), Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise UnreadableLineError(str(error) or type(error).__name__) from error
    return line


def _each_text(value: Any, change: Any) -> Any:
    """`value`, as decoded from JSON, with `change` applied to every string in it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each_text(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(item, change) for item in value]
    return value


def _with_finite_numbers(event: KeptEvent) -> KeptEvent:
    match event:
        case AttemptFinished(attempt=attempt) if not isfinite(attempt.duration_ms):
            return replace(event, attempt=replace(attempt, duration_ms=0.0))
        case SuiteEnded(usage=usage) if not isfinite(event.duration_ms + usage.cpu_ms):
            usage = replace(usage, cpu_ms=_finite(usage.cpu_ms))
            return replace(event, duration_ms=_finite(event.duration_ms), usage=usage)
    return event


def _finite(number: float) -> float:
    """JSON has no NaN and no infinity. A duration that is no number tells nothing, and is kept as 0."""
    return number if isfinite(number) else 0.0
