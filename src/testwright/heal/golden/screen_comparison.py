"""Whether a screen still says what its golden file says, and only looks different.

Two screens are compared cell by cell. Only two changes are harmless enough to be healed:

* RESTYLE: the same characters in the same cells. Each old style has become one new style, and no two the same one:
  colours of a theme. A highlight that went from one line to the next is not that; it says that another one is chosen.
* MOVE: the same lines of the same words in the same order and the same styles, with other blanks around them: margins,
  padding, blank lines. Words of lines that stand together keep their columns: a number that slid below another heading
  says something else. Lines that changed places may be a list that is sorted another way, so that a person decides.

Where a word was added, lost or altered, on the last frame or on one before, nothing is healed.

The threshold. A test with a golden file fails on the first byte that differs, so every difference is looked at: the
lower bound is 0 %. Above `MOST_CHANGED`, half of the cells of the screen, even a pure move or restyle is only
suggested: less than half of what a person knew is as it was, which makes it a redesign, and redesigns deserve eyes.
Measured on the program in tests/go: an accent in another colour 6 %, an indented list 13 %, a footer one line
further down 20 %, all text in another colour 21 %, a margin 33 %, a blank line above everything 45 %. A screen full of
text that gets a margin (98 %) or other colours (80 %) is above it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from testwright.heal.golden.terminal_screen import BLANK, Cell, Screen, Style, Tokens, Word, play, size_of, tokens_of
from testwright.heal.thresholds import MOST_CHANGED
from testwright.model.untrusted_text import visible_line


class ChangeKind(StrEnum):
    SAME = "same"  # what is drawn is the same; the bytes that draw it may differ
    RESTYLE = "restyle"
    MOVE = "move"
    TEXT_CHANGED = "text_changed"
    UNSEEN = "unseen"  # the screen is not all: a title, a link, a mode or a bell changed


@dataclass(frozen=True, slots=True)
class ScreenChange:
    """What became of a screen. It may be healed when nothing stands in the way."""

    kind: ChangeKind
    changed_cells: int
    cells: int  # the part of the screen that is used before or after
    explanation: str  # one sentence for a person
    moved: tuple[tuple[Word, Word], ...] = ()  # words before and after
    obstacle: str = ""  # a stable code for why it is not healed; empty: nothing speaks against it

    @property
    def share(self) -> float:
        return self.changed_cells / self.cells if self.cells else 0.0

    @property
    def may_heal(self) -> bool:
        return not self.obstacle


def compare_screens(
    golden: bytes, actual: bytes, *, size: tuple[int, int] | None = None, most_changed: float = MOST_CHANGED
) -> ScreenChange:
    """What changed between two screens. `size`: columns and lines, where known. Raises TooLarge, InvalidGolden."""
    before, after = _screens_of(golden, actual, size)
    changed, cells = _counted(before, after)
    kind, obstacle, explanation, moved = _verdict(before, after, changed)
    if not obstacle and cells and changed / cells > most_changed:
        obstacle = "too_much_changed"
        explanation += (
            f" But {changed / cells:.0%} of the screen is different, and above {most_changed:.0%} a person looks at it."
        )
    return ScreenChange(kind, changed, cells, explanation, moved, obstacle)


def _screens_of(golden: bytes, actual: bytes, size: tuple[int, int] | None = None) -> tuple[Screen, Screen]:
    """Both on terminals of one size."""
    before, after = tokens_of(golden), tokens_of(actual)
    columns, lines = size or _size_for_both(before, after)
    return play(before, columns, lines), play(after, columns, lines)


def _size_for_both(before: Tokens, after: Tokens) -> tuple[int, int]:
    one, other = size_of(before), size_of(after)
    return max(one[0], other[0]), max(one[1], other[1])


def _counted(before: Screen, after: Screen) -> tuple[int, int]:
    """Cells that differ, and those of the smallest rectangle in the upper left corner that holds all that is drawn."""
    changed = lines = columns = 0
    for number, (old_row, new_row) in enumerate(zip(before.rows, after.rows, strict=True)):
        for column, (old, new) in enumerate(zip(old_row, new_row, strict=True)):
            changed += old.seen != new.seen
            if old.seen != BLANK or new.seen != BLANK:
                lines, columns = number + 1, max(columns, column + 1)
    return changed, lines * columns


_Verdict = tuple[ChangeKind, str, str, tuple[tuple[Word, Word], ...]]


def _verdict(before: Screen, after: Screen, changed: int) -> _Verdict:
    text = _text_change(before, after)
    if text is not None:
        return text
    if before.unseen != after.unseen:
        return ChangeKind.UNSEEN, "unseen_changed", "Something that is not drawn changed: a title, a link, a mode.", ()
    if _places(before.words) == _places(after.words):
        return _restyle(before, after, changed)
    return _move(before, after)


def _text_change(before: Screen, after: Screen) -> _Verdict | None:
    """The verdict where words are not the same; reordered ones are a move that only a person can judge."""
    if Counter(_texts(before.words)) != Counter(_texts(after.words)):
        return ChangeKind.TEXT_CHANGED, "text_changed", _difference(before.words, after.words), ()
    if _lines(before.words) != _lines(after.words):
        told = "The same words stand in another order: a list may be sorted another way, or something else be selected."
        return ChangeKind.MOVE, "reordered", told, tuple(_paired(before.words, after.words))
    if _texts(before.drawn) != _texts(after.drawn):
        told = "The last frame has the same words, but a frame before it has not."
        return ChangeKind.TEXT_CHANGED, "text_changed", told, ()
    return None


def _restyle(before: Screen, after: Screen, changed: int) -> _Verdict:
    if not changed and _styles(before.drawn) == _styles(after.drawn):
        return ChangeKind.SAME, "", "The screen is the same; only the bytes that draw it differ.", ()
    blanks = [
        (old.seen.style, new.seen.style)
        for old, new in zip(_cells(before), _cells(after), strict=True)
        if old.is_blank and new.is_blank
    ]
    old_styles, new_styles = _styles(before.drawn), _styles(after.drawn)
    letters = zip(old_styles, new_styles, strict=False)
    if len(old_styles) != len(new_styles) or not (_is_one_to_one(letters) and _is_one_to_one(blanks)):
        told = "The same text, but what is set apart from the rest is not the same: a highlight moved, came or went."
        return ChangeKind.RESTYLE, "emphasis_changed", told, ()
    return ChangeKind.RESTYLE, "", "The same text in the same places, in other colours or weights.", ()


def _move(before: Screen, after: Screen) -> _Verdict:
    pairs = tuple(zip(before.words, after.words, strict=True))
    moved = tuple((old, new) for old, new in pairs if (old.line, old.column) != (new.line, new.column))
    told = f"The same lines in the same order; {len(moved)} of {len(pairs)} words stand elsewhere."
    obstacle = ""
    if _styles(before.drawn) != _styles(after.drawn):
        obstacle, told = "moved_and_restyled", f"{told} They are drawn in other styles too."
    elif not _columns_kept(pairs) or not _moved_alike(before.drawn, after.drawn):
        obstacle, told = "columns_changed", f"{told} Some no longer stand below what they stood below."
    return ChangeKind.MOVE, obstacle, told, moved


def _columns_kept(pairs: Sequence[tuple[Word, Word]]) -> bool:
    """Whether in each block of lines, all starts and ends of words come in the same order from left to right."""
    for block in _blocks(pairs):
        old = _ranks(place for word, _ in block for place in (word.column, word.end))
        new = _ranks(place for _, word in block for place in (word.column, word.end))
        if old != new:
            return False
        slid = any(word.column != now.column for word, now in block)
        # A mark or a number on its own may belong to a column of another block.
        if slid and not any(letter.isalpha() for word, _ in block for letter in word.text):
            return False
    return True


def _blocks(pairs: Sequence[tuple[Word, Word]]) -> list[list[tuple[Word, Word]]]:
    """Words of lines with no blank line between them, before the change."""
    blocks: list[list[tuple[Word, Word]]] = []
    last = -2
    for pair in pairs:
        if pair[0].line > last + 1:
            blocks.append([])
        blocks[-1].append(pair)
        last = pair[0].line
    return blocks


def _ranks(places: Iterable[int]) -> list[int]:
    listed = list(places)
    rank = {place: number for number, place in enumerate(sorted(set(listed)))}
    return [rank[place] for place in listed]


def _moved_alike(before: Sequence[Word], after: Sequence[Word]) -> bool:
    """Whether all frames moved in one way: what stood in one place once stands in one place now."""
    now: dict[tuple[int, int], tuple[int, int]] = {}
    return all(
        now.setdefault((old.line, old.column), (new.line, new.column)) == (new.line, new.column)
        for old, new in zip(before, after, strict=True)
    )


def _is_one_to_one(pairs: Iterable[tuple[Style, Style]]) -> bool:
    forth: dict[Style, Style] = {}
    back: dict[Style, Style] = {}
    consistent = all(forth.setdefault(old, new) == new and back.setdefault(new, old) == old for old, new in pairs)
    # Two styles that changed places look like a mapping too, and say the opposite of what they said.
    return consistent and not any(old != new and new in forth for old, new in forth.items())


def _cells(screen: Screen) -> list[Cell]:
    return [cell for row in screen.rows for cell in row]


def _styles(words: Sequence[Word]) -> list[Style]:
    return [style for word in words for style in word.styles]


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words]


def _places(words: Sequence[Word]) -> list[tuple[str, int, int]]:
    return [(word.text, word.line, word.column) for word in words]


def _lines(words: Sequence[Word]) -> list[list[str]]:
    """The words of each line that has any."""
    lines: dict[int, list[str]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.text)
    return list(lines.values())


def _paired(before: Sequence[Word], after: Sequence[Word]) -> list[tuple[Word, Word]]:
    """Words that stand elsewhere, each with the next one of the same text that is still free."""
    kept = set(_places(before)) & set(_places(after))
    free: dict[str, list[Word]] = {}
    for word in reversed(after):
        if (word.text, word.line, word.column) not in kept:
            free.setdefault(word.text, []).append(word)
    gone = [word for word in before if (word.text, word.line, word.column) not in kept]
    return [(word, free[word.text].pop()) for word in gone if free.get(word.text)]


def _difference(before: Sequence[Word], after: Sequence[Word]) -> str:
    lost = Counter(_texts(before)) - Counter(_texts(after))
    new = Counter(_texts(after)) - Counter(_texts(before))
    parts = [f"{what} {_quoted(words)}" for what, words in (("lost", lost), ("new", new)) if words]
    return f"The text is not the same: {'; '.join(parts)}."


def _quoted(words: Counter[str], most: int = 5) -> str:
    listed = [f"'{visible_line(word, limit=40)}'" for word in list(words)[:most]]
    return ", ".join(listed) + (", …" if len(words) > most else "")
