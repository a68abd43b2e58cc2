"""Plain values to vary with: what the module itself holds, what its patterns match, and structured strings."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from testwright.generate.inside.values.regex_strings import matching
from testwright.generate.inside.values.source_literals import Literals
from testwright.generate.inside.values.structured_strings import examples

PLAIN_WORDS = (
    "a", "b", "hello", "one two", "x1", "A", " ", "é", "ß", "0", "-1", "\n", "\t", "_", ",", ".", ":",
    "=", "-", "'", '"',
)  # fmt: skip


@dataclass(slots=True)
class ValuePool:
    """Values by kind; `pieces` are short strings to insert into others."""

    texts: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    numbers: list[int | float] = field(default_factory=list)
    byte_strings: list[bytes] = field(default_factory=list)

    @classmethod
    def of(cls, literals: Literals, patterns: Iterable[tuple[str, int]], words: set[str]) -> "ValuePool":
        made = [string for pattern in list(patterns)[:20] for string in matching(*pattern)[:6]]
        short = [each for each in literals.texts if 0 < len(each) <= 12]
        return cls(
            texts=[*literals.texts, *made, *_structured(words)] or list(PLAIN_WORDS),
            pieces=[*short, *PLAIN_WORDS],
            numbers=[*literals.numbers, 0, 1, 2, 10, 100, -1],
            byte_strings=literals.byte_strings or [b"a"],
        )


def _structured(words: set[str]) -> list[str]:
    found = examples((), "", words, set())
    return [*found.possible, *found.rest][:60]
