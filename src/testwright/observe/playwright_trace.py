"""Traces of Playwright: the calls of a test, and the pages they met."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from testwright.model.dom import Box, DomSnapshot
from testwright.model.errors import ArchiveInvalid, TraceUnsupported
from testwright.model.heal import CallSite
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.observe.archive import Archive
from testwright.observe.trace_pages import FrameSnapshot, SnapshotShelf, TracedPage, page_from

Phase = Literal["before", "action", "after"]

OLDEST, NEWEST = 6, 10
_PHASES = {"before": "before", "input": "action", "action": "action", "after": "after"}
_RUNNER = "Test"  # the class of a test runner's own steps
# Of a call's parameters: what says what it looked for, never what it typed.
_KEPT = ("expression", "isNot", "strict", "state", "expectedNumber", "timeout", "url")
_TYPED = re.compile(r"^(\s*(?:fill|type|press|insertText|pressSequentially|selectOption|setInputFiles))\(.*", re.DOTALL)
_VALUE = re.compile(r"""(\svalue=)("[^"]*"|'[^']*')""")
_MOST_LOG, _MOST_MESSAGE = 200, 4_000


@dataclass(frozen=True, slots=True)
class TracedCall:
    """Something a test asked of the browser."""

    id: str
    kind: str  # the class it was asked of: Frame, Page, BrowserContext, ...
    method: str  # click, fill, expect, goto, ...
    selector: str = ""  # in Playwright's internal form
    locator: str = ""  # as the test spells it, where the test runner said so
    params: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    started: float = 0.0  # in milliseconds, on the trace's own clock
    error: str = ""
    log: tuple[str, ...] = ()
    stack: tuple[CallSite, ...] = ()  # innermost first; files as the trace names them
    box: Box | None = None  # of the element it acted on, in the window
    source: str = ""  # the part of the archive it is from


class Trace:
    def __init__(
        self,
        calls: tuple[TracedCall, ...],
        shelf: SnapshotShelf,
        moments: Mapping[tuple[str, str, str], list[FrameSnapshot]],
        *,
        version: int | None,
        problems: tuple[str, ...],
        test_id_attribute: str,
    ) -> None:
        self.calls = calls  # in the order they began
        self.version = version
        self.problems = problems  # what was left out: line_too_long, line_torn
        self.test_id_attribute = test_id_attribute
        self._shelf, self._moments = shelf, moments

    def page_at(self, call: TracedCall, phase: Phase = "before") -> DomSnapshot | None:
        """The page at that moment of a call; None: the trace has none."""
        found = self._traced(call, phase)
        return found.page if found is not None else None

    def seen(self, call: TracedCall) -> TracedPage | None:
        """The page on which a call met its elements, and which they are. After an action it may be another page."""
        phases: tuple[Phase, ...] = ("after", "before") if call.method == "expect" else ("action", "after", "before")
        for phase in phases:
            found = self._traced(call, phase)
            if found is not None and found.targets:
                return found
        return None

    def targets(self, call: TracedCall) -> tuple[int, ...]:
        """The elements that a call was about, on the page of `seen`."""
        found = self.seen(call)
        return found.targets if found is not None else ()

    def failed_call(self) -> TracedCall | None:
        """The call that ended the test: the last one with an error, one that looked for an element before others."""
        failed = [call for call in self.calls if call.error]
        looking = [call for call in failed if call.selector]
        return (looking or failed)[-1] if failed else None

    def page_at_failure(self, call: TracedCall) -> DomSnapshot | None:
        """What was there when a call gave up."""
        after = self.page_at(call, "after")
        return after if after is not None else self.page_at(call, "before")

    def _traced(self, call: TracedCall, phase: Phase) -> TracedPage | None:
        snapshots = self._moments.get((call.source, call.id, phase), [])
        mains = [snapshot for snapshot in snapshots if snapshot.is_main]
        if not mains:
            return None
        main = mains[-1]
        others = [snapshot for snapshot in snapshots if not snapshot.is_main and snapshot.page == main.page]
        return page_from(self._shelf, main, others, call.box if phase == "action" else None)


# Told of every event of a trace as it stands there, with the part of the archive it is from. It may hold secrets.
Listener = Callable[[str, dict[str, Any]], None]


def read_trace(source: Path | bytes) -> Trace:
    """The trace in an archive that Playwright wrote (`trace.zip`)."""
    archive = Archive(source, (".trace", ".stacks"))
    try:
        return trace_in(archive)
    finally:
        archive.close()


def trace_in(archive: Archive, listen: Listener = lambda _source, _event: None) -> Trace:
    """The trace in an open archive."""
    reading = _Reading(archive, listen)
    for name in archive.names:
        if name.endswith(".trace"):
            reading.take(name)
    if not reading.has_parts:
        raise ArchiveInvalid("The archive holds no trace.", next_step="Name a trace.zip that Playwright wrote.")
    return reading.trace()


class _Reading:
    def __init__(self, archive: Archive, listen: Listener) -> None:
        self.has_parts = False
        self._archive = archive
        self._listen = listen
        self._version: int | None = None
        self._test_id_attribute = DEFAULT_TEST_ID_ATTRIBUTE
        self._torn = False
        self._shelf = SnapshotShelf()
        self._moments: dict[tuple[str, str, str], list[FrameSnapshot]] = {}
        self._calls: dict[tuple[str, str], TracedCall] = {}
        self._logs: dict[tuple[str, str], list[str]] = {}
        self._steps: dict[str, TracedCall] = {}  # of the test runner
        self._step_of: dict[tuple[str, str], str] = {}

    def take(self, name: str) -> None:
        self.has_parts = True
        source = name.removesuffix(".trace")
        for line in self._archive.lines(name):
            event = self._event(line)
            if event is not None:
                self._take_event(source, event, line)
                self._listen(source, event)
        if f"{source}.stacks" in self._archive.names:
            self._take_stacks(source, self._archive.read(f"{source}.stacks"))

    def _event(self, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            self._torn = True  # the last line of a browser that was killed, for one
            return None
        return event if isinstance(event, dict) else None

    def _take_event(self, source: str, event: dict[str, Any], line: bytes) -> None:
        kind = event.get("type")
        key = (source, str(event.get("callId", "")))
        if kind == "context-options":
            self._take_options(event)
        elif kind == "before" or kind == "action":
            self._begin(source, event)
        elif kind == "log" and isinstance(event.get("message"), str):
            self._logs.setdefault(key, []).append(_without_typed(event["message"]))
        elif kind == "input" and key in self._calls:
            self._calls[key] = replace(self._calls[key], box=_box(event.get("box")))
        elif kind == "frame-snapshot" and isinstance(event.get("snapshot"), dict):
            self._take_snapshot(source, event["snapshot"], line)
        if kind == "after" or kind == "action":
            self._end(key, event)

    def _take_options(self, event: dict[str, Any]) -> None:
        version = event.get("version")
        if not isinstance(version, int) or version < OLDEST:
            raise _unsupported(version)
        self._version = max(version, self._version or 0)
        for holder in (event, event.get("options")):
            if isinstance(holder, dict) and isinstance(holder.get("testIdAttributeName"), str):
                self._test_id_attribute = holder["testIdAttributeName"]

    def _begin(self, source: str, event: dict[str, Any]) -> None:
        call_id = str(event.get("callId", ""))
        given = event.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        call = TracedCall(
            id=call_id,
            kind=str(event.get("class", "")),
            method=str(event.get("method", "")),
            selector=_text(params.get("selector")),
            locator=_text(params.get("locator")),
            params={name: str(params[name])[:1000] for name in _KEPT if name in params},
            title=_text(event.get("title") or event.get("apiName")),
            started=float(event["startTime"]) if isinstance(event.get("startTime"), int | float) else 0.0,
            stack=_sites(event.get("stack")),
            source=source,
        )
        if call.kind == _RUNNER:
            self._steps[call_id] = call
            return
        self._calls[source, call_id] = call
        self._step_of[source, call_id] = str(event.get("stepId") or call_id)

    def _end(self, key: tuple[str, str], event: dict[str, Any]) -> None:
        error = event.get("error")
        inner = error.get("error", error) if isinstance(error, dict) else None
        message = _text(inner.get("message"))[:_MOST_MESSAGE] if isinstance(inner, dict) else ""
        if not isinstance(error, dict):
            return
        message = message or "unknown error"
        if key in self._calls:
            self._calls[key] = replace(self._calls[key], error=message)
        elif key[1] in self._steps:
            self._steps[key[1]] = replace(self._steps[key[1]], error=message)

    def _take_snapshot(self, source: str, snapshot: dict[str, Any], line: bytes) -> None:
        taken = self._shelf.add(snapshot, line)
        call_id, phase = snapshot.get("callId"), snapshot.get("phase")
        name = snapshot.get("snapshotName")
        if isinstance(name, str) and not phase:
            before, _, call_id = name.partition("@")
            phase = _PHASES.get(before)
        if isinstance(call_id, str) and isinstance(phase, str):
            self._moments.setdefault((source, call_id, _PHASES.get(phase, phase)), []).append(taken)

    def _take_stacks(self, source: str, text: bytes) -> None:
        try:
            read = json.loads(text)
            files, stacks = read["files"], read["stacks"]
            for call_id, frames in stacks:
                key = (source, f"call@{call_id}" if isinstance(call_id, int) else str(call_id))
                if key in self._calls:
                    sites = tuple(CallSite(str(files[one[0]]), int(one[1]), int(one[2])) for one in frames)
                    self._calls[key] = replace(self._calls[key], stack=sites)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
            self._torn = True

    def trace(self) -> Trace:
        if self._version is not None and self._version > NEWEST and not (self._calls and self._moments):
            raise _unsupported(self._version)
        calls = [self._finished(key, call) for key, call in self._calls.items()]
        problems = [*(["line_too_long"] if self._archive.skipped_lines else []), *(["line_torn"] if self._torn else [])]
        return Trace(
            tuple(sorted(calls, key=lambda call: call.started)),
            self._shelf,
            self._moments,
            version=self._version,
            problems=tuple(problems),
            test_id_attribute=self._test_id_attribute,
        )

    def _finished(self, key: tuple[str, str], call: TracedCall) -> TracedCall:
        """With its log, and what the test runner knows of it."""
        log = tuple(self._logs.get(key, ())[:_MOST_LOG])
        step = self._steps.get(self._step_of[key])
        if step is None:
            return replace(call, log=log)
        error = (step.error or call.error) if call.error else ""
        return replace(call, log=log, locator=step.locator, stack=step.stack or call.stack, error=error)


def _unsupported(version: object) -> TraceUnsupported:
    return TraceUnsupported(
        f"The trace has format {str(version)[:20]}; formats {OLDEST} to {NEWEST} are read.",
        next_step="Record it again with a Playwright that writes one of them.",
    )


def _without_typed(message: str) -> str:
    """A line of a call's log without what was typed into fields."""
    return _VALUE.sub(r"\1…", _TYPED.sub(r"\1(…)", message[:_MOST_MESSAGE]))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _sites(stack: object) -> tuple[CallSite, ...]:
    if not isinstance(stack, list):
        return ()
    return tuple(
        CallSite(str(frame["file"]), frame["line"], frame.get("column") or 0)
        for frame in stack
        if isinstance(frame, dict) and isinstance(frame.get("file"), str) and isinstance(frame.get("line"), int)
    )


def _box(given: object) -> Box | None:
    if not isinstance(given, dict):
        return None
    sides = [given.get(name) for name in ("x", "y", "width", "height")]
    numbers = [float(side) for side in sides if isinstance(side, int | float)]
    return Box(*numbers) if len(numbers) == len(sides) else None
