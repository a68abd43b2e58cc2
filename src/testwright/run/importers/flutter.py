"""What `flutter test --machine` and `dart test --reporter json` print: one JSON event a line."""

import re
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec import Struct

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run.importers import report_json
from testwright.run.importers.imported_results import ImportedRun, ResultCollector, milliseconds, unexplained_failure
from testwright.run.importers.project_paths import ProjectPaths
from testwright.run.importers.report_file import ReportFile

NAME = "flutter"

_EVENTS = frozenset(
    {"start", "suite", "group", "testStart", "testDone", "print", "error", "allSuites", "done", "debug"}
)
_BLOCK = re.compile(r"^═+╡ EXCEPTION CAUGHT BY [^\n]* ╞═+\n(.*?)(?:^═{20,}$|\Z)", re.DOTALL | re.MULTILINE)
_STACK_STARTS = re.compile(r"^When the exception was thrown, this was the stack:\n?", re.MULTILINE)
_ON_A_DEVICE = re.compile(r"^flutter: ", re.MULTILINE)
_SEE_ABOVE = "Test failed. See exception logs above."
_TIMED_OUT = re.compile(r"\ATimeoutException after |^Test timed out after ", re.MULTILINE)


class _Suite(Struct, rename={"id_": "id"}):
    id_: int
    path: str | None = None


class _Group(Struct, rename={"id_": "id"}):
    id_: int
    name: str | None = None


class _Metadata(Struct, rename="camel"):
    skip_reason: str | None = None


class _Test(Struct, rename={"id_": "id", "suite_id": "suiteID", "group_ids": "groupIDs"}):
    id_: int
    name: str
    suite_id: int
    group_ids: list[int] = []
    metadata: _Metadata | None = None
    line: int | None = None
    url: str | None = None
    root_line: int | None = None
    root_url: str | None = None


class _Event(
    Struct,
    rename={"test_id": "testID", "message_type": "messageType", "stack_trace": "stackTrace", "is_failure": "isFailure"},
):
    type: str
    time: float = 0.0
    suite: _Suite | None = None
    group: _Group | None = None
    test: _Test | None = None
    test_id: int | None = None
    result: str = ""
    skipped: bool = False
    hidden: bool = False
    message: str = ""
    message_type: str = ""
    error: str = ""
    stack_trace: str = ""
    is_failure: bool = False
    success: bool | None = None


@dataclass(slots=True)
class _Running:
    """A test and what the report has said of it so far."""

    test: _Test
    started: float
    prints: list[str] = field(default_factory=list)
    skip_notes: list[str] = field(default_factory=list)
    errors: list[_Event] = field(default_factory=list)
    done: _Event | None = None


@dataclass(slots=True)
class _Session:
    suites: dict[int, _Suite] = field(default_factory=dict)
    groups: dict[int, _Group] = field(default_factory=dict)
    tests: dict[int, _Running] = field(default_factory=dict)
    end: _Event | None = None
    last_time: float = 0.0


def misfit(report: ReportFile) -> str:
    """Why this is not a Flutter report; empty when it may be."""
    event = report_json.first_event(report)
    if event is None:
        return "it has no line that is a JSON object"
    if event.get("type") in _EVENTS and ("time" in event or "protocolVersion" in event):
        return ""
    return "its first event has no known 'type' with a 'time'"


def read(report: ReportFile, paths: ProjectPaths) -> ImportedRun:
    session = _Session()
    for number, line in report_json.lines(report):
        if isinstance(line, dict):
            event = report_json.typed(report, line, _Event, where=f"line {number}: ")
            _apply_event(session, event, report, number)
    if not session.suites and not session.tests and session.end is None:
        raise report.malformed("it holds no Flutter test event; expected 'suite', 'testStart', 'testDone', 'done'.")
    results = ResultCollector(has_replacements=report.has_replacements)
    for running in session.tests.values():
        if running.done is None or not running.done.hidden or running.errors:
            results.add(_case(running, session, paths), [_attempt(running)])
    end = session.end
    is_unexplained = end is not None and end.success is False and not results.has_failure
    return ImportedRun(
        results=results.all,
        problems=(unexplained_failure("The Flutter report"),) if is_unexplained else (),
        duration_ms=milliseconds(session.last_time),
        interrupted=end is None or end.success is None,
    )


T = TypeVar("T")


def _apply_event(session: _Session, event: _Event, report: ReportFile, number: int) -> None:
    def given(value: T | None, name: str) -> T:
        if value is None:
            raise report.malformed(f"line {number}: the event {event.type!r} has no {name!r}.")
        return value

    session.last_time = max(session.last_time, event.time)
    match event.type:
        case "suite":
            suite = given(event.suite, "suite")
            session.suites[suite.id_] = suite
        case "group":
            group = given(event.group, "group")
            session.groups[group.id_] = group
        case "testStart":
            test = given(event.test, "test")
            if test.id_ in session.tests:
                raise report.malformed(
                    f"line {number}: the test {test.id_} starts twice; are these two reports in one?"
                )
            session.tests[test.id_] = _Running(test, event.time)
        case "print" | "error" | "testDone":
            running = session.tests.get(given(event.test_id, "testID"))
            if running is None:
                raise report.malformed(f"line {number}: the test {event.test_id} was never started.")
            _apply_test_event(running, event)
        case "done":
            session.end = event


def _apply_test_event(running: _Running, event: _Event) -> None:
    if event.type == "error":
        running.errors.append(event)
    elif event.type == "testDone":
        running.done = event
    elif event.message_type == "skip":
        running.skip_notes.append(event.message)
    else:
        running.prints.append(event.message)


def _case(running: _Running, session: _Session, paths: ProjectPaths) -> TestCase:
    test = running.test
    suite = session.suites.get(test.suite_id)
    path = (suite.path if suite is not None else None) or ""
    # The runner's virtual test that loads a file; when it is not hidden, the file did not load.
    is_loader = not test.group_ids and test.name.startswith("loading ")
    if is_loader and not path:
        path = test.name.removeprefix("loading ")
    line = test.root_line if test.root_url else test.line
    if not test.root_url and (test.url or "").startswith("package:"):
        line = None  # a place inside a library, such as the definition of testWidgets
    return TestCase(
        Framework.FLUTTER,
        file=paths.name_of(path),
        title=() if is_loader else _title(test, session),
        line=line,
        native_id=test.name,
    )


def _title(test: _Test, session: _Session) -> tuple[str, ...]:
    """The groups and the test, each by its own name: Dart repeats the outer names in front of the inner ones."""
    names = [session.groups[number].name or "" for number in test.group_ids if number in session.groups]
    title: list[str] = []
    before = ""
    for name in (*names, test.name):
        own = name.removeprefix(before).strip() if before else name
        if own:
            title.append(own)
        before = name or before
    return tuple(title)


def _attempt(running: _Running) -> Attempt:
    done = running.done
    stdout = "\n".join(running.prints)
    if done is None:
        return Attempt(Outcome.INTERRUPTED, message="The report ends before this test does.", stdout=stdout)
    duration = milliseconds(done.time - running.started)
    if done.result == "success" and not running.errors:
        if not done.skipped:
            return Attempt(Outcome.PASSED, duration_ms=duration, stdout=stdout)
        metadata = running.test.metadata
        reason = (metadata.skip_reason if metadata else None) or "\n".join(running.skip_notes).removeprefix("Skip: ")
        return Attempt(Outcome.SKIPPED, duration_ms=duration, message=reason, stdout=stdout)
    complaints = _complaints(running)
    message, stack = complaints[0]
    return Attempt(
        _failed_outcome(running, message),
        duration_ms=duration,
        message=message,
        stack=stack,
        stdout=stdout,
        errors=tuple(text for text, _ in complaints) if len(complaints) > 1 else (),
    )


def _failed_outcome(running: _Running, message: str) -> Outcome:
    """`error` says only that the exception was not caught; a widget test's failed expectation arrives that way too."""
    done = running.done
    assert done is not None  # asked only for tests that finished
    if done.result not in ("success", "failure", "error"):
        return Outcome.NO_VERDICT
    if any(_TIMED_OUT.search(event.error) for event in running.errors):
        return Outcome.TIMEOUT
    is_expectation = any(event.is_failure for event in running.errors) or "The following TestFailure" in message
    return Outcome.FAILED if done.result == "failure" or is_expectation else Outcome.ERROR


def _complaints(running: _Running) -> list[tuple[str, str]]:
    """Messages with their stacks: the exception blocks that were printed, and the errors that say more than those."""
    printed = _ON_A_DEVICE.sub("", "\n".join(running.prints))
    blocks = [_split(block[1]) for block in _BLOCK.finditer(printed)]
    errors = [(event.error, event.stack_trace) for event in running.errors]
    telling = [error for error in errors if not (blocks and error[0].startswith(_SEE_ABOVE))]
    result = running.done.result if running.done else ""
    return [*blocks, *telling] or errors or [(f"The runner says {result!r} and nothing more.", "")]


def _split(block: str) -> tuple[str, str]:
    message, *rest = _STACK_STARTS.split(block, maxsplit=1)
    return message.strip("\n"), "".join(rest).strip("\n")
