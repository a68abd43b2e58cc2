"""One line of a journal as it is written: any event on one line, and nothing that could not be read again."""

import json
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import get_args

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import TooLarge
from testwright.model.events import (
    AttemptFinished,
    Collected,
    KeptEvent,
    ProblemFound,
    SuiteEnded,
    SuiteStarted,
    TestStarted,
)
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage
from testwright.model.result import Artifact, Attempt, Counts, Problem, RunId, RunResult
from testwright.store import run_line_encoder
from testwright.store.run_line_decoder import EventLine, RunEndedLine, RunLine, decode
from testwright.store.run_line_encoder import encode_end, encode_event, encode_run

CASE = TestCase(
    Framework.PYTEST, "tests/test_a.py", ("group", "test_one"), "chromium", 2, 7, "tests/test_a.py::test_one"
)
FULL = Attempt(
    Outcome.FAILED,
    number=2,
    duration_ms=1.5,
    started_at=datetime(2024, 5, 1, 12, 30, 1, 250_000, tzinfo=UTC),
    message="no",
    stack="somewhere",
    reason="memory_limit",
    stdout="out",
    stderr="err",
    errors=("one", "two"),
    counts=Counts(1, 2),
    artifacts=(Artifact("trace", "trace.zip", "application/zip"),),
)


@pytest.mark.parametrize(
    "event",
    [
        SuiteStarted(Framework.JEST, "web", "R2"),
        Collected((CASE, CASE)),
        TestStarted(CASE),
        AttemptFinished(CASE, FULL),
        ProblemFound(Problem("code", "message", "next", "file")),
        SuiteEnded(Framework.GO, "web", 3.5, ResourceUsage(1.5, 2), 3, FULL.artifacts),
    ],
    ids=lambda event: run_line_encoder.TYPES[type(event)],
)
def test_every_field_of_every_event_comes_back(event: KeptEvent) -> None:
    # Given an event of which no field has its default
    values = (event, *(getattr(event, field.name) for field in fields(event)))
    for value in filter(is_dataclass, values):
        assert [field.name for field in fields(value) if getattr(value, field.name) == field.default] == []

    # When it is written and read
    line = decode(encode_event(event))

    # Then it is the same
    assert not isinstance(line, RunLine | RunEndedLine)
    assert line.event == event


def test_all_kinds_of_events_that_are_kept_have_a_line() -> None:
    assert set(run_line_encoder.TYPES) == set(get_args(KeptEvent))


@pytest.mark.parametrize("text", ["plain", "nul \x00", "half a pair \ud83d", "escape \x10d800", "two\nlines\u2028"])
def test_an_event_with_any_text_fits_one_line_and_comes_back(text: str) -> None:
    event = AttemptFinished(CASE, Attempt(Outcome.FAILED, message=text, errors=(text,)))

    raw = encode_event(event)

    assert raw.count(b"\n") == 1
    assert _event_in(raw) == event


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_duration_that_is_no_number_is_written_as_zero(number: float) -> None:
    attempt = encode_event(AttemptFinished(CASE, Attempt(Outcome.PASSED, duration_ms=number)))
    suite = encode_event(SuiteEnded(Framework.PYTEST, "", number, ResourceUsage(cpu_ms=number)))

    assert _event_in(attempt) == AttemptFinished(CASE, Attempt(Outcome.PASSED))
    assert _event_in(suite) == SuiteEnded(Framework.PYTEST, "", 0.0)
    assert decode(encode_end(number, interrupted=False)) == RunEndedLine(0.0, False)


def test_the_first_line_tells_all_about_a_run_but_its_results() -> None:
    run = RunResult(
        RunId("r"),
        datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))),
        commit="abc",
        dirty=True,
        command=("run", "-x"),
        source="junit",
    )

    line = decode(encode_run(run))

    assert isinstance(line, RunLine)
    assert line.run() == run


def test_a_start_without_a_time_zone_is_taken_as_utc() -> None:
    naive = RunResult(RunId("r"), datetime(2024, 5, 1, 12))  # noqa: DTZ001  the point of the test

    line = decode(encode_run(naive))

    assert isinstance(line, RunLine)
    assert line.started_at == datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_moments_are_written_as_the_internet_writes_them() -> None:
    written = json.loads(encode_event(AttemptFinished(CASE, FULL)))

    assert written["event"]["attempt"]["started_at"] == "2024-05-01T12:30:01.250000Z"


def test_a_line_beyond_the_limit_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_line_encoder, "MAX_LINE_BYTES", 200)

    with pytest.raises(TooLarge):
        encode_event(ProblemFound(Problem("x", "y" * 200)))


def _event_in(raw: bytes) -> KeptEvent:
    line = decode(raw)
    assert isinstance(line, EventLine)
    return line.event
