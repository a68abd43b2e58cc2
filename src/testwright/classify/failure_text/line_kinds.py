"""What each line of a failure's text is.

Rules may look at what an error says. They must not look at code that stands around it, at a page that was printed
along, at values that were compared, or at paths: the words there are somebody else's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from testwright.classify.failure_text.text_cleaner import plain_lines
from testwright.model.failure import FailureLine

# --- code
_CODE_FRAME = re.compile(r"\s{0,12}(?:[>→]\s{0,4})?\d{0,6}\s{0,6}\|(?:\s|$)")
_CODE_FAILING = re.compile(r"\s{0,12}[>→]\s{0,4}\d{1,6}\s?\|(.{0,400})")
_CODE_NUMBERED = re.compile(r"\s{0,8}\d{1,6}\|(.{0,400})$")
_CARET = re.compile(r"\s{0,200}\|?\s{0,200}[~^]{1,200}$")
_PYTEST_MARK = re.compile(r"E(?: {3,12}|\t|$)")
_PYTEST_FAILING = re.compile(r">\s{1,40}(\S.{0,400})")
_PYTEST_RULER = re.compile(r"(?:_{3,}|_ _ _|={3,}) ?")
# --- frames
_FRAME = re.compile(
    r"\s{0,16}(?:at\s|❯ |in\s|#\d{1,4}\s{2,}|File \"[^\"]{1,400}\", line \d)"
    r"|\s{0,8}\S{1,400}:\d{1,7}: (?:in |[A-Z]\w{0,80}(?:Error|Exception|Exit|Warning)\b)"
    r"|\s{0,8}(?:package:|dart:|test/|lib/|integration_test/)\S{1,300} \d{1,7}:\d{1,7}(?:\s|$)"
    r"|\s{0,8}\d{1,4}: 0x[0-9a-f]{4,16} "
)
_TAP_FRAME = re.compile(r"\s{6,40}(?:\S.{0,200} \()?(?:file:///|node:|/)[^()\n]{1,300}:\d{1,7}:\d{1,7}\)?$")
_TAP_KEY = re.compile(r"\s{2,40}(?:duration_ms|location|failureType|stack|type|severity): ")
_PYTHON_FRAME = re.compile(r"\s{0,8}(?:File \"[^\"]{1,400}\", line \d|\S{1,400}:\d{1,7}: in )")
_ASYNC_GAP = re.compile(r"\s{0,8}(?:<asynchronous suspension>|={3,10} asynchronous gap|\(elided \w)")
# --- values
_DIFF_STARTS = re.compile(r"\s{0,12}(?:[-+] (?:Expected|Received|expected|actual)\b|\+ actual - expected)")
_SIDE = re.compile(r"\s{0,12}(?:Expected|Received|Actual)(?: [a-z][a-z ]{0,40})?:\s*$")
_PYTEST_DIFF = re.compile(r"\s{0,8}[-+?] (?! {1,6}(?:where|and) )")
_NODE_SIDE = re.compile(r"\s{1,8}(?:actual|expected|operator|generatedMessage): ")
# --- what is printed along
_PAGE_STARTS = re.compile(r"\s{0,8}(?:#{1,3} Page snapshot|(?:- )?Aria snapshot:)")
_DUMP_STARTS = re.compile(
    r"\s{0,8}(?:Ignored nodes: comments|Here are the (?:accessible roles|matching elements)|<!DOCTYPE|<html|<body)"
)
_CAPTURED_STARTS = re.compile(
    r"-{3,100} (?:Captured (?:std|log)|generated|coverage)|={3,100} (?:warnings summary|slowest)"
)
_SUMMARY_STARTS = re.compile(r"={3,100} short test summary")
_ATTACHMENT = re.compile(r"\s{0,12}(?:attachment #\d|Error Context:|Usage:$|npx playwright|─{5,}|[╔╚Ô])")
_PRINTED = re.compile(r"\s{0,8}(?:std(?:out|err) \||console\.\w{2,8}$|INFO |DEBUG |WARNING |✅|📝)")
# --- call logs
_LOG_STARTS = re.compile(r"\s{0,12}(?:Call log:|=+ (?:[\w.]{1,60} )?logs =+|LOG)$")
_LOG_ENDS = re.compile(r"\s{0,12}(?:=+$|Note: use DEBUG)")
_LOG_LINE = re.compile(
    r"\s{0,24}(?:-\s|\d{1,4} × |\[api\] |\"|<\w|→ |← "
    r"|waiting |navigating to |navigated to |attempting |retrying |scrolling |done scrolling|performing |taking "
    r"|captured |locator resolved|selector resolved|unexpected value|element is |element was |expect\.)"
)
# What a line of code in a frame, and what a heading of something else can begin with.
_CODE_BEGINS = frozenset("0123456789>→|~^")
_OTHER_BEGINS = frozenset("#-+=<AICHL")
_LOG_ALONE = ("resolved to", "element is ", "intercepts pointer")


class LineKind(StrEnum):
    SAID = "said"
    CODE = "code"
    FAILING_CODE = "failing_code"
    FRAME = "frame"
    LOG = "log"
    VALUE = "value"  # what was expected or received, where it has lines of its own
    PAGE = "page"
    DUMP = "dump"
    PRINTED = "printed"
    FURNITURE = "furniture"  # rulers, attachments, summaries


@dataclass(frozen=True, slots=True)
class KnownLine:
    kind: LineKind
    line: FailureLine
    is_marked: bool = False  # with pytest's E


def known_lines(text: str) -> list[KnownLine]:
    """Every line that is looked at, and what it is."""
    lines = list(_Reader().read(plain_lines(text)))
    _mark_code_below_frames(lines)
    _mark_code_above_carets(lines)
    _mark_code_of_pytest(lines)
    return lines


class _Reader:
    """Goes down the lines; a dump, a log or a page goes on until something says otherwise."""

    def __init__(self) -> None:
        self._inside: LineKind | None = None
        self._is_pytest = False
        self._value_follows = False

    def read(self, lines: list[FailureLine]) -> Iterator[KnownLine]:
        for line in lines:
            text = line.text
            marked = _PYTEST_MARK.match(text) if text[:1] == "E" else None
            if marked is not None:
                self._is_pytest = True
                if self._inside not in (LineKind.LOG, LineKind.PAGE):
                    self._inside = None
                text = text[marked.end() :]
                kind = self._within(text) or (LineKind.VALUE if _PYTEST_DIFF.match(text) else LineKind.SAID)
                yield KnownLine(kind, FailureLine(text, line.start + marked.end()), is_marked=True)
                continue
            yield KnownLine(self._kind(text), line)

    def _kind(self, text: str) -> LineKind:
        if not text:
            if self._inside is LineKind.LOG:
                self._inside = None
            return LineKind.FURNITURE
        if self._value_follows:
            self._value_follows = False
            return LineKind.VALUE
        code = self._code(text) if text.lstrip()[:1] in _CODE_BEGINS else None
        if code is not None:
            self._inside = None
            return code
        return self._within(text) or self._alone(text)

    def _code(self, text: str) -> LineKind | None:
        if _CODE_FAILING.match(text) or (self._may_be_pytest(text) and _PYTEST_FAILING.match(text)):
            return LineKind.FAILING_CODE
        is_code = _CODE_FRAME.match(text) or _CODE_NUMBERED.match(text) or _CARET.match(text)
        return LineKind.CODE if is_code else None

    def _may_be_pytest(self, text: str) -> bool:
        return text.startswith(">  ") or (self._is_pytest and text.startswith(">"))

    def _within(self, text: str) -> LineKind | None:
        """What goes on from the lines above, or begins here."""
        begun = self._begins(text)
        if begun is not None:
            return begun
        if self._inside is LineKind.LOG:
            return self._log(text)
        if self._inside is None:
            return None
        if _FRAME.match(text) or (self._inside is LineKind.PRINTED and _PYTEST_RULER.match(text)):
            self._inside = None
            return None
        return self._inside

    def _begins(self, text: str) -> LineKind | None:
        if text.lstrip()[:1] not in _OTHER_BEGINS:
            return None
        for pattern, inside, kind in _BEGINNINGS:
            if pattern.match(text):
                self._inside = inside
                return kind
        if _SUMMARY_STARTS.match(text):
            # It says the headlines once more, in short: of use only where they were not said at length.
            self._inside = LineKind.PRINTED if self._is_pytest else None
            return LineKind.FURNITURE
        return None

    def _log(self, text: str) -> LineKind | None:
        if _LOG_ENDS.match(text):
            self._inside = None
            return LineKind.FURNITURE
        if _FRAME.match(text) or not _LOG_LINE.match(text):
            self._inside = None
            return None
        return LineKind.LOG

    def _alone(self, text: str) -> LineKind:
        if _FRAME.match(text) or _ASYNC_GAP.match(text) or _TAP_FRAME.match(text):
            return LineKind.FRAME
        if _TAP_KEY.match(text):
            return LineKind.FURNITURE
        if _NODE_SIDE.match(text):
            return LineKind.VALUE
        if _SIDE.match(text):
            self._value_follows = True
            return LineKind.SAID
        if _ATTACHMENT.match(text):
            return LineKind.FURNITURE
        if _LOG_LINE.match(text) and any(words in text for words in _LOG_ALONE):
            return LineKind.LOG  # a call log without its heading, as people paste it
        return LineKind.PRINTED if _PRINTED.match(text) else LineKind.SAID


_BEGINNINGS = (
    (_PAGE_STARTS, LineKind.PAGE, LineKind.FURNITURE),
    (_LOG_STARTS, LineKind.LOG, LineKind.FURNITURE),
    (_DIFF_STARTS, LineKind.VALUE, LineKind.VALUE),
    (_DUMP_STARTS, LineKind.DUMP, LineKind.DUMP),
    (_CAPTURED_STARTS, LineKind.PRINTED, LineKind.FURNITURE),
)


def _mark_code_above_carets(lines: list[KnownLine]) -> None:
    """Code with a caret below it and no bar beside it: the line above the caret is the one that failed."""
    for at in range(1, len(lines)):
        before = lines[at - 1]
        if lines[at].kind is LineKind.CODE and _CARET.match(lines[at].line.text) and not before.is_marked:
            if before.kind is LineKind.CODE and _CODE_NUMBERED.match(before.line.text):
                lines[at - 1] = replace(before, kind=LineKind.FAILING_CODE)
            elif before.kind is LineKind.SAID:
                lines[at - 1] = replace(before, kind=LineKind.CODE)


def _mark_code_of_pytest(lines: list[KnownLine]) -> None:
    """Above the line that failed stands the code of the test, below it the rest of the statement."""
    for at, each in enumerate(lines):
        text = each.line.text
        if each.kind is LineKind.FAILING_CODE and _PYTEST_FAILING.match(text) and not _CODE_FAILING.match(text):
            _mark_code(lines, range(at - 1, -1, -1))
            _mark_code(lines, range(at + 1, len(lines)))


def _mark_code(lines: list[KnownLine], way: range) -> None:
    for at in way:
        each = lines[at]
        if (
            each.is_marked
            or each.kind not in (LineKind.SAID, LineKind.FURNITURE)
            or _PYTEST_RULER.match(each.line.text)
        ):
            return
        if each.kind is LineKind.SAID:
            lines[at] = replace(each, kind=LineKind.CODE)


def _mark_code_below_frames(lines: list[KnownLine]) -> None:
    """Python shows a line of code below each frame, further in than the frame."""
    for at in range(1, len(lines)):
        each, before = lines[at], lines[at - 1]
        if each.kind is LineKind.SAID and not each.is_marked and before.kind is LineKind.FRAME:
            indented = _indent(each.line.text) > _indent(before.line.text)
            if indented and _PYTHON_FRAME.match(before.line.text):
                lines[at] = replace(each, kind=LineKind.FAILING_CODE)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def failing_code(text: str) -> str:
    """The code of a line that a code frame points at."""
    for form in (_CODE_NUMBERED, _CODE_FAILING, _PYTEST_FAILING):
        found = form.match(text)
        if found is not None:
            return found[1].strip()
    return text.strip()
