"""Strings made from a regular expression's own parse tree: some that match it, each in another way, and near misses."""

import random
import re
import warnings
from re import _constants as codes  # type: ignore[attr-defined]  # undocumented, and the only way to the parse tree
from re import _parser  # type: ignore[attr-defined]  # the same
from typing import Any

from testwright.generate.inside.safe_access import quietly, unique

MOST_STRINGS = 12
DEEPEST = 40
READABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;/@#!?'\"()[]{}<>=+*&%$^~|\\`\t\n"
BY_CATEGORY = {
    "CATEGORY_DIGIT": "1234567890", "CATEGORY_NOT_DIGIT": "abc -", "CATEGORY_SPACE": " \t\n",
    "CATEGORY_NOT_SPACE": "abc1-", "CATEGORY_WORD": "abcx1_", "CATEGORY_NOT_WORD": " -.!",
}  # fmt: skip


def matching(pattern: str, flags: int = 0) -> list[str]:
    """Strings that the pattern finds, simplest first: every alternative, option and repeat boundary in some of them."""
    tree = _tree(pattern, flags)
    if tree is None:
        return []
    found = quietly(lambda: re.compile(pattern, flags), None)
    made: list[str] = []
    for turn in range(MOST_STRINGS * 2):
        writer = _Writer(turn, random.Random(f"{turn} {pattern}"))
        string = quietly(lambda writer=writer: writer.sequence(tree, 0), None)  # type: ignore[misc]  # a lambda with a default
        if string is not None and len(string) <= 200 and found is not None and _finds(found, string):
            made.append(string)
    return list(unique(made))[:MOST_STRINGS]


def near_misses(pattern: str, flags: int = 0) -> list[str]:
    """Strings that almost match: cut short, with something in front, or with one character that does not belong."""
    found = quietly(lambda: re.compile(pattern, flags), None)
    if found is None:
        return []
    misses: list[str] = []
    for string in matching(pattern, flags)[:4]:
        middle = len(string) // 2
        changed = "x" if string[middle : middle + 1].isdigit() else "0"
        misses += [
            string[:-1],
            string[1:],
            string[:middle] + changed + string[middle + 1 :],
            string + "x",
            "x" + string,
        ]
        misses += [string + "!", string[:middle] + string[middle + 1 :]]
    return [miss for miss in unique(misses) if not _finds_all(found, miss)][:8]


def _tree(pattern: str, flags: int) -> Any:
    if type(pattern) is not str or len(pattern) > 4000:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return quietly(lambda: _parser.parse(pattern, flags), None)


def _finds(pattern: "re.Pattern[str]", string: str) -> bool:
    return quietly(lambda: pattern.search(string) is not None, False)


def _finds_all(pattern: "re.Pattern[str]", string: str) -> bool:
    return quietly(lambda: pattern.fullmatch(string) is not None, False)


class _Writer:
    """Writes one string. The first turns choose by rule (shortest, longest, each alternative), later ones at random."""

    def __init__(self, turn: int, rng: random.Random) -> None:
        self._turn = turn
        self._rng = rng
        self._groups: dict[int, str] = {}

    def sequence(self, items: Any, depth: int) -> str:
        if depth > DEEPEST:
            raise RecursionError
        return "".join(self._one(code, argument, depth) for code, argument in items)

    def _one(self, code: Any, argument: Any, depth: int) -> str:
        if code is codes.LITERAL:
            return chr(argument)
        if code is codes.NOT_LITERAL:
            return self._pick([char for char in READABLE if ord(char) != argument])
        if code is codes.ANY:
            return self._pick(list("abc1 -"))
        if code is codes.IN:
            return self._pick(_characters(argument))
        if code is codes.BRANCH:
            return self.sequence(self._alternative(argument[1]), depth + 1)
        if code is codes.SUBPATTERN:
            written = self.sequence(argument[3], depth + 1)
            if argument[0] is not None:
                self._groups[argument[0]] = written
            return written
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, getattr(codes, "POSSESSIVE_REPEAT", None)):
            low, high, inner = argument
            return "".join(self.sequence(inner, depth + 1) for _ in range(self._times(low, high)))
        if code is codes.GROUPREF:
            return self._groups.get(argument, "")
        if code is codes.GROUPREF_EXISTS:
            group, present, absent = argument
            return self.sequence((present if group in self._groups else absent) or [], depth + 1)
        if code is getattr(codes, "ATOMIC_GROUP", None):
            return self.sequence(argument, depth + 1)
        return ""  # anchors and look-around take no room; what they forbid is checked at the end

    def _alternative(self, branches: list[Any]) -> Any:
        if self._turn < 2:
            return branches[0]
        return branches[(self._turn - 2) % len(branches)] if self._turn < 8 else self._rng.choice(branches)

    def _times(self, low: int, high: int) -> int:
        most = min(high, low + 3)
        if self._turn == 0:
            return low or min(1, most)
        if self._turn == 1:
            return low
        if self._turn == 2:
            return most
        return self._rng.randint(low, most)

    def _pick(self, characters: list[str]) -> str:
        if not characters:
            raise ValueError("nothing fits")
        return characters[0] if self._turn < 3 else self._rng.choice(characters)


def _characters(items: list[Any]) -> list[str]:
    """Readable members of a character class."""
    negated = bool(items) and items[0][0] is codes.NEGATE
    named: list[str] = []
    for code, argument in items:
        if code is codes.LITERAL:
            named.append(chr(argument))
        elif code is codes.RANGE:
            low, high = argument
            readable = [char for char in READABLE if low <= ord(char) <= high]
            named += readable or [chr(low), chr(high)]
        elif code is codes.CATEGORY:
            named += BY_CATEGORY.get(str(argument), "a")
    if negated:
        return [char for char in READABLE if char not in named]
    # Letters first, then digits: they make the strings that people recognise.
    return sorted(unique(named), key=lambda char: (not char.isalnum(), char.isdigit(), char.isupper()))
