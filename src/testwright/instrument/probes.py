"""Probes: what each one stands for, and where those of one module leave what they see."""

import itertools
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

# The names also end in underscores, so that no class mangles them.
PLAIN_NAMES = (
    "__tw_hits__",  # a bytearray: `__tw_hits__[7] = 1`
    "__tw_add__",  # add(7) -> None, where only an expression fits
    "__tw_decided__",  # decided(7, value) -> value: marks 7 or 8 by its truth
    "__tw_last__",  # the same for a value whose truth was not asked for
    "__tw_next__",  # next(work) -> None, or WorkExceeded
    "__tw_work__",
    "__tw_note__",  # note(line, left) -> left
    "__tw_pair__",  # pair(line, right) -> right
)

Kind: TypeAlias = Literal["statement", "branch", "condition"]

_OPERANDS_KEPT = 512
_SHOWN_PER_LINE = 32  # a loop compares the same things over and over
_ITEMS_KEPT = 32
_LONGEST_TEXT = 4096
_PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None)})
_CONTAINERS = frozenset({tuple, list, set, frozenset, dict})
_SHOWN_AS_TUPLE = _CONTAINERS | {type({}.keys()), type({}.values())}


class WorkExceeded(BaseException):
    """The allowed work is used up. Not an Exception: the watched code must not catch it as one of its own."""


@dataclass(frozen=True)
class Probe:
    """One thing that can be seen to have happened. `function` is the qualified name of the one around it, or ""."""

    index: int
    line: int
    kind: Kind
    label: str
    function: str = ""


class ProbeRecorder:
    """Where the probes of one twin leave what they see."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        self._hits = bytearray(len(probes))
        self._none = bytes(len(probes))
        # A set's `add` is the cheapest call there is that fits in an expression: it takes one object, returns None.
        self._also: set[int] = set()
        self._attached: list[dict[str, Any]] = []
        self._seen: deque[tuple[int, Any, Any]] = deque(maxlen=_OPERANDS_KEPT)
        self._left: dict[int, Any] = {}
        self._shown: dict[int, int] = {}
        self._allowed = 0
        self._remaining: Iterator[None] = iter(())
        self._work: Iterator[None] = iter(())
        self.exceeded = False
        """Whether more work was asked for than allowed, also where the watched code swallowed the exception."""
        self.reset(1 << 62)

    def attach(self, module_globals: dict[str, Any]) -> None:
        """Give the twin's probes what they write into. To be done before the twin is executed."""
        self._attached.append(module_globals)
        values = (self._hits, self._also.add, self._decided, self._last, next, self._work, self._note, self._pair)
        module_globals.update(zip(PLAIN_NAMES, values, strict=True))

    def reset(self, work: int) -> None:
        """Forget all hits, and allow this much work: turns of loops and comprehensions, and calls of functions."""
        self.clear_hits()
        self._seen.clear()
        self._left.clear()
        self._shown.clear()
        self.exceeded = False
        self._allowed = work
        self._remaining = itertools.repeat(None, work)
        # Once the first part is used up each further turn raises, however often the code swallows it.
        self._work = itertools.chain(self._remaining, map(self._exceed, itertools.repeat(None)))
        for module_globals in self._attached:
            module_globals["__tw_work__"] = self._work

    def hits(self) -> bytes:
        """A byte for each probe: 1 where it was passed since the last reset."""
        for index in self._also:
            self._hits[index] = 1
        return bytes(self._hits)

    def clear_hits(self) -> None:
        """Forget the hits, and nothing else."""
        self._hits[:] = self._none
        self._also.clear()

    def add_hits(self, hits: bytes) -> None:
        """Count these as hit too: those from before, when a part was looked at alone."""
        self._also.update(index for index, hit in enumerate(hits) if hit)

    def used(self) -> int:
        """How much work was done since the last reset."""
        hint: Callable[[], int] = self._remaining.__length_hint__  # type: ignore[attr-defined]  # itertools.repeat has it
        return self._allowed - hint()

    def comparisons(self) -> list[tuple[int, Any, Any]]:
        """What was compared since the last reset, oldest first: the line and both sides, as plain values.

        A container is shown as a tuple of its plain items. For `match` and its like the left side is the pattern.
        """
        return list({(line, _key(left), _key(right)): (line, left, right) for line, left, right in self._seen}.values())

    def operands(self) -> list[Any]:
        """The plain values that were compared with something since the last reset, each once, oldest first."""
        found: dict[Any, Any] = {}
        for _, left, right in self._seen:
            for side in (left, right):
                for value in side if type(side) is tuple else (side,):
                    found.setdefault(_key(value), value)
        return list(found.values())

    # --- what the probes call ----------------------------------------------------------------

    def _exceed(self, _: None) -> None:
        self.exceeded = True
        raise WorkExceeded("used up the work it was allowed")

    def _decided(self, index: int, value: Any) -> Any:
        """An operand of `and` or `or` whose truth decides, and whose value may be the result."""
        self._hits[index if value else index + 1] = 1
        return value

    def _last(self, index: int, value: Any) -> Any:
        """The last operand: its truth was not asked for, and asking may do anything unless its type is known."""
        kind = type(value)
        if kind in _PLAIN or kind in _CONTAINERS:
            self._hits[index if value else index + 1] = 1
        else:
            self._hits[index] = self._hits[index + 1] = 1
        return value

    def _note(self, line: int, value: Any) -> Any:
        """The left side of a comparison. Only its plain form is kept: no object lives longer because we saw it."""
        self._left[line] = _as_plain(value) if self._shown.get(line, 0) < _SHOWN_PER_LINE else _UNKNOWN
        return value

    def _pair(self, line: int, value: Any) -> Any:
        """The right side of a comparison, which may be the left side of the next in a chain."""
        left = self._left.get(line, _UNKNOWN)
        if left is not _UNKNOWN:
            right = self._left[line] = _as_plain(value)
            if right is not _UNKNOWN:
                self._shown[line] = self._shown.get(line, 0) + 1
                self._seen.append((line, left, right))
        return value


_UNKNOWN: Any = object()


def _key(value: Any) -> tuple[type, str]:
    """Tells values apart that are equal and yet not the same: 1, 1.0 and True."""
    return type(value), repr(value)


def _as_plain(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is bytes:
        return value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT]
    if kind in _PLAIN:
        return value
    if kind is re.Pattern:
        return value.pattern
    if kind in _SHOWN_AS_TUPLE:
        items = (item for item in itertools.islice(value, _ITEMS_KEPT) if type(item) in _PLAIN)
        # The order of a set is not the same in every process, and what is shown must be.
        return tuple(sorted(items, key=repr) if kind in (set, frozenset) else items)
    return _UNKNOWN
