"""Read source maps: from a place in a script to the place in the source it was made from."""

import base64
import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import unquote_to_bytes

from testwright.model.session import SourceSpot

MOST_MAPPINGS = 8 * 1024 * 1024  # characters; the bundles of large applications have one or two million
_FIELDS = 5  # of a segment: column, source, line, column there, name; -1 where there is none
_DIGITS = {digit: at for at, digit in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_SEMICOLON = ord(";")
_ENDS = frozenset(b",;")


class BadMap(ValueError):
    """This is not a source map, or a torn one."""


@dataclass(frozen=True, slots=True)
class SourceMap:
    """One map; places given and answered count from 1."""

    sources: Sequence[str]
    names: Sequence[str]
    lines: Sequence["array[int]"]  # for each line of the script: its segments, one after another
    root: str = ""

    def spot(self, line: int, column: int) -> SourceSpot | None:
        if not 0 < line <= len(self.lines):
            return None
        segments = self.lines[line - 1]
        at = bisect_right(segments[::_FIELDS], column - 1) - 1
        if at < 0:
            return None
        _, source, source_line, source_column, name = segments[at * _FIELDS : (at + 1) * _FIELDS]
        if not 0 <= source < len(self.sources):
            return None
        called = self.names[name] if 0 <= name < len(self.names) else ""
        return SourceSpot(self.root + self.sources[source], source_line + 1, source_column + 1, called)


@dataclass(frozen=True, slots=True)
class IndexMap:
    """A map made of maps: each holds from where it begins to where the next one does."""

    sections: Sequence[tuple[int, int, "SourceMap | IndexMap"]] = field(default_factory=tuple)

    def spot(self, line: int, column: int) -> SourceSpot | None:
        starts = [(first_line, first_column) for first_line, first_column, _ in self.sections]
        at = bisect_right(starts, (line - 1, column - 1)) - 1
        if at < 0:
            return None
        first_line, first_column, inner = self.sections[at]
        own_line = line - first_line
        return inner.spot(own_line, column - first_column if own_line == 1 else column)


def parsed_map(text: str) -> SourceMap | IndexMap:
    """The map that `text` is; raises BadMap."""
    try:
        # Servers may put `)]}'` before it, so it is not taken for a script.
        raw = json.loads(text[text.index("\n") :] if text.startswith(")]}") else text)
        return _from_json(raw, depth=0)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise BadMap(str(error)) from error


def address_in(script: str) -> str:
    """The address of its map that a script names in its last lines; empty if it names none."""
    tail = script[-_tail_of(script) :]
    at = max(tail.rfind("//# sourceMappingURL="), tail.rfind("//@ sourceMappingURL="))
    if at < 0:
        at = tail.rfind("/*# sourceMappingURL=")
    if at < 0:
        return ""
    words = tail[at:].partition("=")[2].split(maxsplit=1)
    return words[0].removesuffix("*/") if words else ""


def data_in(address: str) -> str | None:
    """The text that a data: address holds."""
    if not address.startswith("data:"):
        return None
    head, _, data = address.partition(",")
    try:
        raw = base64.b64decode(unquote_to_bytes(data)) if head.endswith(";base64") else unquote_to_bytes(data)
        return raw.decode("utf-8")
    except ValueError:
        return None


def _tail_of(script: str) -> int:
    """How much of the end to look at: maps within scripts are long."""
    inline = script.rfind("sourceMappingURL=data:")
    return len(script) - inline + 10 if inline >= 0 else 5_000


def _from_json(raw: Any, depth: int) -> SourceMap | IndexMap:
    if depth > 2:  # sections of sections of sections: no tool writes that
        raise BadMap("sections are nested too deeply")
    if "sections" in raw:
        sections = [
            (int(one["offset"]["line"]), int(one["offset"]["column"]), _from_json(one["map"], depth + 1))
            for one in raw["sections"]
            if "map" in one
        ]
        return IndexMap(sorted(sections, key=lambda one: one[:2]))
    root = raw.get("sourceRoot") or ""
    return SourceMap(
        sources=[str(source or "") for source in raw["sources"]],
        names=[str(name) for name in raw.get("names") or ()],
        lines=_decoded(raw["mappings"]),
        root=f"{root.rstrip('/')}/" if root else "",
    )


def _decoded(mappings: str) -> list["array[int]"]:
    """Base 64 VLQ: numbers as differences to the last one of their kind; columns begin again in each line."""
    if len(mappings) > MOST_MAPPINGS:
        raise BadMap(f"{len(mappings)} characters of mappings")
    lines = [array("i")]
    last = [0] * _FIELDS
    numbers: list[int] = []
    value = shift = 0
    for digit in (mappings + ";").encode("ascii"):
        if digit in _ENDS:
            if numbers:
                lines[-1].extend(_segment(numbers, last))
                numbers = []
            if digit == _SEMICOLON:
                lines.append(array("i"))
                last[0] = 0
            continue
        bits = _DIGITS[digit]
        value += (bits & 31) << shift
        if bits & 32:
            shift += 5
            if shift > 60:
                raise BadMap("a number without an end")
        else:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    for at, line in enumerate(lines):
        if any(one > other for one, other in pairwise(line[::_FIELDS])):
            lines[at] = _sorted(line)
    return lines


def _segment(numbers: list[int], last: list[int]) -> tuple[int, int, int, int, int]:
    for at, difference in enumerate(numbers[:_FIELDS]):
        last[at] += difference
    if len(numbers) < 4:
        return last[0], -1, 0, 0, -1
    return last[0], last[1], last[2], last[3], last[4] if len(numbers) >= _FIELDS else -1


def _sorted(line: "array[int]") -> "array[int]":
    segments = sorted(tuple(line[at : at + _FIELDS]) for at in range(0, len(line), _FIELDS))
    return array("i", (number for segment in segments for number in segment))
