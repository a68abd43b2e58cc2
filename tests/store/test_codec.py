"""One line of a journal: whatever is written can be read, and whatever could not have been written is refused."""

from datetime import UTC, datetime

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import TooLarge
from testwright.model.events import AttemptFinished, ProblemFound, SuiteEnded
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, Problem, RunId, RunResult
from testwright.model.usage import Usage
from testwright.store import codec
from testwright.store.codec import (
    AttemptFinishedLine,
    RunEndedLine,
    RunLine,
    SuiteEndedLine,
    UnreadableLineError,
    decode,
    encode,
    encode_event,
)

CASE = TestCase(Framework.PYTEST, "tests/test_a.py", ("test_one",))
HEADER = b'{"type":"run","format":1,"id":"r","started_at":"2024-05-01T12:00:00Z"'


@pytest.mark.parametrize("text", ["plain", "nul \x00", "half a pair \ud83d", "escape \x10d800", "two\nlines\u2028"])
def test_an_event_with_any_text_fits_one_line_and_comes_back(text: str) -> None:
    event = AttemptFinished(CASE, Attempt(Outcome.FAILED, message=text, errors=(text,)))

    raw = encode_event(event)

    assert raw.count(b"\n") == 1
    assert decode(raw) == AttemptFinishedLine(event)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_duration_that_is_no_number_is_written_as_zero(number: float) -> None:
    attempt = encode_event(AttemptFinished(CASE, Attempt(Outcome.PASSED, duration_ms=number)))
    suite = encode_event(SuiteEnded(Framework.PYTEST, "", number, Usage(cpu_ms=number)))

    assert decode(attempt) == AttemptFinishedLine(AttemptFinished(CASE, Attempt(Outcome.PASSED)))
    assert decode(suite) == SuiteEndedLine(SuiteEnded(Framework.PYTEST, "", 0.0))
    assert decode(encode(RunEndedLine.of(number, interrupted=False))) == RunEndedLine(0.0, False)


def test_a_start_without_a_time_zone_is_taken_as_utc() -> None:
    naive = RunResult(RunId("r"), datetime(2024, 5, 1, 12))  # noqa: DTZ001  the point of the test

    line = decode(encode(RunLine.of(naive)))

    assert isinstance(line, RunLine)
    assert line.started_at == datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "truncated"),
        (b"not json", "malformed"),
        (b"[]", "Expected `object`"),
        (b"\xff\xfe", "malformed"),
        (HEADER.replace(b'"r"', b'"\xff"') + b"}", "utf-8"),
        (b'{"type":"run_ended","duration_ms":NaN,"interrupted":false}', "malformed"),
        (b'{"type":"run_ended","duration_ms":1e999,"interrupted":false}', "out of range"),
        (b'{"type":"run_ended","duration_ms":"1","interrupted":false}', "Expected `float`"),
        (b'{"type":"run_ended","duration_ms":1,"interrupted":false,"more":1}', "unknown field `more`"),
        (b'{"type":"run_ended","duration_ms":1,"interrupted":false} x', "trailing"),
        (b'{"type":"run_ended","x":' + b"[" * 500_000, "recursion"),
        (b'{"type":"weather"}', "Invalid value 'weather'"),
        (HEADER.replace(b'"format":1', b'"format":2') + b',"shape":"new"}', "format 2; this version reads format 1"),
        (HEADER.replace(b"Z", b"") + b"}", "timezone"),
        (HEADER.replace(b'"r"', b'""') + b"}", "length"),
        (HEADER.replace(b'"r"', b'"' + b"r" * 201 + b'"') + b"}", "length"),
    ],
)
def test_a_line_that_could_not_have_been_written_is_refused_with_a_reason(raw: bytes, complaint: str) -> None:
    with pytest.raises(UnreadableLineError, match=complaint):
        decode(raw)


def test_a_line_beyond_the_limit_is_neither_written_nor_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", 200)

    with pytest.raises(TooLarge):
        encode_event(ProblemFound(Problem("x", "y" * 200)))
    with pytest.raises(UnreadableLineError, match="longer than 200 bytes"):
        decode(b" " * 201)
