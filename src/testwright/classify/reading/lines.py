"""The lines of a failure's text, cleaned, and what each of them is.

Rules may look at what an error says. They must not look at code that stands around it, at a page that was printed along,
or at paths: the words there are somebody else's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from testwright.model.failure import Line

MOST_CHARACTERS = 64 << 10  # of a text that are looked at: its first and last parts
_KEPT_END = 16 << 10
_MOST_LINE = 2000

_ANSI = re.compile(r"\x1b\[[0-9;:?]{0,40}[A-Za-z]")
# What logs put in front of each line: a time, a job's name. Bounded, so that no text can make them slow.
_STAMP = re.compile(r"^(?:\[?\d{4}-\d\d-\d\dT[\d:.]{5,18}Z?\]?\s?|\d{4}-\d\d-\d\dT[\d:.]{5,18}Z )")
_PYTEST_MARK = re.compile(r"^E(?: {3,12}|\t|$)")
_CODE_FRAME = re.compile(r"^\s{0,12}(?:[>→]\s{0,4})?\d{1,6}\s?\|(?:\s|$)")
_CODE_FAILING = re.compile(r"^\s{0,12}[>→]\s{0,4}\d{1,6}\s?\|(.{0,400})")
_CODE_NUMBERED = re.compile(r"^\s{0,8}(\d{1,6})\|(.{0,400})$")
_CARET = re.compile(r"^\s{0,200}\|?\s{0,200}[~^]{1,200}\s*$")
_PYTEST_FAILING = re.compile(r"^>\s{1,40}(\S.{0,400})")
_FRAME = re.compile(
    r"^\s{0,16}(?:at\s|❯ |in\s|#\d{1,4}\s{2,}|File \"[^\"]{1,400}\", line \d)"
    r"|^\s{0,8}\S{1,400}:\d{1,7}: (?:in |[A-Z]\w{0,80}(?:Error|Exception|Exit|Warning)\b)"
    r"|^\s{0,8}(?:package:|dart:|test/|lib/)\S{1,300} \d{1,7}:\d{1,7}\s"
    r"|^\s{0,8}\d{1,4}: 0x[0-9a-f]{4,16} "
)
_DUMP_STARTS = re.compile(
    r"^\s{0,8}(?:Ignored nodes: comments|Here are the (?:accessible roles|matching elements)|<!DOCTYPE|<html|<body)"
)
_PAGE_STARTS = re.compile(r"^\s{0,8}#{1,3} Page snapshot|^\s{0,8}(?:- )?Aria snapshot:")
_LOG_STARTS = re.compile(r"^\s{0,12}(?:Call log:|=+ (?:[\w.]{1,60} )?logs =+)\s*$")
_LOG_ENDS = re.compile(r"^\s{0,12}=+\s*$|^\s{0,12}Note: use DEBUG")
_LOG_LINE = re.compile(
    r"^\s{0,24}(?:-\s|\d{1,4} × |\[api\] |\"|waiting for |navigating to |navigated to |locator resolved|unexpected value|captured |taking |selector resolved|attempting |expect\.|scrolling |element is |→ |← )"
)
_CAPTURED_STARTS = re.compile(
    r"^-{3,40} Captured (?:std|log)|^-{3,40} (?:generated|coverage)|^={3,60} (?:short test summary|warnings summary|slowest)"
)
_ATTACHMENT = re.compile(r"^\s{0,12}(?:attachment #\d|Error Context:|Usage:$|npx playwright|─{5,}|╔|║|╚|Ô)")
_PRINTED = re.compile(r"^\s{0,8}(?:stdout \||stderr \||console\.\w{2,8}$|INFO |DEBUG |WARNING |✅|📝)")


class Kind(StrEnum):
    SAID = "said"
    CODE = "code"
    FAILING_CODE = "failing_code"
    FRAME = "frame"
    LOG = "log"
    PAGE = "page"
    DUMP = "dump"
    PRINTED = "printed"
    FURNITURE = "furniture"  # rulers, attachments, summaries


@dataclass(frozen=True, slots=True)
class KnownLine:
    kind: Kind
    line: Line


def known_lines(text: str) -> list[KnownLine]:
    """Every line that is looked at, and what it is."""
    lines = list(_Reader().read(_pieces(text)))
    for at, (before, each) in enumerate(zip(lines, lines[1:], strict=False)):
        # A frame without an arrow: the line above the caret is the one that failed.
        if before.kind is Kind.CODE and _CARET.match(each.line.text) and _CODE_NUMBERED.match(before.line.text):
            lines[at] = KnownLine(Kind.FAILING_CODE, before.line)
    return lines


def _pieces(text: str) -> Iterator[Line]:
    """The lines of the beginning and of the end; what lies between in a very long text is left out."""
    parts = [(0, text)]
    if len(text) > MOST_CHARACTERS:
        cut = len(text) - _KEPT_END
        parts = [(0, text[: MOST_CHARACTERS - _KEPT_END]), (cut, text[cut:])]
    for offset, part in parts:
        at = offset
        for raw in part.splitlines(keepends=True):
            yield Line(cleaned(raw), at)
            at += len(raw)


def cleaned(raw: str) -> str:
    line = _ANSI.sub("", raw[:_MOST_LINE]).rstrip()
    return _STAMP.sub("", line, count=1) if line[:1] in "[2" else line


class _Reader:
    """Goes down the lines; a dump, a log or a page goes on until something says otherwise."""

    def __init__(self) -> None:
        self._inside: Kind | None = None
        self._is_pytest = False

    def read(self, lines: Iterator[Line]) -> Iterator[KnownLine]:
        for line in lines:
            text = line.text
            marked = _PYTEST_MARK.match(text)
            if marked is not None:
                self._is_pytest, self._inside = True, self._after_mark()
                text = text[marked.end() :]
                line = Line(text, line.start + marked.end())
                yield KnownLine(self._within(text) or Kind.SAID, line)
                continue
            yield KnownLine(self._kind(text), line)

    def _after_mark(self) -> Kind | None:
        return self._inside if self._inside in (Kind.LOG, Kind.PAGE) else None

    def _kind(self, text: str) -> Kind:
        if not text.strip():
            if self._inside is Kind.LOG:
                self._inside = None
            return Kind.FURNITURE
        failing = _CODE_FAILING.match(text) or (self._looks_like_pytest(text) and _PYTEST_FAILING.match(text))
        if failing:
            self._inside = None
            return Kind.FAILING_CODE
        if _CODE_FRAME.match(text) or _CODE_NUMBERED.match(text) or _CARET.match(text):
            self._inside = None
            return Kind.CODE
        return self._within(text) or self._alone(text)

    def _looks_like_pytest(self, text: str) -> bool:
        return text.startswith(">  ") or (self._is_pytest and text.startswith(">"))

    def _within(self, text: str) -> Kind | None:
        """What goes on from the lines above, or begins here."""
        if _PAGE_STARTS.match(text):
            self._inside = Kind.PAGE
            return Kind.FURNITURE
        if _LOG_STARTS.match(text):
            self._inside = Kind.LOG
            return Kind.FURNITURE
        if _DUMP_STARTS.match(text):
            self._inside = Kind.DUMP
            return Kind.DUMP
        if _CAPTURED_STARTS.match(text):
            self._inside = Kind.PRINTED
            return Kind.FURNITURE
        if self._inside is Kind.LOG:
            if _LOG_ENDS.match(text):
                self._inside = None
                return Kind.FURNITURE
            if _FRAME.match(text) or not _LOG_LINE.match(text):
                self._inside = None
                return None
            return Kind.LOG
        if self._inside is not None and not _FRAME.match(text):
            return self._inside
        self._inside = None
        return None

    def _alone(self, text: str) -> Kind:
        if _FRAME.match(text):
            return Kind.FRAME
        if _ATTACHMENT.match(text):
            return Kind.FURNITURE
        if _LOG_LINE.match(text) and ("resolved to" in text or "element is " in text or "intercepts pointer" in text):
            return Kind.LOG  # a call log without its heading, as people paste it
        if _PRINTED.match(text):
            return Kind.PRINTED
        return Kind.SAID


def failing_code(text: str) -> str:
    """The code of a line that a code frame points at."""
    numbered = _CODE_NUMBERED.match(text)
    if numbered is not None:
        return numbered[2].strip()
    found = _CODE_FAILING.match(text) or _PYTEST_FAILING.match(text)
    return found[1].strip() if found else ""
