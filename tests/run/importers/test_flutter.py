"""The events of `flutter test --machine` become results, also where the verdict hides in a print."""

import json
from collections.abc import Callable

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult

ReadText = Callable[..., RunResult]
Event = dict[str, object]

BLOCK = """══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═══════════════════════════════
The following TestFailure was thrown running a test:
Expected: exactly one matching candidate
  Actual: _KeyWidgetFinder:<Found 0 widgets with key [<'pay'>]: []>
   Which: means none were found but one was expected

When the exception was thrown, this was the stack:
#4      main.<anonymous closure> (file:///home/ann/shop/test/cart_test.dart:57:7)
<asynchronous suspension>
════════════════════════════════════════════════════════════════════════════════"""


def start(number: int, name: str, *, groups: tuple[int, ...] = (10,), time: int = 100, **more: object) -> Event:
    test = {"id": number, "name": name, "suiteID": 0, "groupIDs": list(groups), "line": 8, "url": "file:///x.dart"}
    return {"type": "testStart", "time": time, "test": {**test, **more}}


def done(number: int, result: str = "success", *, time: int = 150, **more: object) -> Event:
    return {
        "type": "testDone",
        "testID": number,
        "result": result,
        "time": time,
        "hidden": False,
        "skipped": False,
        **more,
    }


def said(number: int, message: str, kind: str = "print") -> Event:
    return {"type": "print", "testID": number, "messageType": kind, "message": message, "time": 120}


def error(number: int, text: str, *, is_failure: bool = False) -> Event:
    return {
        "type": "error",
        "testID": number,
        "error": text,
        "stackTrace": "at x",
        "isFailure": is_failure,
        "time": 140,
    }


def group(number: int, name: str | None) -> Event:
    return {"type": "group", "time": 5, "group": {"id": number, "suiteID": 0, "name": name}}


HEAD: list[Event] = [
    {"protocolVersion": "0.1.1", "runnerVersion": None, "pid": 7, "type": "start", "time": 0},
    {"suite": {"id": 0, "platform": "vm", "path": "test/cart_test.dart"}, "type": "suite", "time": 0},
    start(1, "loading test/cart_test.dart", groups=(), time=1, line=None, url=None),
    done(1, hidden=True, time=90),
    group(10, ""),
]
GOOD_END: Event = {"success": True, "type": "done", "time": 900}
BAD_END: Event = {"success": False, "type": "done", "time": 900}


def report(*events: Event, end: Event | None = BAD_END) -> str:
    return "\n".join(json.dumps(event) for event in (*HEAD, *events, *([end] if end else []))) + "\n"


def test_tests_are_counted_and_loaders_are_not(read_text: ReadText) -> None:
    run = read_text(report(start(2, "adds"), done(2), start(3, "removes"), done(3), end=GOOD_END))

    assert run.source == "flutter"
    assert [result.case.id for result in run.results] == [
        "flutter:test/cart_test.dart::adds",
        "flutter:test/cart_test.dart::removes",
    ]
    assert run.success
    assert run.duration_ms == 900
    assert run.results[0].duration_ms == 50


def test_groups_lose_the_names_that_dart_repeats(read_text: ReadText) -> None:
    events = (
        group(11, "Cart"),
        group(12, "Cart when empty"),
        start(2, "Cart when empty adds", groups=(10, 11, 12)),
        done(2),
    )

    assert read_text(report(*events, end=GOOD_END)).results[0].case.title == ("Cart", "when empty", "adds")


def test_a_group_that_was_never_announced_costs_only_its_name(read_text: ReadText) -> None:
    run = read_text(report(start(2, "Cart adds", groups=(10, 99)), done(2), end=GOOD_END))

    assert run.results[0].case.title == ("Cart adds",)


def test_a_finder_that_finds_nothing_is_a_failed_test_though_the_runner_says_error(read_text: ReadText) -> None:
    see_above = "Test failed. See exception logs above.\nThe test description was: pays"
    run = read_text(report(start(2, "pays"), said(2, "before"), said(2, BLOCK), error(2, see_above), done(2, "error")))

    attempt = run.results[0].last
    assert attempt.outcome is Outcome.FAILED
    assert "Found 0 widgets with key [<'pay'>]" in attempt.message
    assert "#4" not in attempt.message
    assert "cart_test.dart:57:7" in attempt.stack
    assert attempt.stdout.startswith("before\n")
    assert attempt.errors == ()


def test_a_block_printed_on_a_device_line_by_line_is_found_too(read_text: ReadText) -> None:
    lines = [said(2, f"flutter: {line}") for line in BLOCK.split("\n")]

    attempt = read_text(report(start(2, "pays"), *lines, done(2, "error"))).results[0].last

    assert attempt.message.startswith("The following TestFailure was thrown")
    assert attempt.outcome is Outcome.FAILED


def test_an_unexpected_exception_is_an_error(read_text: ReadText) -> None:
    attempt = read_text(report(start(2, "pays"), error(2, "Exception: no"), done(2, "error"))).results[0].last

    assert (attempt.outcome, attempt.message, attempt.stack) == (Outcome.ERROR, "Exception: no", "at x")


def test_several_errors_are_all_kept(read_text: ReadText) -> None:
    events = (start(2, "pays"), error(2, "one", is_failure=True), error(2, "two"), done(2, "error"))

    attempt = read_text(report(*events)).results[0].last

    assert attempt.errors == ("one", "two")


def test_a_timeout_is_called_one(read_text: ReadText) -> None:
    text = "TimeoutException after 0:00:30.000000: Test timed out after 30 seconds."

    assert read_text(report(start(2, "t"), error(2, text), done(2, "error"))).results[0].outcome is Outcome.TIMEOUT


def test_a_skipped_test_says_why(read_text: ReadText) -> None:
    run = read_text(report(start(2, "t"), said(2, "Skip: needs a phone", "skip"), done(2, skipped=True), end=GOOD_END))

    attempt = run.results[0].last
    assert (attempt.outcome, attempt.message) == (Outcome.SKIPPED, "needs a phone")


def test_an_error_after_the_test_was_done_still_fails_it(read_text: ReadText) -> None:
    run = read_text(report(start(2, "t"), done(2), error(2, "too late")))

    assert run.results[0].outcome is Outcome.ERROR


def test_a_file_that_does_not_load_is_a_case_without_a_title(read_text: ReadText) -> None:
    loader = start(5, "loading test/cart_test.dart", groups=(), line=None, url=None)

    run = read_text(report(loader, error(5, "Failed to load: Expected ';'"), done(5, "error")))

    assert run.results[0].case.id == "flutter:test/cart_test.dart"
    assert run.results[0].outcome is Outcome.ERROR


def test_the_line_is_the_one_in_the_test_file(read_text: ReadText) -> None:
    library = "package:flutter_test/src/widget_tester.dart"
    run = read_text(
        report(
            start(2, "a", line=126, url=library, root_line=13, root_url="file:///home/ann/test/cart_test.dart"),
            done(2),
            start(3, "b", line=126, url=library),
            done(3),
            start(4, "c"),
            done(4),
            end=GOOD_END,
        )
    )

    assert [result.case.line for result in run.results] == [13, None, 8]


@pytest.mark.parametrize("end", [None, {"success": None, "type": "done", "time": 900}], ids=["cut off", "stopped"])
def test_tests_that_never_finished_were_interrupted(read_text: ReadText, end: Event | None) -> None:
    run = read_text(report(start(2, "a"), done(2), start(3, "b"), said(3, "half way"), end=end))

    assert [result.outcome for result in run.results] == [Outcome.PASSED, Outcome.INTERRUPTED]
    assert run.results[1].last.stdout == "half way"
    assert run.interrupted
    assert not run.success


def test_a_run_that_failed_without_a_failed_test_is_not_a_success(read_text: ReadText) -> None:
    run = read_text(report(start(2, "a"), done(2)))

    assert [problem.code for problem in run.suites[0].problems] == ["unexplained_failure"]


def test_what_the_tool_prints_between_the_events_does_no_harm(read_text: ReadText) -> None:
    noisy = 'Downloading tools...\n[{"event":"test.startedProcess","params":{}}]\n' + report(
        start(2, "a"), done(2), end=GOOD_END
    )

    assert len(read_text(noisy).results) == 1


@pytest.mark.parametrize(
    ("events", "said_to_user"),
    [
        pytest.param([done(77)], "line 6: the test 77 was never started", id="unknown test"),
        pytest.param([start(2, "a"), start(2, "b")], "line 7: the test 2 starts twice", id="two reports in one"),
        pytest.param([{"type": "testStart", "time": 1}], "line 6: the event 'testStart' has no 'test'", id="no test"),
        pytest.param(
            [{"type": "testDone", "testID": "2"}], "line 6: Expected `int | null`, got `str`", id="wrong type"
        ),
    ],
)
def test_events_that_contradict_one_another_are_refused(
    read_text: ReadText, events: list[Event], said_to_user: str
) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text(report(*events))

    assert said_to_user in caught.value.message
