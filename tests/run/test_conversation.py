"""What is made of a runner's records, and of its silence."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from testwright.isolate.child import ChildReport, Ending
from testwright.isolate.output import Output
from testwright.model.case import Framework
from testwright.model.events import AttemptFinished, Collected, ProblemFound, RunEvent, TestStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Counts
from testwright.run.conversation import Conversation
from testwright.run.project import Project

ROOT = Path("/project")
ENDED_WELL = ChildReport(Ending.EXITED, exit_code=0)


def test_of(name: str, **more: Any) -> dict[str, Any]:
    return {"file": "/project/a.py", "title": [name], "native_id": f"a.py::{name}", **more}


test_of.__test__ = False  # type: ignore[attr-defined]  # pytest would take the function for a test


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(Framework.PYTEST, Project(ROOT))


def receive(conversation: Conversation, *records: dict[str, Any]) -> list[RunEvent]:
    return [event for record in records for event in conversation.receive(record)]


def conclude(conversation: Conversation, report: ChildReport, **options: float) -> list[tuple[str, str]]:
    """Outcomes and problem codes, each with the name of the test or file."""
    told = []
    for event in conversation.conclude(report, **options):
        if isinstance(event, AttemptFinished):
            told.append((str(event.attempt.outcome), event.case.name))
        elif isinstance(event, ProblemFound):
            told.append((event.problem.code, ""))
    return told


def receive_after_the_order_to_end(conversation: Conversation, record: dict[str, Any]) -> list[RunEvent]:
    return list(conversation.receive(record, was_stopped=True))


# --- while it talks ----------------------------------------------------------------------------


def test_tests_are_announced_started_and_finished(conversation: Conversation) -> None:
    collected, started, finished = receive(
        conversation,
        {"kind": "collected", "tests": [test_of("test_x", key=1, line=4)]},
        {"kind": "started", "test": 1},
        {"kind": "finished", "test": 1, "outcome": "passed", "duration_ms": 2.5, "counts": {"passed": 3, "failed": 0}},
    )
    assert isinstance(collected, Collected)
    [case] = collected.cases
    assert (case.file, case.title, case.line, case.native_id) == ("a.py", ("test_x",), 4, "a.py::test_x")
    assert started == TestStarted(case)
    assert isinstance(finished, AttemptFinished)
    assert (finished.attempt.outcome, finished.attempt.duration_ms) == (Outcome.PASSED, 2.5)
    assert finished.attempt.counts == Counts(3, 0)


def test_tests_of_one_name_are_numbered_as_announced_or_as_told(conversation: Conversation) -> None:
    [first] = receive(conversation, {"kind": "collected", "tests": [test_of("x", key=1), test_of("x", key=2)]})
    [second] = receive(conversation, {"kind": "collected", "tests": [test_of("y", key=3, occurrence=2)]})
    assert isinstance(first, Collected)
    assert isinstance(second, Collected)
    assert [case.occurrence for case in (*first.cases, *second.cases)] == [1, 2, 2]


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "nonsense"},
        {},
        {"kind": "started", "test": 99},
        {"kind": "started", "test": []},
        {"kind": "started"},
        {"kind": "collected", "tests": None},
        {"kind": "collected", "tests": [{"file": 3}]},
        {"kind": "collected", "tests": [{"file": "a.py", "title": [3]}]},
        {"kind": "collected", "tests": [{"file": "a.py", "occurrence": -1}]},
        {"kind": "collected", "tests": [{"file": "a.py", "occurrence": 1 << 60}]},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "excellent"},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed_with_heal"},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed", "counts": {"passed": True, "failed": 0}},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed", "counts": [1]},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed", "started_at": 1e300},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed", "message": 5},
        {"kind": "finished", "test": {"file": "a.py"}, "outcome": "passed", "artifacts": ["x"]},
        {"kind": "problem", "code": "x"},
        {"kind": "loading"},
        {"kind": "up", "pid": "me"},
    ],
)
def test_a_record_that_makes_no_sense_is_counted_and_reported_as_tampering(
    conversation: Conversation, record: dict[str, Any]
) -> None:
    assert receive(conversation, record, {"kind": "end", "exit_code": 0}) == []
    assert conversation.garbled == 1
    assert conclude(conversation, ENDED_WELL) == [("result_tampered", "")]


@pytest.mark.parametrize("duration", [-1, float("inf"), float("nan"), "long"])
def test_a_duration_that_cannot_be_is_none(conversation: Conversation, duration: object) -> None:
    [event] = receive(
        conversation, {"kind": "finished", "test": test_of("x"), "outcome": "passed", "duration_ms": duration}
    )
    assert isinstance(event, AttemptFinished)
    assert event.attempt.duration_ms == 0.0


def test_a_line_that_no_file_can_have_is_none(conversation: Conversation) -> None:
    [event] = receive(conversation, {"kind": "collected", "tests": [test_of("x", key=1, line=1 << 60)]})
    assert isinstance(event, Collected)
    assert event.cases[0].line is None


def test_a_crash_reported_after_the_order_to_end_is_not_a_verdict_on_an_announced_test(
    conversation: Conversation,
) -> None:
    tests = [test_of(name, key=key) for key, name in enumerate(("test_hangs", "test_beside_it", "test_done"))]
    receive(conversation, {"kind": "collected", "tests": tests})
    receive(conversation, *({"kind": "started", "test": key} for key in range(3)))

    assert not receive_after_the_order_to_end(conversation, {"kind": "finished", "test": 1, "outcome": "crashed"})
    assert receive_after_the_order_to_end(conversation, {"kind": "finished", "test": 2, "outcome": "passed"})

    assert conclude(conversation, ChildReport(Ending.TIMEOUT), test_seconds=60)[0] == ("timeout", "test_hangs")
    assert [case.name for case in conversation.unfinished()] == ["test_beside_it"]
    assert not conversation.garbled


def test_a_crash_of_what_was_not_announced_is_never_lost(conversation: Conversation) -> None:
    record = {"kind": "finished", "test": test_of("test_x"), "outcome": "crashed"}
    assert len(receive_after_the_order_to_end(conversation, record)) == 1


# --- when it falls silent ----------------------------------------------------------------------

ONE = {"kind": "end", "exit_code": 1}
TWO_TESTS = (
    {"kind": "collected", "tests": [test_of("x", key=1), test_of("y", key=2)]},
    {"kind": "started", "test": 1},
)


@pytest.mark.parametrize(
    ("report", "outcome"),
    [
        (ChildReport(Ending.EXITED, exit_code=0), "no_verdict"),
        (ChildReport(Ending.SIGNALLED, signal=11), "crashed"),
        (ChildReport(Ending.TIMEOUT, signal=9), "timeout"),
        (ChildReport(Ending.OUTPUT_LIMIT, signal=15), "output_limit"),
    ],
)
def test_the_test_that_was_running_is_named_and_the_next_is_unfinished(
    conversation: Conversation, report: ChildReport, outcome: str
) -> None:
    receive(conversation, *TWO_TESTS)
    assert conclude(conversation, report) == [(outcome, "x")]
    assert [case.name for case in conversation.unfinished()] == ["y"]


def test_a_process_that_died_for_lack_of_memory_says_so(conversation: Conversation) -> None:
    receive(conversation, *TWO_TESTS)
    stderr = Output(b"terminate called after throwing an instance of 'std::bad_alloc'", total_bytes=63)
    [event] = conversation.conclude(ChildReport(Ending.SIGNALLED, signal=6, stderr=stderr))
    assert isinstance(event, AttemptFinished)
    assert event.attempt.reason == "memory_limit"


def test_only_tests_whose_time_was_up_time_out(conversation: Conversation) -> None:
    receive(conversation, *TWO_TESTS, {"kind": "started", "test": 2})
    assert conclude(conversation, ChildReport(Ending.TIMEOUT, signal=9), test_seconds=600.0) == [("timeout", "x")]
    assert [case.name for case in conversation.unfinished()] == ["y"]


def test_being_stopped_interrupts_what_runs_and_what_waits(conversation: Conversation) -> None:
    receive(conversation, *TWO_TESTS)
    told = conclude(conversation, ChildReport(Ending.CANCELLED, signal=2))
    assert told == [("interrupted", "x"), ("interrupted", "y")]


def test_a_file_that_was_loading_when_the_runner_died_is_named(conversation: Conversation) -> None:
    receive(conversation, {"kind": "loading", "file": "/project/b.py"})
    assert conclude(conversation, ENDED_WELL) == [("no_verdict", "b.py")]
    assert conversation.lost_file is not None


def test_a_file_that_has_loaded_is_not_blamed(conversation: Conversation) -> None:
    receive(conversation, {"kind": "loading", "file": "/project/b.py"}, {"kind": "loading", "file": None})
    assert conclude(conversation, ENDED_WELL) == [("no_verdict", "")]


def test_a_runner_that_stopped_by_itself_leaves_nothing_to_do(conversation: Conversation) -> None:
    receive(
        conversation,
        TWO_TESTS[0],
        {"kind": "finished", "test": 1, "outcome": "failed"},
        {"kind": "end", "exit_code": 1, "stopped": True},
    )
    assert conclude(conversation, replace(ENDED_WELL, exit_code=1)) == []
    assert conversation.unfinished() == ()


@pytest.mark.parametrize(
    ("records", "exit_code", "told"),
    [
        ([], 0, ["no_verdict"]),  # no last word
        ([{"kind": "end", "exit_code": 0}], 0, []),
        ([{"kind": "end", "exit_code": 0}], 1, ["no_verdict"]),  # not what it said
        ([{"kind": "end", "exit_code": 4}], 4, ["no_tests"]),  # nothing was run
        ([{"kind": "end", "exit_code": 5, "empty": True}], 5, []),  # there was nothing to run
        ([{"kind": "finished", "test": test_of("x"), "outcome": "passed"}, ONE], 1, ["runner_failed"]),
        ([{"kind": "finished", "test": test_of("x"), "outcome": "failed"}, ONE], 1, []),
        ([{"kind": "problem", "code": "p", "message": "m"}, {"kind": "end", "exit_code": 3}], 3, []),
    ],
)  # fmt: skip
def test_an_end_that_does_not_fit_what_was_reported_is_a_problem(
    conversation: Conversation, records: list[dict[str, Any]], exit_code: int, told: list[str]
) -> None:
    receive(conversation, *records)
    report = ChildReport(Ending.EXITED, exit_code=exit_code, stderr=Output(b"why\n", total_bytes=4))
    problems = [event.problem for event in conversation.conclude(report) if isinstance(event, ProblemFound)]
    assert [problem.code for problem in problems] == told
    assert all("why" in problem.message for problem in problems)


def test_forged_records_are_reported(conversation: Conversation) -> None:
    receive(conversation, {"kind": "end", "exit_code": 0})
    assert conclude(conversation, replace(ENDED_WELL, forged_records=2)) == [("result_tampered", "")]
