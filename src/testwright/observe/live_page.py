"""From what walk.js found in each frame to one page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from testwright.model.accessibility.raw_element import RawElement
from testwright.model.dom import Box, DomSnapshot
from testwright.model.errors import DomQueryFailed
from testwright.observe.inside.page_walk import walk_page
from testwright.observe.page_builder import MOST_FRAME_DEPTH, PageBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import ElementHandle, Page


# As in walk.js.
_VISIBLE, _HIDDEN, _INLINE, _IN_SHADOW, _SPACE_BEFORE = 1, 2, 4, 8, 16
_AN_ELEMENT = 5  # the length of its record; a text's is shorter


@dataclass(frozen=True, slots=True)
class WalkedPage:
    page: DomSnapshot
    targets: tuple[int, ...] = ()  # the elements that were to be pointed out


def snapshot_from_walk(records: Sequence[Mapping[str, Any]]) -> DomSnapshot:
    """The page that `walk_page` (observe/inside/page_walk.py) read."""
    return page_from_walk(records).page


def page_from_walk(records: Sequence[Mapping[str, Any]]) -> WalkedPage:
    """As `snapshot_from_walk`, and the targets. The first record is the page's own document."""
    try:
        return _Joining(records).joined()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DomQueryFailed(
            f"What was recorded of the page cannot be read: {error}.",
            next_step="Run the test again: it records the page once more.",
        ) from error


class _Joining:
    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        if not records:
            raise ValueError("no frame of it answered")
        self._walks = [json.loads(record["walk"]) for record in records]
        if any(walk["version"] != 1 for walk in self._walks):
            raise ValueError("it is of another version")
        self._below = _frames_below(records, self._walks)
        self._builder = PageBuilder()
        self._targets: list[int] = []

    def joined(self) -> WalkedPage:
        self._take(0, None, (0.0, 0.0), 0)
        main = self._walks[0]
        width, height = main["viewport"]
        page = self._builder.page(
            url=str(main["url"]),
            title=str(main["title"]),
            viewport=(int(width), int(height)),
            is_loaded=all(walk["is_loaded"] is True for walk in self._walks),
            has_boxes=True,
        )
        return WalkedPage(page, tuple(sorted(self._targets)))

    def _take(self, at: int, iframe: int | None, offset: tuple[float, float], depth: int) -> None:
        """Add one frame's elements, and those of the frames below it where their iframe is met."""
        walk, builder = self._walks[at], self._builder
        frame = 0 if iframe is None else builder.frame(str(walk["url"]), iframe)
        numbers: list[int | None] = []  # an element's place in the walk -> its number on the page
        targets = set(walk["targets"])
        for node in walk["nodes"]:
            parent = iframe if node[0] < 0 else numbers[node[0]]
            if len(node) < _AN_ELEMENT:
                _add_text(builder, parent, node)
                continue
            place = len(numbers)
            number = None if node[0] >= 0 and parent is None else self._add(node, parent, frame, offset)
            numbers.append(number)
            if number is None:
                continue
            if place in targets:
                self._targets.append(number)
            child = self._below.get((at, place))
            if child is not None and depth < MOST_FRAME_DEPTH:
                self._take(child, number, self._inside(node, child, offset), depth + 1)

    def _add(self, node: Sequence[Any], parent: int | None, frame: int, offset: tuple[float, float]) -> int | None:
        flags, attributes, (x, y, width, height) = node[2], node[3], node[4]
        if flags & _SPACE_BEFORE and parent is not None:
            self._builder.text(parent, " ", in_shadow=bool(flags & _IN_SHADOW))
        return self._builder.element(
            RawElement(
                node[1],
                parent,
                {str(name): str(value) for name, value in attributes.items()},
                box=Box(x + offset[0], y + offset[1], width, height),
                visible=bool(flags & _VISIBLE),
                hidden=bool(flags & _HIDDEN),
                inline=bool(flags & _INLINE),
                frame=frame,
                in_shadow=bool(flags & _IN_SHADOW),
            )
        )

    def _inside(self, iframe: Sequence[Any], child: int, offset: tuple[float, float]) -> tuple[float, float]:
        """What to add to a position in a frame's document for that on the page."""
        x, y, _, _ = iframe[4]
        left, top = iframe[5]
        scrolled_x, scrolled_y = self._walks[child]["scroll"]
        return offset[0] + x + left - scrolled_x, offset[1] + y + top - scrolled_y


def _add_text(builder: PageBuilder, parent: int | None, node: Sequence[Any]) -> None:
    if parent is None:
        return
    if node[2]:
        builder.shadow(parent)
    if node[1]:
        builder.text(parent, str(node[1]), in_shadow=bool(node[2]))


def _frames_below(records: Sequence[Mapping[str, Any]], walks: Sequence[Any]) -> dict[tuple[int, int], int]:
    """By parent frame and the place of the iframe in its walk: which record is the frame inside."""
    found: dict[tuple[int, int], int] = {}
    for number, record in enumerate(records):
        parent, element = record.get("parent"), record.get("element")
        if isinstance(parent, int) and isinstance(element, int) and 0 <= parent < number and element >= 0:
            place = walks[parent]["frames"][element]
            if place >= 0:
                found[parent, place] = number
    return found


# --- A page of a running browser as it is now -----------------------------------------------------------------------

MOST_SECONDS = 10.0


def snapshot_page(page: "Page", *, seconds: float = MOST_SECONDS) -> DomSnapshot:
    return walked_page(page, seconds=seconds).page


def walked_page(page: "Page", targets: "Sequence[ElementHandle]" = (), *, seconds: float = MOST_SECONDS) -> WalkedPage:
    """The page, and the numbers that the given elements have on it."""
    return page_from_walk(walk_page(page, targets, seconds))
