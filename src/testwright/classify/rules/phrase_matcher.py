"""What programs say, phrase by phrase. A phrase is a piece of a regular expression; most are plain words.

Each phrase has words that it cannot do without. They are looked for first, in the whole text at once: most phrases are
not there, and a plain search for words costs next to nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from testwright.model.failure import FailureLine

# --- What a line says in its own words: values that it quotes are somebody else's -----------------------------------

_COMPARES = re.compile(
    r"(?:\w{0,60}(?:Error|Failure): )?(?:assert |Expected\b|expected |Received\b|Actual\b|['\"].{0,300} [!=]= )"
    r"|.{0,300} (?:not )?found in "
)
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.){1,600}'|\"(?:[^\"\\\n]|\\.){1,600}\"|`[^`\n]{1,600}`")


@lru_cache(maxsize=2048)
def in_its_own_words(text: str) -> str:
    """The line without the values in quotes, if it compares some."""
    return _QUOTED.sub("''", text) if _COMPARES.match(text) else text


_MOST_LINES = 12
_CLASSES = "dDwWsSbBAZ"


class PhraseMatcher:
    """Several ways to say one thing."""

    __slots__ = ("_pieces",)

    def __init__(self, pieces: Sequence[str], *, ignore_case: bool) -> None:
        flags = re.IGNORECASE if ignore_case else 0
        self._pieces = tuple((needed_words(piece), re.compile(piece, flags)) for piece in pieces)

    def search(self, text: str) -> re.Match[str] | None:
        """The first phrase that stands in `text`."""
        folded = text.lower()
        for words, pattern in self._pieces:
            found = pattern.search(text) if words in folded else None
            if found is not None:
                return found
        return None

    def all(self, lines: Sequence[FailureLine]) -> Iterator[FailureLine]:
        """The lines that say it, in their order; of very many, the first."""
        if not lines:
            return
        folded = _folded(lines)
        possible = [pattern for words, pattern in self._pieces if words in folded]
        if possible:
            own_words = ((line, in_its_own_words(line.text)) for line in lines)
            saying = (line for line, said in own_words if any(pattern.search(said) for pattern in possible))
            yield from islice(saying, _MOST_LINES)

    def first(self, lines: Sequence[FailureLine]) -> FailureLine | None:
        return next(self.all(lines), None)


_last: tuple[Sequence[FailureLine], str] = ((), "")


def _folded(lines: Sequence[FailureLine]) -> str:
    """All of it in lower case. The rules ask many things about the same lines, one after the other."""
    global _last  # noqa: PLW0603 - one entry, replaced as a whole, so that threads at worst work it out again
    held, folded = _last
    if held is not lines:
        folded = "\n".join([line.text for line in lines]).lower()
        _last = (lines, folded)
    return folded


def any_of(*pieces: str, ignore_case: bool = False) -> PhraseMatcher:
    return PhraseMatcher(pieces, ignore_case=ignore_case)


def needed_words(piece: str) -> str:
    """The longest run of plain characters that every match of `piece` contains, in lower case.

    Only what stands outside of groups and character classes counts, so a group may hold alternatives, a piece may not.
    """
    runs, at = [""], 0
    while at < len(piece):
        at = _step(piece, at, runs)
    return max(runs, key=len).lower()


def _step(piece: str, at: int, runs: list[str]) -> int:
    """Read one character or one group at `at`, add to the last run or begin another; where to go on."""
    character = piece[at]
    if character == "|":
        raise ValueError(f"Alternatives belong in a group or in phrases of their own: {piece}")
    if character in "([":
        runs.append("")
        return _end_of_group(piece, at) if character == "(" else _end_of_class(piece, at)
    if character == "\\":
        _add(runs, "" if piece[at + 1] in _CLASSES else piece[at + 1])
        return at + 2
    if character in "?*{":
        runs[-1:] = [runs[-1][:-1], ""]
        return piece.index("}", at) + 1 if character == "{" else at + 1
    _add(runs, "" if character in "^$.+" else character)
    return at + 1


def _add(runs: list[str], character: str) -> None:
    if character:
        runs[-1] += character
    else:
        runs.append("")


def _end_of_group(piece: str, at: int) -> int:
    depth = 0
    while at < len(piece):
        if piece[at] == "\\":
            at += 1
        elif piece[at] == "[":
            at = _end_of_class(piece, at) - 1
        elif piece[at] in "()":
            depth += 1 if piece[at] == "(" else -1
            if not depth:
                return at + 1
        at += 1
    raise ValueError(f"A group does not end: {piece}")


def _end_of_class(piece: str, at: int) -> int:
    at += 2 if piece[at + 1 : at + 2] in ("^", "]") else 1
    while piece[at] != "]":
        at += 2 if piece[at] == "\\" else 1
    return at + 1
