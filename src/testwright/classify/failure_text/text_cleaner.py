"""Plain lines of a text: no colours, nothing that a log put in front, bounded in length and number.

Every line keeps where it stood in the text that was given.
"""

import re
from collections.abc import Iterator

from testwright.model.failure import FailureLine

MOST_CHARACTERS = 64 << 10  # of a text that are looked at: its first and last parts
MOST_LINES = 1600
_KEPT_END, _KEPT_LAST_LINES = 16 << 10, 400
_MOST_LINE = 2000
_MOST_PREFIXES = 3

_TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-9;:?]{0,40}[A-Za-z]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[()][A-Z0-9])")
_PREFIX_BEGINS = frozenset("[0123456789fI# │")
_PREFIX = re.compile(
    # a time: 2024-01-31T10:11:12.345Z, 10:11:12, either in brackets
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.,]{2,12}Z?(?:[+-]\d\d:?\d\d)?\]?(?: |$)"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?(?: |$)"
    # Flutter: of a device, of its tool
    r"|flutter: |I/flutter \(\s{0,6}\d{1,7}\): |\[ {0,10}(?:\+ {0,6}\d{1,7} ms)? {0,10}\] "
    # GitHub's runner
    r"|##\[error\]"
    # reporters that draw a tree
    r"| {0,16}│ {1,4}"
)
# Of runners of several tasks: "@shop/web:test:", "web-1  |". One word and a colon may be an error's own.
_TASK = re.compile(r"(?:[@\w][\w@/.-]{0,60}(?: {1,12}\||[:/][\w.-]{1,40}:))(?= |$)")
_MOST_SAY_IT, _FEW_LINES = 0.9, 4


def plain_lines(text: str) -> list[FailureLine]:
    """The lines of the beginning and of the end; what lies between in a very long text is left out."""
    if len(text) <= MOST_CHARACTERS:
        pieces = list(_pieces(text, 0))
    else:
        cut = len(text) - _KEPT_END
        pieces = [*_pieces(text[: MOST_CHARACTERS - _KEPT_END], 0), *_pieces(text[cut:], cut)]
    if len(pieces) > MOST_LINES:
        pieces = pieces[: MOST_LINES - _KEPT_LAST_LINES] + pieces[-_KEPT_LAST_LINES:]
    task = _task(pieces)
    return [_cleaned(raw, at, task) for raw, at in pieces]


def without_terminal_codes(line: str) -> str:
    """The line without colours, and without what moves the cursor or makes links."""
    return _TERMINAL_CODE.sub("", line) if "\x1b" in line else line


def _task(pieces: list[tuple[str, int]]) -> str:
    """What a runner of several tasks puts before each line: the name of the task."""
    found = _TASK.match(pieces[0][0]) if len(pieces) >= _FEW_LINES else None
    if found is None:
        return ""
    saying = sum(raw.startswith(found[0]) for raw, _ in pieces)
    return found[0] if saying >= _MOST_SAY_IT * len(pieces) else ""


def _pieces(part: str, at: int) -> Iterator[tuple[str, int]]:
    """The lines as they are, and where they stand; of several empty ones, the first."""
    was_blank = False
    for raw in part.splitlines(keepends=True):
        is_blank = raw.isspace()
        if not (is_blank and was_blank):
            yield raw, at
        was_blank = is_blank
        at += len(raw)


def _cleaned(raw: str, at: int, task: str) -> FailureLine:
    line = without_terminal_codes(raw[:_MOST_LINE])
    begins = len(task) if task and line.startswith(task) else 0
    if begins and line[begins : begins + 1] == " ":
        begins += 1
    for _ in range(_MOST_PREFIXES):
        found = _PREFIX.match(line, begins) if line[begins : begins + 1] in _PREFIX_BEGINS else None
        if found is None:
            break
        begins = found.end()
    return FailureLine(line[begins:].rstrip(), at + begins)
