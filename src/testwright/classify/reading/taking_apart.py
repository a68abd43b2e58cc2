"""Take a failure's text apart into a record that means the same for every framework."""

import re
from collections.abc import Iterable, Sequence

from testwright.classify.reading.frames import frame_of
from testwright.classify.reading.lines import Kind, KnownLine, failing_code, known_lines
from testwright.model.failure import FailureDetail, Line, StackFrame

_TITLE = re.compile(
    r"^\s{0,4}(?:\d{1,4}\)\s|●\s|✘\s|✕\s|×\s|FAIL\s|_{3,}\s|\d\d:\d\d \+\d|\[[\w -]{1,40}\] › |Running \d+ test|file \S+, line \d)"
    r"|^\s{0,4}[\w./\\-]{1,200}\.(?:spec|test)\.[cm]?[jt]sx?(?::\d{1,6}:\d{1,6}\s|\s*$)"
)
_SUMMARY = re.compile(r"^(?:FAILED|ERROR) (?P<test>\S.{0,300}?)(?: - (?P<rest>\S.{0,1500}))?$")
_CLASS = re.compile(
    r"^\s{0,8}(?:Uncaught |Unhandled |\(node:\d+\) )?(?P<class>(?:[\w$]{1,80}\.){0,8}[A-Za-z_$][\w$]{0,80}"
    r"(?:Error|Exception|Failure|Violation|Warning|Exit|Interrupt|Timeout|NotFound|Disconnected))(?: \(\d+\))?(?::\s?(?P<rest>.*))?$"
)
_PLAIN_ERROR = re.compile(
    r"^\s{0,8}(?:Error|error|FATAL ERROR|TypeError|Invalid argument\(s\)|Bad state):\s?(?P<rest>.*)$"
)
_API = re.compile(
    r"^(?P<api>(?:page|locator|frame|frameLocator|browser|browserType|browserContext|context|elementHandle|expect|request|route"
    r"|apiRequestContext|apiRequest|keyboard|mouse|electron|jsHandle|tracing|worker|Page|Locator|Frame|BrowserType|BrowserContext"
    r"|APIRequestContext|ElementHandle|FrameLocator)\.[A-Za-z_]{1,40}): ?(?P<rest>.*)$"
)
_EXPECT = re.compile(
    r"expect(?:\.soft|\.poll)?\((?P<subject>[^()]{0,80})\)(?P<chain>(?:\.\w{1,20}){0,3})\.(?P<matcher>to\w{1,50})\("
)
_EXPECT_API = re.compile(r"^expect\.(?P<matcher>to\w{1,50})$")
_LOG_MATCHER = re.compile(
    r"(?:Expect \"(?P<one>to\w{1,50}|to_\w{1,50})\"|expect\.(?P<two>to\w{1,50})|Assertions\.(?P<three>(?:not_)?to_\w{1,50})) with timeout"
)
_PYTHON_EXPECTED = re.compile(
    r"^\s{0,8}(?:Locator|Page|APIResponse) expected (?P<negated>not )?to (?P<what>[a-z ]{2,40}?)(?:\s*['\"].*|:.*)?$"
)
_VALUE = re.compile(
    r"^\s{0,12}(?P<side>Expected|Received|Actual)(?P<what> (?:string|pattern|value|substring|message|number of calls|array|path|length|has value))?\s{0,3}:\s{0,8}(?P<value>.{0,600})$"
)
_LOCATOR = re.compile(r"^\s{0,12}Locator:\s{1,4}(?P<locator>.{1,600})$")
_WAITING = re.compile(
    r"waiting for (?P<locator>(?:locator|getBy\w+|get_by_\w+|frameLocator|frame_locator|selector|internal:)\S.{0,500}|internal:.{1,500})"
)
_TIMEOUT = re.compile(
    r"(?:[Tt]imeout(?: of)?|timed out (?:in|after)|Timed out)\s{1,2}(\d{2,8})\s?ms|Exceeded timeout of (\d{2,8}) ms"
)
_HOOK = re.compile(
    r'"(?P<hook>before ?[Ee]ach|before ?[Aa]ll|after ?[Ee]ach|after ?[Aa]ll)" hook|^_{3,} ERROR at (?P<phase>setup|teardown) of '
)
_NOT_LOADED = re.compile(
    r"Test suite failed to run|^\s{0,8}Failed to load \"|Compilation failed|^_{3,} ERROR collecting |\d\d:\d\d \+\d[^:]{0,30}: loading "
)
_CHAI = re.compile(
    r"^expected (?P<received>.{1,300}?) to (?P<negated>not )?(?P<what>be|equal|deeply equal|strictly equal|match|contain|include|have|throw)\b(?P<expected>.{0,300})"
)
_DART_PACKAGE = re.compile(r"package:([a-z0-9_]{1,80})/")
_DART_LIBRARIES = frozenset(
    "flutter flutter_test matcher test_api mockito mocktail riverpod flutter_riverpod bloc provider firebase_core flutter_tools"
    " async stream_channel stack_trace test_core test boot webdriver flutter_driver meta collection".split()
)
_ASSERT = re.compile(r"^assert\s+(?P<subject>.{1,400})$")


def taken_apart(text: str, framework: str = "") -> FailureDetail:
    lines = known_lines(text)
    said = _said(lines)
    package = _dart_package(lines)
    frames = tuple(
        frame for each in lines if each.kind is Kind.FRAME and (frame := frame_of(each.line.text, package=package))
    )
    raw_said = [each.line for each in lines if each.kind is Kind.SAID]
    error_class, headline, rest = _headline(said)
    api, rest = _api(rest, said)
    matcher, negated = _matcher(headline, said, lines, api)
    log = tuple(Line(each.line.text.strip(), each.line.start) for each in lines if each.kind is Kind.LOG)
    values = _values(said)
    subject = _subject(lines, matcher)
    expected, received = values.get("Expected", ""), values.get("Received", "") or values.get("Actual", "")
    if not expected and not received:
        expected, received = _chai(rest)
    return FailureDetail(
        framework=framework or _framework(lines),
        said=tuple(said),
        error_class=error_class,
        headline=headline,
        api=api,
        matcher=matcher,
        is_negated=negated,
        locator=_locator(said, log),
        expected=expected,
        received=received,
        subject=subject,
        log=log,
        frames=_innermost_first(frames, lines),
        page=tuple(each.line for each in lines if each.kind is Kind.PAGE),
        noise=tuple(each.line for each in lines if each.kind is Kind.PRINTED),
        hook=_hook(raw_said),
        did_not_load=any(_NOT_LOADED.search(line.text) for line in raw_said),
        timeout_ms=_timeout(said),
        is_empty=not any(line.text.strip() for line in raw_said) and not any(each.kind is Kind.PAGE for each in lines),
    )


def _said(lines: Sequence[KnownLine]) -> list[Line]:
    """What the error says, without the titles of tests. A summary line keeps what follows the test's name."""
    found = []
    for each in lines:
        if each.kind is not Kind.SAID:
            continue
        summary = _SUMMARY.match(each.line.text)
        if summary is not None:
            if summary["rest"]:
                found.append(Line(summary["rest"], each.line.start + summary.start("rest")))
            continue
        stripped = each.line.text.strip()
        if _TITLE.match(each.line.text):
            # Some reporters put the error on the title's own line.
            at = stripped.find(" Error: ")
            if at > 0 and stripped.startswith(("✘", "✕", "×")):
                found.append(Line(stripped[at + 1 :], each.line.start + at + 1))
            continue
        found.append(Line(stripped, each.line.start))
    return found


def _headline(said: Sequence[Line]) -> tuple[str, Line, str]:
    """The error's class, its first line, and what that says after the class."""
    for line in said:
        found = _CLASS.match(line.text)
        if found is not None:
            name = found["class"].rsplit(".", 1)[-1]
            return name, line, found["rest"] or ""
        plain = _PLAIN_ERROR.match(line.text)
        if plain is not None:
            return line.text.split(":", 1)[0].strip(), line, plain["rest"]
    first = next((line for line in said if line.text), Line("", 0))
    return "", first, first.text


def _api(rest: str, said: Sequence[Line]) -> tuple[str, str]:
    for text in (rest, *(line.text.removeprefix("Error: ").removeprefix("TimeoutError: ") for line in said)):
        found = _API.match(text)
        if found is not None:
            api = found["api"]
            return api[0].lower() + api[1:], found["rest"]
    return "", rest


def _matcher(headline: Line, said: Sequence[Line], lines: Sequence[KnownLine], api: str) -> tuple[str, bool]:
    for line in (headline, *said):
        found = _EXPECT.search(line.text)
        if found is not None:
            return found["matcher"], ".not" in found["chain"]
        python = _PYTHON_EXPECTED.match(line.text.removeprefix("AssertionError: "))
        if python is not None:
            return f"to_{python['what'].strip().replace(' ', '_')}", bool(python["negated"])
    direct = _EXPECT_API.match(api)
    if direct is not None:
        return direct["matcher"], False
    for each in lines:
        if each.kind is Kind.LOG:
            logged = _LOG_MATCHER.search(each.line.text)
            if logged is not None:
                name = logged["one"] or logged["two"] or logged["three"]
                return name.removeprefix("not_"), name.startswith("not_")
    for each in lines:
        if each.kind is Kind.FAILING_CODE:
            found = _EXPECT_CODE.search(failing_code(each.line.text))
            if found is not None:
                return found["matcher"], ".not" in found["chain"]
    return "", False


_EXPECT_CODE = re.compile(
    r"\)(?P<chain>(?:\.not|\.resolves|\.rejects){0,2})\.(?P<matcher>to[A-Z]\w{1,50}|to_\w{1,50})\("
)
_EXPECT_SUBJECT = re.compile(
    r"expect(?:\.soft|\.poll)?\((?P<subject>.{1,300}?)\)(?:\.not|\.resolves|\.rejects){0,2}\.to"
)


def _subject(lines: Sequence[KnownLine], matcher: str) -> str:
    """The expression a check was about, from the line of code that failed."""
    for each in lines:
        if each.kind is Kind.FAILING_CODE:
            code = failing_code(each.line.text)
            found = _EXPECT_SUBJECT.search(code) or _ASSERT.match(code)
            if found is not None:
                return found["subject"]
            opened = re.search(r"expect\((.{1,200})\)\.to\w+\($", code)
            if opened is not None:
                return opened[1]
    for before, each in zip(lines, lines[1:], strict=False):
        # The short form of pytest: a frame, and the line of code below it.
        if before.kind is Kind.FRAME and each.kind is Kind.SAID:
            found = _ASSERT.match(each.line.text.strip())
            if found is not None:
                return found["subject"]
    return ""


def _values(said: Iterable[Line]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in said:
        value = _VALUE.match(line.text)
        if value is not None:
            found.setdefault(value["side"], value["value"].strip())
    return found


def _chai(rest: str) -> tuple[str, str]:
    found = _CHAI.match(rest)
    return (
        (found["expected"].strip().removesuffix("// Object.is equality").strip(), found["received"])
        if found
        else ("", "")
    )


def _locator(said: Sequence[Line], log: Sequence[Line]) -> str:
    for line in said:
        found = _LOCATOR.match(line.text)
        if found is not None:
            return found["locator"].strip()
    for line in (*log, *said):
        waiting = _WAITING.search(line.text)
        if waiting is not None:
            return waiting["locator"].strip()
    return ""


def _hook(lines: Sequence[Line]) -> str:
    for line in lines:
        found = _HOOK.search(line.text)
        if found is not None:
            return found["hook"] or found["phase"]
    return ""


def _timeout(said: Sequence[Line]) -> int:
    for line in said:
        found = _TIMEOUT.search(line.text)
        if found is not None:
            return int(found[1] or found[2])
    return 0


def _dart_package(lines: Sequence[KnownLine]) -> str:
    """The package under test: the one of the frames that is no known library, and lies nearest to the test."""
    names = [
        found[1]
        for each in lines
        if each.kind is Kind.FRAME
        and (found := _DART_PACKAGE.search(each.line.text))
        and found[1] not in _DART_LIBRARIES
    ]
    return names[-1] if names else ""


def _innermost_first(frames: tuple[StackFrame, ...], lines: Sequence[KnownLine]) -> tuple[StackFrame, ...]:
    """Python prints the innermost frame last; everybody else first."""
    python = any(
        each.kind is Kind.FRAME and (": in " in each.line.text or each.line.text.lstrip().startswith('File "'))
        for each in lines
    )
    return tuple(reversed(frames)) if python else frames


def _framework(lines: Sequence[KnownLine]) -> str:
    """Whose text it is, by its furniture; empty where nothing tells."""
    for each in lines:
        text = each.line.text
        if "Call log:" in text or "= logs =" in text or each.kind is Kind.PAGE:
            return "playwright"
        if text.startswith(("FAILED tests", "E   ", "_____")) or ": in test_" in text:
            return "pytest"
        if text.lstrip().startswith("❯ ") or "[vitest]" in text:
            return "vitest"
        if text.lstrip().startswith("● "):
            return "jest"
        if "package:flutter_test" in text or "EXCEPTION CAUGHT BY" in text:
            return "flutter"
    return ""
