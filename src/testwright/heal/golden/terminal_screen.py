"""What a terminal shows once it was sent some bytes: a grid of cells, and every word that was ever drawn on it.

A golden file holds either one frame (lines with colours) or all that a program wrote until it ended (with cursor
moves). Both are played the same way. What is not drawn, such as a window's title, a link's target or the mouse mode, is
kept beside the screen, so that a change of it cannot hide behind a picture that stays the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import pyte
from wcwidth import wcswidth

from testwright.heal.golden.pyte_terminal import Terminal
from testwright.model.errors import InvalidGolden, TooLarge

MOST_BYTES = 5_000_000
MOST_CELLS = 1_000_000
MOST_COMMANDS = 100_000
MOST_DRAWN = 1_500_000  # characters
MOST_WORK = 50_000_000  # commands times the lines and columns that each may touch

# Control strings run to their terminator, or to the end where it is missing, as terminals read them.
_TOKEN = re.compile(
    r"(?P<string>(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\|\x9c|\Z))"
    r"|(?P<csi>(?:\x1b\[|\x9b)(?P<params>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~]))"
    r"|(?P<escape>\x1b[ -/]*[0-~]?)"
    r"|(?P<control>[\x00-\x1f\x7f-\x9f])"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)",
    re.DOTALL,
)
_C0 = bytes(range(32))
_DRAWING_CSI = frozenset("ABCDEFGHJKLMPXdefm@`a")
_DRAWING_ESCAPES = frozenset({"\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bM"})
_DRAWING_CONTROLS = frozenset("\n\r\t\b")
_PLAIN_PARAMETERS = re.compile(r"[0-9;]{0,100}")


class Style(NamedTuple):
    """How a character is drawn."""

    fg: str = "default"
    bg: str = "default"
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    struck: bool = False
    reverse: bool = False
    blinking: bool = False
    more: str = ""  # faint, concealed and the like


class Cell(NamedTuple):
    """A character with what combines with it; empty: the right half of a wide one."""

    text: str = " "
    style: Style = Style()

    @property
    def is_blank(self) -> bool:
        return self.text == " "

    @property
    def seen(self) -> "Cell":
        """As a reader sees it: a letter that is not there has no colour."""
        if not self.is_blank or self.style.reverse:
            return self
        return Cell(" ", Style(bg=self.style.bg, underlined=self.style.underlined, struck=self.style.struck))


BLANK = Cell()


@dataclass(frozen=True, slots=True)
class Word:
    """Characters side by side with no blank between them."""

    text: str
    line: int
    column: int
    end: int  # the column behind it
    styles: tuple[Style, ...]  # one for each cell


@dataclass(frozen=True, slots=True)
class Screen:
    """The last frame, before the program cleared up behind it."""

    rows: tuple[tuple[Cell, ...], ...]  # all of one length
    words: tuple[Word, ...]  # of the last frame, as a reader goes through it
    drawn: tuple[Word, ...]  # of all frames, in the order they were drawn
    unseen: tuple[str, ...]  # commands that draw nothing

    @property
    def columns(self) -> int:
        return len(self.rows[0]) if self.rows else 0


@dataclass(frozen=True, slots=True)
class Tokens:
    """A stream cut into what is drawn and what is not."""

    drawing: tuple[str, ...]
    unseen: tuple[str, ...]


def tokens_of(data: bytes) -> Tokens:
    """Raises TooLarge, and InvalidGolden where the bytes are not text for a terminal."""
    if len(data) > MOST_BYTES:
        raise _too_large(f"A screen of {len(data):,} bytes is too large; the most is {MOST_BYTES:,}.")
    commands = len(data) - len(data.translate(None, _C0)) + data.count(b"\xc2")
    if commands > MOST_COMMANDS:
        raise _too_large(f"A screen of {commands:,} commands is too large; the most is {MOST_COMMANDS:,}.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _invalid(f"byte {error.start} is not UTF-8") from None
    if "\0" in text:
        raise _invalid("it holds NUL bytes")
    drawing: list[str] = []
    unseen: list[str] = []
    for token in _TOKEN.finditer(text):
        (drawing if _draws(token) else unseen).append(token[0].replace("\x9b", "\x1b["))
    while drawing and (drawing[-1][0] < " " or not drawing[-1].strip()):
        drawing.pop()  # what a program does on its way out: it moves the cursor and clears its last line
    return Tokens(tuple(drawing), tuple(unseen))


def _too_large(message: str) -> TooLarge:
    return TooLarge(message, next_step="Keep golden files of single screens, not of a whole session.")


def _invalid(why: str) -> InvalidGolden:
    return InvalidGolden(
        f"This is not a screen of a terminal program: {why}.", next_step="Look at the golden file; write it again."
    )


def _draws(token: re.Match[str]) -> bool:
    if token["text"]:
        return True
    if token["csi"]:
        plain = _PLAIN_PARAMETERS.fullmatch(token["params"]) is not None
        return token["final"] in _DRAWING_CSI and plain and not token["between"]
    return token[0] in _DRAWING_ESCAPES or token[0] in _DRAWING_CONTROLS


def size_of(tokens: Tokens) -> tuple[int, int]:
    """Columns and lines that are enough for the stream to neither wrap nor scroll: its own program saw to that."""
    line = most_lines = width = most_columns = 0
    for part in tokens.drawing:
        if part in "\r\n":
            most_columns, width = max(most_columns, width), 0
            line += part == "\n"
        elif part[0] not in "\x1b\t\b":
            width += max(wcswidth(part), len(part))
        elif part == "\t":
            width += 8
        elif part[-1] in "CGHaf`":
            width += max(_numbers(part), default=1)
        if part[0] == "\x1b":
            line = _line_after(part, line)
        most_lines = max(most_lines, line)
    return max(most_columns, width, 1), most_lines + 1


def _line_after(token: str, line: int) -> int:
    first = next(iter(_numbers(token)), 0)
    match token[-1]:
        case "A" | "F":
            return max(0, line - max(1, first))
        case "B" | "E" | "e" if "[" in token:
            return line + max(1, first)
        case "H" | "f" | "d":
            return max(1, first) - 1
        case "D" | "E":  # \x1bD, \x1bE: \x1b[D goes left
            return line if "[" in token else line + 1
    return line


def _numbers(token: str) -> list[int]:
    return [min(int(number), 9999) for number in re.findall(r"[0-9]+", token)]


def play(tokens: Tokens, columns: int, lines: int) -> Screen:
    """The screen after the stream. Raises TooLarge where drawing it would take too long."""
    commands = sum(1 for token in tokens.drawing if token[0] < " ")
    if columns * lines > MOST_CELLS or commands * (lines + columns) > MOST_WORK:
        raise _too_large(
            f"A screen of {lines:,} lines, {columns:,} columns and {commands:,} commands is too large to be compared."
        )
    if sum(map(len, tokens.drawing)) > MOST_DRAWN:
        raise _too_large(f"More than {MOST_DRAWN:,} characters are drawn, one over the other.")
    terminal = Terminal(columns, lines)
    stream = pyte.Stream(terminal)
    for token in tokens.drawing:
        if token[0] >= " ":
            terminal.draw(token)
        else:
            stream.feed(token)
    rows = tuple(_row(terminal.buffer[line], columns) for line in range(lines))
    return Screen(rows, tuple(words_of(rows)), tuple(_drawn_words(terminal.drawn)), tokens.unseen)


def _row(line: pyte.screens.StaticDefaultDict[int, pyte.screens.Char], columns: int) -> tuple[Cell, ...]:
    return tuple(Cell(char.data, style_of(char)) for char in (line[column] for column in range(columns)))


@lru_cache(maxsize=1000)
def style_of(char: pyte.screens.Char) -> Style:
    fg, _, more = char.fg.partition("|")
    return Style(
        fg, char.bg, char.bold, char.italics, char.underscore, char.strikethrough, char.reverse, char.blink, more
    )


def words_of(rows: tuple[tuple[Cell, ...], ...]) -> Iterator[Word]:
    for number, row in enumerate(rows):
        start = 0
        for column in range(len(row) + 1):
            if column < len(row) and not row[column].is_blank:
                continue
            if column > start:
                cells = row[start:column]
                text = "".join(cell.text for cell in cells)
                yield Word(text, number, start, column, tuple(cell.style for cell in cells))
            start = column + 1


def _drawn_words(drawn: list[tuple[int, int, int, pyte.screens.Char]]) -> Iterator[Word]:
    """Characters in the order they were drawn, put together where each follows the one before."""
    word: list[tuple[int, int, int, pyte.screens.Char]] = []
    for mark in drawn:
        line, column, _, char = mark
        follows = bool(word) and word[-1][0] == line and word[-1][1] + word[-1][2] == column
        if word and (not follows or char.data == " "):
            yield _word(word)
            word = []
        if char.data != " ":
            word.append(mark)
    if word:
        yield _word(word)


def _word(marks: list[tuple[int, int, int, pyte.screens.Char]]) -> Word:
    line, column, _, _ = marks[0]
    text = "".join(char.data for *_, char in marks)
    return Word(text, line, column, marks[-1][1] + marks[-1][2], tuple(style_of(char) for *_, char in marks))
