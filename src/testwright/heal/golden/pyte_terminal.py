"""A terminal on pyte that loses nothing: invisible characters, faint or concealed text, and words drawn over."""

import unicodedata
from itertools import groupby

import pyte
from pyte.screens import Char
from wcwidth import wcwidth

from testwright.model.errors import TooLarge

MOST_JOINED = 50

# Attributes that pyte does not know, by the codes that begin and end them.
_BEGINS = {2: "faint", 6: "blink-fast", 8: "concealed", 21: "double", 53: "overline"}
_ENDS = {22: {"faint"}, 24: {"double"}, 25: {"blink-fast"}, 28: {"concealed"}, 55: {"overline"}}
_COLOURS = {38: {5: 2, 2: 4}, 48: {5: 2, 2: 4}, 58: {5: 2, 2: 4}}  # how many parameters follow


class Terminal(pyte.Screen):
    """`drawn` has every character in the order it was drawn: line, column, width, character."""

    def __init__(self, columns: int, lines: int) -> None:
        self.drawn: list[tuple[int, int, int, Char]] = []
        self._extra: frozenset[str] = frozenset()
        super().__init__(columns, lines)
        # A frame of Bubble Tea ends its lines with a bare line feed, and means the start of the next line.
        self.set_mode(pyte.modes.LNM)

    def draw(self, data: str) -> None:
        for is_invisible, run in groupby(data, _is_invisible):
            for char in run:
                if is_invisible:
                    self._join(char)
                else:
                    self._draw_one(char)

    def _draw_one(self, char: str) -> None:
        width = wcwidth(char)
        if width <= 0:
            super().draw(char)  # combines with the one before
            self._note_joined(char)
            return
        line = self.cursor.y
        super().draw(char)
        if self.cursor.y == line:
            self.drawn.append((line, self.cursor.x - width, width, self.cursor.attrs._replace(data=char)))
        else:
            self.drawn.append((self.cursor.y, 0, width, self.cursor.attrs._replace(data=char)))

    def _join(self, char: str) -> None:
        """pyte drops such a character and all that follows it in one go; here it stays with the one before it."""
        column = max(0, self.cursor.x - 1)
        line = self.buffer[self.cursor.y]
        if line[column].data == "" and column:
            column -= 1  # the right half of a wide character
        line[column] = line[column]._replace(data=line[column].data + char)
        self._note_joined(char)

    def _note_joined(self, char: str) -> None:
        if self.drawn:
            *place, last = self.drawn[-1]
            if len(last.data) > MOST_JOINED:
                raise TooLarge(
                    f"More than {MOST_JOINED} invisible or combining characters stand in one cell.",
                    next_step="Look at what the program draws there.",
                )
            self.drawn[-1] = (place[0], place[1], place[2], last._replace(data=last.data + char))
        else:
            self.drawn.append((0, 0, 0, self.cursor.attrs._replace(data=char)))

    def select_graphic_rendition(self, *attrs: int) -> None:
        self._extra = _extra_attributes(self._extra, attrs)
        try:
            super().select_graphic_rendition(*attrs)
        except (KeyError, IndexError):
            return  # a colour beyond the palette: terminals ignore it
        fg = self.cursor.attrs.fg.partition("|")[0]
        more = ",".join(sorted(self._extra))
        self.cursor.attrs = self.cursor.attrs._replace(fg=f"{fg}|{more}" if more else fg)


def _is_invisible(char: str) -> bool:
    """Takes no room and combines with nothing: joiners, variation selectors, marks for the direction of writing."""
    return wcwidth(char) <= 0 and not unicodedata.combining(char)


def _extra_attributes(now: frozenset[str], codes: tuple[int, ...]) -> frozenset[str]:
    """The attributes that pyte does not know, after a command for some."""
    given = list(reversed(codes or (0,)))
    while given:
        code = given.pop()
        if code in _COLOURS:
            following = _COLOURS[code].get(given[-1] if given else 0, 0)
            taken = [given.pop() for _ in range(min(following, len(given)))]
            if code == 58:
                now = now - {name for name in now if name.startswith("line-")} | {f"line-{taken}"}
        elif code == 0:
            now = frozenset()
        elif code in _BEGINS:
            now = now | {_BEGINS[code]}
        elif code in _ENDS:
            now = now - _ENDS[code]
    return now
