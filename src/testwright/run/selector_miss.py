"""Read a failed attempt of a browser test: was it a selector that found nothing, which one, and where was it used?"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from testwright.model.artifact_names import FAILED_CALL
from testwright.model.case import Framework, TestCase
from testwright.model.foreign_folders import is_in_packages
from testwright.model.heal import CallSite, FailureRecord
from testwright.model.result import Attempt
from testwright.model.untrusted_text import without_colours
from testwright.run.project import Project

_MOST_RECORD_BYTES = 1 << 20
_MOST_MESSAGE = 200_000  # characters that are looked at
# `TimeoutError: locator.click: Timeout 400ms exceeded.`, `...TimeoutError: Page.click: ...`
_ACTION = re.compile(
    r"(?:[\w.]+Error: |Error: )*(?:locator|page|frame|elementHandle|Locator|Page|Frame|ElementHandle)\.(\$?\w+): (.+)"
)
_OUT_OF_TIME = re.compile(r"(?:Error: )?(?:Timeout|Test timeout of) \d+ms exceeded")
_NO_SUCH_ELEMENT = re.compile(r'(?:Error: )?Failed to find element matching selector "(.*)"')
# `expect(locator).not.toHaveText(expected) failed`, in older versions `Timed out 5000ms waiting for expect(locator)...`
_EXPECT = re.compile(r"(?:[\w ]*: )?(?:Timed out \d+ms waiting for )?expect\(locator\)\.(not\.)?(\w+)\(")
# `- Expect "to_be_visible" get_by_role(...) with timeout 400ms`, earlier `- LocatorAssertions.to_be_visible with ...`
_EXPECT_IN_LOG = re.compile(r'- (?:Expect "(?:soft )?(not |not_)?(\w+)"|LocatorAssertions\.(not_)?(\w+) with timeout)')
_WAITING = re.compile(
    r"(?:- )?waiting for ((?:locator|getBy\w+|get_by_\w+|frameLocator|frame_locator)\(.+?\))"
    r"(?: to be (visible|hidden|attached|detached))?"
)
_FOUND = re.compile(r"locator resolved to (?!0 elements\b)")
_FOUND_NONE = re.compile(r"locator resolved to 0 elements\b")
_NOTHING_RECEIVED = frozenset({"0", "[]", "<element(s) not found>", "None", "undefined"})
_RECEIVED = re.compile(r"(?:Received(?: string| array)?|Actual value):\s+(.*)")
# The last is all that older versions say in Python.
_SAYS_NOT_FOUND = frozenset({"Error: element(s) not found", "Received: <element(s) not found>", "Actual value: None"})
_ABSENCE = frozenset({"toBeHidden", "to_be_hidden", "toBeDetached"})
_JS_FRAME = re.compile(r"\s+at (?:.* \()?(?:file://)?(/.*?):(\d+):(\d+)\)?")
_PYTEST_FRAME = re.compile(r"(\S[^:\n]*\.py):(\d+): ?(?:in \S+|\w*)")
_PYTHON_FRAME = re.compile(r'\s*File "(.+?)", line (\d+), in .*')


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a message says."""

    is_miss: bool = False
    is_list: bool = False
    selector: str = ""
    action: str = ""


def is_selector_miss(message: str) -> bool:
    """Whether a failure says that a selector found nothing, and only that: it did not find something else."""
    return _read(message).is_miss


def is_list_miss(message: str) -> bool:
    """Whether a selector that stands for several elements found none of them."""
    reading = _read(message)
    return reading.is_miss and reading.is_list


def has_lost_an_element(attempt: Attempt) -> bool:
    """Whether one of the attempt's complaints is that a selector found nothing. A soft one may come before it."""
    return bool(_lost_element(attempt))


def _lost_element(attempt: Attempt) -> str:
    return next((text for text in (attempt.message, *attempt.errors) if is_selector_miss(text)), "")


def failure_of(case: TestCase, attempt: Attempt, project_root: Path) -> FailureRecord:
    """What is known of a failed attempt. Of several complaints the first that is a lost element counts."""
    message = _lost_element(attempt) or attempt.message
    reading = _read(message)
    project = Project(project_root)
    noted = _noted_by_our_reporter(attempt, project_root)
    stack = noted or tuple(_own(_frames(case, attempt.stack, message), case, project))
    return FailureRecord(case, message, stack, reading.selector, reading.action)


# --- the message -------------------------------------------------------------------------------


def _read(message: str) -> _Reading:
    lines = without_colours(message[:_MOST_MESSAGE]).splitlines()
    head, log = _parted(lines)
    if any("strict mode violation" in line for line in head):
        return _Reading(selector=_waited_for(log)[0])
    return _read_action(head, log) or _read_expectation(head, log) or _Reading()


def _parted(lines: list[str]) -> tuple[list[str], list[str]]:
    """What was said, and the call log below it. The last log counts: texts of the page come before it."""
    starts = [number for number, line in enumerate(lines) if line.strip() == "Call log:"]
    if not starts:
        return lines, []
    log = lines[starts[-1] + 1 :]
    end = next((number for number, line in enumerate(log) if not line.strip()), len(log))
    return lines[: starts[-1]], log[:end]


def _read_action(head: list[str], log: list[str]) -> _Reading | None:
    """None: no action failed. The last line that names one counts: before it may be the limit of the whole test."""
    found = [match for match in map(_ACTION.fullmatch, map(str.strip, head)) if match]
    if not found:
        return None
    action, said = found[-1].groups()
    missing = _NO_SUCH_ELEMENT.match(said)
    if missing:
        return _Reading(is_miss=True, selector=missing[1], action=action)
    selector, state = _waited_for(log)
    is_miss = bool(
        _OUT_OF_TIME.match(said) and selector and state not in ("hidden", "detached") and not _was_found(log)
    )
    return _Reading(is_miss, selector=selector, action=action)


def _read_expectation(head: list[str], log: list[str]) -> _Reading | None:
    action, is_negated = _expectation(head, log)
    if not action:
        return None
    selector, _ = _waited_for(log)
    reading = _Reading(selector=selector, action=action)
    # What is said not to be so holds for nearly any element: a rerun would not show that a new selector is wrong.
    if is_negated or action in _ABSENCE or not selector or _was_found(log) or not _nothing_received(head):
        return reading
    if any(_FOUND_NONE.search(line) for line in log):
        return _Reading(not _expects_none(head), is_list=True, selector=selector, action=action)
    is_miss = any(line.strip() in _SAYS_NOT_FOUND for line in head)
    return _Reading(is_miss, selector=selector, action=action)


def _expectation(head: list[str], log: list[str]) -> tuple[str, bool]:
    """The name of the expectation that failed, and whether it was a `not`."""
    for line in head:
        found = _EXPECT.match(line.strip())
        if found:
            return found[2], bool(found[1])
    for line in log:
        logged = _EXPECT_IN_LOG.match(line.strip())
        if logged:
            name = logged[2] or logged[4]
            is_negated = bool(logged[1] or logged[3]) or name.startswith("not_")
            return name.removeprefix("not_"), is_negated
    return "", False


def _waited_for(log: list[str]) -> tuple[str, str]:
    """The selector, and the state that was waited for."""
    for line in log:
        found = _WAITING.fullmatch(line.strip())
        if found:
            return found[1], found[2] or ""
    return "", ""


def _was_found(log: list[str]) -> bool:
    return any(_FOUND.search(line) for line in log)


def _nothing_received(head: list[str]) -> bool:
    received = [match[1].strip() for match in map(_RECEIVED.match, map(str.strip, head)) if match]
    return all(value in _NOTHING_RECEIVED for value in received)


def _expects_none(head: list[str]) -> bool:
    return any(re.fullmatch(r"\s*Expected:\s+0|.*expected to have count '0'", line) for line in head)


# --- the stack ---------------------------------------------------------------------------------


def _frames(case: TestCase, stack: str, message: str) -> Iterator[CallSite]:
    """Every place the stack names, innermost first."""
    text = without_colours(stack)
    if case.framework is not Framework.PYTEST:
        yield from _javascript_frames(text, message)
        return
    found = []
    for line in text.splitlines():
        match = _PYTEST_FRAME.fullmatch(line) or _PYTHON_FRAME.fullmatch(line)
        if match:
            found.append(CallSite(match[1], int(match[2])))
    yield from reversed(found)


def _javascript_frames(stack: str, message: str) -> Iterator[CallSite]:
    """Of the error that has this message: a stack may hold those of several."""
    first = next((line for line in reversed(without_colours(message).splitlines()) if line.strip()), "")
    lines = stack.splitlines()
    start = next((number for number, line in enumerate(lines) if line.strip() == first.strip()), 0)
    has_begun = False
    for line in lines[start:]:
        found = _JS_FRAME.fullmatch(line)
        if found:
            has_begun = True
            yield CallSite(unquote(found[1]) if "file://" in line else found[1], int(found[2]), int(found[3]))
        elif has_begun and line.strip():
            return


def _own(frames: Iterable[CallSite], case: TestCase, project: Project) -> Iterator[CallSite]:
    """Those in the project's own files, by the names the project has for them."""
    for frame in frames:
        name = _name_in_project(frame.file, case, project)
        if name:
            yield CallSite(name, frame.line, frame.column)


def _name_in_project(file: str, case: TestCase, project: Project) -> str:
    """Empty for a file of somebody else. pytest names files from where it was started: a folder above the test."""
    if file.startswith("/"):
        places = [Path(file)]
    else:
        folders = [project.path(case.file).parent, *project.path(case.file).parent.parents]
        inside = folders[: folders.index(project.root) + 1] if project.root in folders else [project.root]
        places = [folder / file for folder in reversed(inside)]
    for place in places:
        name = project.name_of(place)
        if not name.startswith("/") and place.is_file() and not is_in_packages(name):
            return name
    return ""


def _noted_by_our_reporter(attempt: Attempt, root: Path) -> tuple[CallSite, ...]:
    """The call sites as they were while the test ran; a printed stack may leave some out."""
    for artifact in attempt.artifacts:
        if artifact.name != FAILED_CALL:
            continue
        try:
            with (root / artifact.path).open("rb") as file:
                record = json.loads(file.read(_MOST_RECORD_BYTES))
            return tuple(CallSite(str(name), int(line)) for name, line in record["sites"])
        except (OSError, ValueError, KeyError, TypeError):  # gone or torn: as if it had not been kept
            return ()
    return ()
