"""Take a failure's text apart into a record that means the same for every framework."""

import re
from collections.abc import Sequence

from testwright.classify.failure_text.check_details import locator_of, matcher_of, subject_of, values_of
from testwright.classify.failure_text.headlines import api_of, did_not_load, headline_of, hook_of, said_of, timeout_of
from testwright.classify.failure_text.line_kinds import KnownLine, LineKind, known_lines
from testwright.classify.failure_text.stack_frames import frame_of
from testwright.classify.word_lists import words
from testwright.model.failure import FailureDetail, FailureLine, StackFrame

_NOTHING_THROWN = re.compile(r"to not throw|not\.toThrow|instead of resolved|function did throw")
_ERROR = re.compile(r"\s{0,8}['\"\[]{0,2}(?=\w{0,60}(?:Error|Exception)\b)")
_DART_PACKAGE = re.compile(r"package:([a-z0-9_]{1,80})/")
_DART_LIBRARIES = words(
    "async bloc boot collection firebase_core flutter flutter_driver flutter_riverpod flutter_test flutter_tools",
    "matcher meta mockito mocktail provider riverpod stack_trace stream_channel test test_api test_core webdriver",
)


def parse_failure_text(text: str, framework: str = "") -> FailureDetail:
    lines = known_lines(text)
    raw_said = [each.line for each in lines if each.kind is LineKind.SAID]
    said = [line for raw in raw_said if (line := said_of(raw)) is not None]
    said += _thrown(said, lines)
    log = _of_kind(lines, LineKind.LOG)
    page = _of_kind(lines, LineKind.PAGE)
    error_class, headline, rest = headline_of(said)
    api, rest = api_of(rest, said)
    matcher, negated = matcher_of(headline, said, lines, api)
    expected, received = values_of(lines, rest)
    return FailureDetail(
        framework=framework or _framework(lines),
        said=tuple(said),
        error_class=error_class,
        headline=headline,
        api=api,
        matcher=matcher,
        is_negated=negated,
        locator=locator_of(said, log),
        expected=expected,
        received=received,
        subject=subject_of(lines),
        log=log,
        frames=_frames(lines),
        page=page,
        noise=_of_kind(lines, LineKind.PRINTED),
        hook=hook_of(raw_said),
        did_not_load=did_not_load(raw_said),
        timeout_ms=timeout_of(said),
        is_empty=not page and not any(line.text.strip() for line in raw_said),
    )


def _thrown(said: Sequence[FailureLine], lines: Sequence[KnownLine]) -> list[FailureLine]:
    """A check that nothing is thrown shows as its value what was thrown: that is said, too."""
    if not any(_NOTHING_THROWN.search(line.text) for line in said):
        return []
    values = [each.line for each in lines if each.kind is LineKind.VALUE]
    return [
        FailureLine(line.text[found.end() :], line.start + found.end())
        for line in values
        if (found := _ERROR.match(line.text))
    ]


def _of_kind(lines: Sequence[KnownLine], kind: LineKind) -> tuple[FailureLine, ...]:
    found = []
    for each in lines:
        if each.kind is kind:
            text = each.line.text
            found.append(FailureLine(text.strip(), each.line.start + len(text) - len(text.lstrip())))
    return tuple(found)


def _frames(lines: Sequence[KnownLine]) -> tuple[StackFrame, ...]:
    """The stack, innermost first. Python prints the innermost frame last; everybody else first."""
    shown = [each.line.text for each in lines if each.kind is LineKind.FRAME]
    package = _dart_package(shown)
    frames = [frame for text in shown if (frame := frame_of(text, package=package))]
    python = any(": in " in text or text.lstrip().startswith('File "') for text in shown)
    return tuple(reversed(frames) if python else frames)


def _dart_package(shown: Sequence[str]) -> str:
    """The package under test: the one of the frames that is not a known library, and lies nearest to the test."""
    names = [found[1] for text in shown if (found := _DART_PACKAGE.search(text)) and found[1] not in _DART_LIBRARIES]
    return names[-1] if names else ""


def _framework(lines: Sequence[KnownLine]) -> str:
    """Whose text it is, by its furniture; empty where nothing tells."""
    for each in lines:
        text = each.line.text
        if each.kind in (LineKind.LOG, LineKind.PAGE):
            return "playwright"
        if each.is_marked or text.startswith(("FAILED tests", "_____")) or ": in test_" in text:
            return "pytest"
        if text.lstrip().startswith("❯ ") or "[vitest]" in text:
            return "vitest"
        if text.lstrip().startswith("● "):
            return "jest"
        if "package:flutter_test" in text or "EXCEPTION CAUGHT BY" in text:
            return "flutter"
    return ""
