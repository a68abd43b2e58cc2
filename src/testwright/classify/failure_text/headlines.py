"""The error itself: its class, its first line, the call that failed, the time limit, the hook."""

import re
from collections.abc import Sequence

from testwright.model.failure import FailureLine

_ENDINGS = "Error|Exception|Failure|Violation|Warning|Exit|Interrupt|Timeout|NotFound|Disconnected"
_CLASS = re.compile(
    r"(?:[-•] )?(?:Uncaught |Unhandled |\(node:\d+\) )?"
    rf"(?P<class>(?:[\w$]{{1,80}}\.){{0,8}}[A-Za-z_$][\w$]{{0,80}}(?:{_ENDINGS}))"
    r"(?: \(\d+\)| \[[A-Za-z_]{1,60}\])?"
    r"(?::\s?(?P<rest>.*)|\((?P<given>.*)|$)"
)
_PLAIN_CLASS = re.compile(
    r"(?:[-•] )?(?P<class>Error|error|FATAL ERROR|TypeError|Invalid argument\(s\)|Bad state):\s?(?P<rest>.*)$"
)
# node:test, as TAP: the class stands below the message.
_TAP_ERROR = re.compile(r"error: (?:[|>]-?|(?P<quote>['\"])(?P<rest>.*)(?P=quote))$")
_TAP_CLASS = re.compile(r"name: '(?P<class>\w{1,80})'$")
_DART_CLASS = re.compile(r"The following (?P<class>\w{1,80}?)(?: object)? was thrown\b")
_API = re.compile(
    # objects of Playwright, as JavaScript and as Python name them
    r"(?P<api>(?:[pP]age|[lL]ocator|[fF]rame(?:Locator)?|[bB]rowser(?:Type|Context)?|context|[eE]lementHandle|expect"
    r"|request|route|api[rR]equest(?:Context)?|APIRequestContext|keyboard|mouse|electron|jsHandle|tracing|worker)"
    r"\.[A-Za-z_]{1,40}): ?(?P<rest>.*)$"
)
_TIMEOUT = re.compile(
    r"(?:[Tt]imeout(?: of)?|timed out (?:in|after)|Timed out)\s{1,2}(\d{2,8})\s?ms|Exceeded timeout of (\d{2,8}) ms"
)
_HOOK = re.compile(
    r'"(?P<hook>before ?[Ee]ach|before ?[Aa]ll|after ?[Ee]ach|after ?[Aa]ll)" hook'
    r"|^_{3,} ERROR at (?P<phase>setup|teardown) of "
)
_NOT_LOADED = re.compile(
    r"Test suite failed to run|^\s{0,8}Failed to load \"|Compilation failed|^_{3,} ERROR collecting "
    r"|\.dart:\d{1,6}:\d{1,6}: Error: "
    r"|\d\d:\d\d \+\d[^:]{0,30}: loading .{0,300}\[E\]"
)
_TITLE = re.compile(
    # Playwright, Mocha: 1) name; Jest: ● name; Vitest: FAIL file, × name; pytest: ___ name ___; Flutter: 00:01 +1: name
    r"\s{0,4}(?:\d{1,4}\)\s|[●✘✕×]\s|FAIL\s|_{3,}\s|\d\d:\d\d \+\d|\[[\w -]{1,40}\] › |Running \d+ test"
    r"|file \S+, line \d)"
    r"|\s{0,4}[\w./\\-]{1,200}\.(?:spec|test)\.[cm]?[jt]sx?(?::\d{1,6}:\d{1,6}\s|\s*$)"
)
_PYTEST_SUMMARY = re.compile(r"(?:FAILED|ERROR) (?P<test>\S.{0,300}?)(?: - (?P<rest>\S.{0,1500}))?$")


def said_of(line: FailureLine) -> FailureLine | None:
    """What a line says, without the titles of tests. A summary line keeps what follows the test's name."""
    text = line.text
    stripped = text.strip(" \t║")  # a box is drawn around some messages
    start = line.start + len(text) - len(text.lstrip(" \t║"))
    summary = _PYTEST_SUMMARY.match(text) if text.startswith(("FAILED", "ERROR")) else None
    if summary is not None:
        return FailureLine(summary["rest"], line.start + summary.start("rest")) if summary["rest"] else None
    if not _TITLE.match(text):
        arrow = 2 if stripped.startswith("→ ") else 0  # Vitest, of each attempt
        return FailureLine(stripped[arrow:], start + arrow)
    # Some reporters put the error on the title's own line.
    at = stripped.find(" Error: ")
    if at > 0 and stripped.startswith(("✘", "✕", "×")):
        return FailureLine(stripped[at + 1 :], start + at + 1)
    return None


def headline_of(said: Sequence[FailureLine]) -> tuple[str, FailureLine, str]:
    """The error's class, its first line, and what that says after the class."""
    for at, line in enumerate(said):
        tap = _TAP_ERROR.match(line.text)
        if tap is not None:
            named = next((found for each in said[at:] if (found := _TAP_CLASS.match(each.text))), None)
            shown = line if tap["rest"] or at + 1 == len(said) else said[at + 1]
            return named["class"] if named else "", shown, tap["rest"] or shown.text
        found = _CLASS.match(line.text)
        if found is not None:
            return found["class"].rsplit(".", 1)[-1], line, found["rest"] or found["given"] or ""
        plain = _PLAIN_CLASS.match(line.text)
        if plain is not None:
            return plain["class"], line, plain["rest"]
        dart = _DART_CLASS.match(line.text)
        if dart is not None and dart["class"] != "assertion":
            return dart["class"], line, ""
    first = next((line for line in said if line.text), FailureLine("", 0))
    return "", first, first.text


def api_of(rest: str, said: Sequence[FailureLine]) -> tuple[str, str]:
    """The call of Playwright that failed, and what it says."""
    for text in (rest, *(line.text.removeprefix("Error: ").removeprefix("TimeoutError: ") for line in said)):
        found = _API.match(text)
        if found is not None:
            api = found["api"]
            return api[0].lower() + api[1:], found["rest"]
    return "", rest


def timeout_of(said: Sequence[FailureLine]) -> int:
    for line in said:
        found = _TIMEOUT.search(line.text)
        if found is not None:
            return int(found[1] or found[2])
    return 0


def hook_of(lines: Sequence[FailureLine]) -> str:
    for line in lines:
        found = _HOOK.search(line.text)
        if found is not None:
            return found["hook"] or found["phase"]
    return ""


def did_not_load(lines: Sequence[FailureLine]) -> bool:
    return any(_NOT_LOADED.search(line.text) for line in lines)
