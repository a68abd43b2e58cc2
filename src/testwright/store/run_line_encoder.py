"""One line of a journal or of an exported run, as bytes.

A line is a JSON object: its `type`, and the event itself, field by field as the model has it. `decoding`
reads it back. A run needs this half alone, and standard library alone for it: loading msgspec would take
as long as writing a thousand lines.
"""

import json
from dataclasses import replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from testwright.model.errors import TooLarge
from testwright.model.events import (
    AttemptFinished,
    Collected,
    Counted,
    KeptEvent,
    ProblemFound,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.result import RunResult
from testwright.store.text_escapes import escaped_text

FORMAT = 1
MAX_LINE_BYTES = 128 << 20  # a result channel's largest record, even if every byte of it needs a six-byte escape
ESCAPE_IN_JSON = b"\\u0010"

TYPES: dict[type[KeptEvent], str] = {
    SuiteStarted: "suite_started",
    Collected: "collected",
    TestStarted: "test_started",
    AttemptFinished: "attempt_finished",
    ProblemFound: "problem_found",
    SuiteEnded: "suite_ended",
    Counted: "counted",
}


def encode_run(run: RunResult) -> bytes:
    """The first line of `run`: which run this is."""
    started_at = run.started_at if run.started_at.tzinfo is not None else run.started_at.replace(tzinfo=UTC)
    return _encode(
        {
            "type": "run",
            "format": FORMAT,
            "id": run.id,
            "started_at": started_at,
            "commit": run.commit,
            "dirty": run.dirty,
            "command": run.command,
            "source": run.source,
        }
    )


def encode_event(event: KeptEvent) -> bytes:
    return _encode({"type": TYPES[type(event)], "event": _with_finite_numbers(event)})


def encode_end(duration_ms: float, *, interrupted: bool) -> bytes:
    """The last line: the run was seen to its end, or to its interruption."""
    return _encode({"type": "run_ended", "duration_ms": _finite(duration_ms), "interrupted": interrupted})


def each_text(value: Any, change: Any) -> Any:
    """`value`, as decoded from JSON, with `change` applied to every string in it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: each_text(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [each_text(item, change) for item in value]
    return value


def _encode(line: dict[str, Any]) -> bytes:
    """The line, with its newline."""
    text = _encoder.encode(line)
    try:
        raw = text.encode()
        plain = ESCAPE_IN_JSON not in raw
    except UnicodeEncodeError:  # half a surrogate pair, which UTF-8 cannot spell
        plain = False
    if not plain:
        raw = _encoder.encode(each_text(json.loads(text), escaped_text)).encode()
    if len(raw) > MAX_LINE_BYTES:
        raise TooLarge(
            f"One record of this run takes {len(raw):,} bytes; the most we keep is {MAX_LINE_BYTES:,}.",
            next_step="Have the test print or report less.",
        )
    return raw + b"\n"


def _as_json(value: Any) -> Any:
    """What the model has and JSON does not: its values, all of them slotted, and moments."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return {name: getattr(value, name) for name in value.__slots__}


_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"), default=_as_json
)


def _with_finite_numbers(event: KeptEvent) -> KeptEvent:
    match event:
        case AttemptFinished(attempt=attempt) if not isfinite(attempt.duration_ms):
            return replace(event, attempt=replace(attempt, duration_ms=0.0))
        case SuiteEnded(usage=usage) if not isfinite(event.duration_ms + usage.cpu_ms):
            usage = replace(usage, cpu_ms=_finite(usage.cpu_ms))
            return replace(event, duration_ms=_finite(event.duration_ms), usage=usage)
    return event


def _finite(number: float) -> float:
    """JSON has no NaN and no infinity. A duration that is not a number says nothing, and is kept as 0."""
    return number if isfinite(number) else 0.0
