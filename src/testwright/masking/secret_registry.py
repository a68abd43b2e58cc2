"""The secret values met so far, and one quick way to find any of them in a text, in any spelling.

A text is looked at in steps: a short window at every n-th place. Every spelling is at least so long that one of the
windows lies wholly inside it, so a text without any of them costs one look into a table for every step.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from testwright.masking.name_grades import variable_name
from testwright.masking.value_looks import is_replaceable, needs_borders
from testwright.masking.value_spellings import plain_spellings, spellings
from testwright.model.session import REDACTED

_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))"
_AFTER = r"(?![A-Za-z0-9])"
_NO_FRACTION_BEFORE = r"(?<![0-9]\.)"
_NO_FRACTION_AFTER = r"(?!\.[0-9])"
_GAP = re.compile(r"\\?\r?\n[ \t]{0,40}|[\"'`]\s{0,4}\+?\s{0,40}[\"'`]|\\n")
_SHORTEST_SPLIT = 10
_LONGEST_SPLIT = 1_000_000
_MOST_IN_FULL = 1_000  # values after these are looked for in fewer spellings: a page may make up any number
_MOST_VALUES = 20_000
_LONGEST_VALUE = 16_384  # of a longer one, the beginning is looked for


@dataclass
class _Windows:
    """Spellings of a certain length, to be found by windows of `width` at every `step`-th place."""

    least: int
    width: int
    table: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)  # where several spellings share a window

    @property
    def step(self) -> int:
        return self.least - self.width + 1

    def add(self, spelled: str) -> None:
        for offset in range(self.step):
            window = spelled[offset : offset + self.width]
            if self.table.setdefault(window, spelled) != spelled:
                self.others.setdefault(window, []).append(spelled)

    def candidates(self, text: str) -> Iterator[str]:
        if self.table:
            width, table = self.width, self.table
            seen = {part for i in range(0, len(text), self.step) if (part := text[i : i + width]) in table}
            for part in seen:
                yield table[part]
                yield from self.others.get(part, ())


class SecretRegistry:
    """Values, their names, and where they are in a text."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._latest: dict[str, tuple[int, str]] = {}  # a name -> its last number, and the value that got it
        self._patterns: dict[str, str] = {}  # a spelling -> how it is searched for
        self._sizes = (_Windows(least=16, width=8), _Windows(least=8, width=4), _Windows(least=6, width=4))

    def __len__(self) -> int:
        return len(self._names)

    def remember(self, value: str, name: str) -> str:
        """Keep a value in mind, if it can be replaced safely. Its own name: a variable's, with a number if need be."""
        value = value[:_LONGEST_VALUE]
        if value in self._names:
            return self._names[value]
        own = self._own_name(value, variable_name(name))
        if is_replaceable(value) and REDACTED not in value and len(self._names) < _MOST_VALUES:
            self._names[value] = own
            self._learn(value)
        return own

    def _own_name(self, value: str, wanted: str) -> str:
        """A field that is typed into step by step keeps its name; another value of the same name gets a number."""
        number, latest = self._latest.get(wanted, (1, value))
        if not (value.startswith(latest) or latest.startswith(value)):
            number += 1
        self._latest[wanted] = number, value
        return wanted if number == 1 else f"{wanted}_{number}"

    def _learn(self, value: str) -> None:
        bordered = needs_borders(value)
        for spelled in spellings(value) if len(self._names) <= _MOST_IN_FULL else plain_spellings(value):
            pattern = re.escape(spelled)
            if spelled.isdigit():
                pattern = _NO_FRACTION_BEFORE + _BEFORE + pattern + _AFTER + _NO_FRACTION_AFTER
            elif bordered and len(spelled) < 12:
                pattern = _BEFORE + pattern + _AFTER
            if self._patterns.setdefault(spelled, pattern) is pattern:
                next(one for one in self._sizes if len(spelled) >= one.least).add(spelled)

    def hidden(self, text: str) -> str:
        """The text without any of the values; the same object if there is none."""
        there = {spelled for windows in self._sizes for spelled in windows.candidates(text) if spelled in text}
        if not there:
            return self._split_hidden(text)
        longest_first = sorted(there, key=lambda spelled: (-len(spelled), spelled))
        pattern = "|".join(self._patterns[spelled] for spelled in longest_first)
        found = re.sub(pattern, lambda _: REDACTED, text)
        return text if found == text else self._split_hidden(found)

    def _split_hidden(self, text: str) -> str:
        """The text without the values that go on in the next line, or after a plus sign."""
        if not self._names or len(text) > _LONGEST_SPLIT or not _GAP.search(text):
            return text
        joined = _GAP.sub("", text)
        there = {
            spelled
            for windows in self._sizes[:2]
            for spelled in windows.candidates(joined)
            if len(spelled) >= _SHORTEST_SPLIT and spelled in joined and spelled in self._names
        }
        for value in sorted(there, key=lambda one: (-len(one), one)):
            text = re.sub(f"(?:{_GAP.pattern})?".join(map(re.escape, value)), lambda _: REDACTED, text)
        return text
