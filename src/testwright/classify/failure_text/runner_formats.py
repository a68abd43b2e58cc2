"""How runners write down a failure: the line it begins with, and what ends the list of failures."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from testwright.model.failure import FailureLine

_JS_FILE = r"[^\s:][^:\n]{0,300}\.[cm]?[jt]sx?"
_RULER_END = r"(?:\s{0,3}[─=-]{3,}.{0,200})?"


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a failure begins."""

    start: int
    name: str
    file: str = ""
    line: int = 0
    belongs_to_last: bool = False  # more about the failure before it


@dataclass(frozen=True, slots=True)
class RunnerFormat:
    framework: str
    headings: Callable[[Sequence[FailureLine]], Iterator[Heading]]
    ends: re.Pattern[str]  # what comes after the last failure
    furniture: re.Pattern[str]  # what only this runner prints around its failures
    places: re.Pattern[str]  # a file and a line of it


_JS_PLACE = re.compile(r"(?P<file>[^\s():'\"]{1,300}\.[cm]?[jt]sx?):(?P<line>\d{1,7})\b")
_PY_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]{0,300}\.py):(?P<line>\d{1,7}): ")
_DART_PLACE = re.compile(r"(?P<file>[^\s():'\"]{1,300}\.dart)[: ](?P<line>\d{1,7}):\d")

# --- Playwright: "1) [chromium] › cart.spec.ts:12:3 › Cart › adds" -------------------------------

_PLAYWRIGHT = re.compile(
    rf"\s{{0,4}}\d{{1,5}}\) (?:\[[^\]\n]{{1,80}}\] › )?(?P<file>{_JS_FILE}):(?P<line>\d{{1,7}}):\d{{1,7}} › "
    rf"(?P<name>.{{1,500}}?){_RULER_END}\s*$"
)


def _playwright(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    for line in lines:
        found = _PLAYWRIGHT.match(line.text) if " › " in line.text else None
        if found is not None:
            yield Heading(line.start, found["name"], found["file"], int(found["line"]))


# --- pytest: "____ test_adds ____", or only the summary at the end -------------------------------

_PYTEST = re.compile(r"_{3,} (?P<name>\S.{0,500}?) _{3,}\s*$")
_PYTEST_PHASE = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) ")
_PYTEST_SHORT = re.compile(r"(?:FAILED|ERROR) (?P<file>\S{1,300}?\.py)(?:::(?P<name>\S.{0,300}?))?(?: - .{0,2000})?$")


def _pytest(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    found_any = False
    for line in lines:
        found = _PYTEST.match(line.text) if line.text.startswith("___") else None
        if found is not None:
            found_any = True
            name = _PYTEST_PHASE.sub("", found["name"])
            yield Heading(line.start, name, name if name.endswith(".py") else "")
    if found_any:
        return
    for line in lines:
        short = _PYTEST_SHORT.match(line.text) if line.text.startswith(("FAILED", "ERROR")) else None
        if short is not None:
            yield Heading(line.start, short["name"] or short["file"], short["file"])


# --- Vitest: "FAIL  src/cart.test.ts > Cart > adds" ----------------------------------------------

_VITEST = re.compile(
    rf"\s{{0,2}}FAIL {{1,4}}(?:\|[^|\n]{{1,60}}\| )?(?P<file>{_JS_FILE})"
    r"(?: > (?P<name>.{1,500})| \[ .{1,300} \])\s*$"
)


def _vitest(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    for line in lines:
        found = _VITEST.match(line.text) if "FAIL" in line.text else None
        if found is not None:
            yield Heading(line.start, (found["name"] or found["file"]).strip(), found["file"])


# --- Jest: "● Cart › adds", below "FAIL src/cart.test.js" ----------------------------------------

_JEST_FILE = re.compile(
    rf"\s{{0,2}}FAIL {{1,4}}(?:\S{{1,60}} {{1,4}})?(?P<file>{_JS_FILE})(?: \([\d.]{{1,12}} m?s\))?\s*$"
)
_JEST = re.compile(r"\s{0,2}● (?P<name>\S.{0,500}?)\s*$")
_JEST_ASIDE = ("Console", "Cannot log after")


def _jest(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    file = ""
    for line in lines:
        of_file = _JEST_FILE.match(line.text) if "FAIL" in line.text else None
        if of_file is not None:
            file = of_file["file"]
        found = _JEST.match(line.text) if "●" in line.text else None
        if found is not None and not found["name"].startswith(_JEST_ASIDE):
            yield Heading(line.start, found["name"], file)


# --- node:test: "not ok 1 - adds", or "✖ adds (1.2ms)" below "✖ failing tests:" -------------------

_TAP = re.compile(r"\s{0,40}not ok \d{1,6} - (?P<name>\S.{0,500}?)\s*$")
_TAP_PARENT = re.compile(r"\s{1,60}failureType: '(?:subtestsFailed|cancelledByParent)'")
_SPEC_LIST = re.compile(r"✖ failing tests:\s*$")
_SPEC_AT = re.compile(rf"test at (?P<file>(?:[A-Za-z]:)?{_JS_FILE}):(?P<line>\d{{1,7}}):\d{{1,7}}\s*$")
_SPEC = re.compile(r"\s{0,40}✖ (?P<name>\S.{0,500}?)(?: \([\d.]{1,20}ms\))?\s*$")
_MOST_OF_TAP_BLOCK = 12


def _node(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    listed = next((at for at, line in enumerate(lines) if _SPEC_LIST.match(line.text)), None)
    place: re.Match[str] | None = None
    for at, line in enumerate(lines):
        tap = _TAP.match(line.text) if "not ok " in line.text else None
        if tap is not None and not _is_parent(lines, at):
            yield Heading(line.start, tap["name"])
        if listed is not None and at <= listed:
            continue
        found = _SPEC.match(line.text) if "✖" in line.text else None
        if found is not None:
            yield Heading(line.start, found["name"], place["file"] if place else "", int(place["line"]) if place else 0)
        place = _SPEC_AT.match(line.text)


def _is_parent(lines: Sequence[FailureLine], at: int) -> bool:
    """Whether it failed only since a test inside it did."""
    return any(_TAP_PARENT.match(line.text) for line in lines[at + 1 : at + 1 + _MOST_OF_TAP_BLOCK])


# --- Flutter: "00:02 +3 -1: cart adds [E]", "EXCEPTION CAUGHT BY" ---------------------------------

_FLUTTER = re.compile(
    r"\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})?(?: -\d{1,6})?: "
    r"(?:(?P<file>\S.{0,300}?\.dart): )?(?P<name>\S.{0,500}?) \[E\]\s*$"
)
_FLUTTER_BLOCK = re.compile(r"══╡ EXCEPTION CAUGHT BY .{1,80}╞═")
_FLUTTER_DESCRIBED = re.compile(r"The test description was:\s*(?P<name>\S.{0,500})?$")


def _flutter(lines: Sequence[FailureLine]) -> Iterator[Heading]:
    waiting: int | None = None  # an exception whose test is not known yet
    described = ""
    for at, line in enumerate(lines):
        if _FLUTTER_BLOCK.match(line.text):
            waiting = line.start if waiting is None else waiting
        named = _FLUTTER_DESCRIBED.match(line.text)
        if named is not None and waiting is not None:
            described = named["name"] or (lines[at + 1].text.strip() if at + 1 < len(lines) else "")
            yield Heading(waiting, described)
            waiting = None
        failed = _FLUTTER.match(line.text) if line.text.endswith("[E]") else None
        if failed is not None:
            name = failed["name"].removeprefix("loading ")
            again = waiting is None and bool(described) and name.endswith(described)
            start = line.start if waiting is None else waiting
            yield Heading(start, name, failed["file"] or (name if name.endswith(".dart") else ""), 0, again)
            waiting, described = None, ""
    if waiting is not None:
        yield Heading(waiting, "")


FORMS = (
    RunnerFormat(
        "playwright",
        _playwright,
        re.compile(r"\s{2}\d{1,6} (?:failed|flaky|skipped|passed|did not run)\b"),
        re.compile(r"^(?:Running \d{1,6} tests? using \d)", re.MULTILINE),
        _JS_PLACE,
    ),
    RunnerFormat(
        "pytest",
        _pytest,
        re.compile(r"={3,} (?:short test|warnings summary|slowest|\d{1,6} (?:failed|passed|error))|-{3,} coverage"),
        re.compile(r"^(?:={3,} (?:FAILURES|ERRORS|short test summary info|test session starts) ={3,})", re.MULTILINE),
        _PY_PLACE,
    ),
    RunnerFormat(
        "vitest",
        _vitest,
        re.compile(r"\s{0,3}Test Files {1,4}\d"),
        re.compile(r"^(?:\s{0,3}Test Files {1,4}\d|⎯{3,} Failed (?:Tests|Suites) )", re.MULTILINE),
        _JS_PLACE,
    ),
    RunnerFormat(
        "jest",
        _jest,
        re.compile(r"Summary of all failing tests|Test Suites: \d"),
        re.compile(r"^(?:Test Suites: \d|Ran all test suites)", re.MULTILINE),
        _JS_PLACE,
    ),
    RunnerFormat(
        "node",
        _node,
        re.compile(r"(?:#|ℹ) tests \d"),
        re.compile(r"^(?:TAP version \d|(?:#|ℹ) tests \d|✖ failing tests:)", re.MULTILINE),
        _JS_PLACE,
    ),
    RunnerFormat(
        "flutter",
        _flutter,
        re.compile(r"\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})? -\d{1,6}: Some tests failed"),
        re.compile(
            r"^(?:\d\d:\d\d \+\d{1,6}.{0,30}: Some tests failed|══╡ EXCEPTION CAUGHT BY FLUTTER TEST)", re.MULTILINE
        ),
        _DART_PLACE,
    ),
)
