"""Pages out of the snapshots of a trace. A snapshot tells only what changed, and points back at earlier ones."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from testwright.model.dom import Box, DomSnapshot
from testwright.observe.page_builder import MOST_ELEMENTS, MOST_FRAME_DEPTH, PageBuilder, kept_attributes

_MOST_STEPS = 10 * MOST_ELEMENTS  # texts and references too: a small trace may point at one text very often
_MOST_KEPT = 64  # parsed snapshots
_SHADOW_ROOT = "__playwright_shadow_root_"
_TARGET = "__playwright_target__"
_FRAME_LINK = "/snapshot/"


@dataclass(frozen=True, slots=True)
class FrameSnapshot:
    """One document at one moment. Its text is kept as it came: few are ever looked at."""

    frame: str  # the frame's id
    index: int  # its place among the frame's snapshots
    url: str
    is_main: bool
    page: str  # the page's id
    viewport: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TracedPage:
    page: DomSnapshot
    targets: tuple[int, ...]  # the elements that the call was about


class SnapshotShelf:
    """The snapshots of all frames of a trace, in the order they were taken."""

    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}
        self._parsed: dict[tuple[str, int], tuple[Any, list[Any]]] = {}

    def add(self, snapshot: dict[str, Any], line: bytes) -> FrameSnapshot:
        frame = str(snapshot.get("frameId", ""))
        lines = self._lines.setdefault(frame, [])
        lines.append(line)
        viewport = snapshot.get("viewport")
        return FrameSnapshot(
            frame=frame,
            index=len(lines) - 1,
            url=str(snapshot.get("frameUrl", ""))[:2000],
            is_main=snapshot.get("isMainFrame") is True,
            page=str(snapshot.get("pageId", "")),
            viewport=_viewport(viewport) if isinstance(viewport, dict) else None,
        )

    def html(self, frame: str, index: int) -> tuple[Any, list[Any]]:
        """A snapshot's root, and its nodes by the numbers that later snapshots use for them."""
        key = (frame, index)
        found = self._parsed.get(key)
        if found is None:
            root = json.loads(self._lines[frame][index])["snapshot"].get("html")
            found = root, _numbered(root)
            if len(self._parsed) >= _MOST_KEPT:
                self._parsed.pop(next(iter(self._parsed)))
            self._parsed[key] = found
        return found


def page_from(
    shelf: SnapshotShelf, main: FrameSnapshot, others: Sequence[FrameSnapshot], target_box: Box | None = None
) -> TracedPage:
    """The page of one moment: its main frame, and the other frames below their iframes."""
    reading = _Reading(shelf, others, target_box)
    reading.document(main, None, 0)
    page = reading.builder.page(url=main.url, title=reading.builder.title, viewport=main.viewport)
    return TracedPage(page, tuple(reading.targets))


class _Reading:
    def __init__(self, shelf: SnapshotShelf, others: Sequence[FrameSnapshot], target_box: Box | None) -> None:
        self.builder = PageBuilder()
        self.targets: list[int] = []
        self._shelf = shelf
        self._waiting = {snapshot.frame: snapshot for snapshot in others}
        self._steps = _MOST_STEPS
        self._target_box = target_box
        self._scroll = (0.0, 0.0)

    def document(self, snapshot: FrameSnapshot, iframe: int | None, depth: int) -> None:
        """Without recursion below a document: what is nested or points in circles must not end us."""
        frame = 0 if iframe is None else self.builder.frame(snapshot.url, iframe)
        root, _ = self._shelf.html(snapshot.frame, snapshot.index)
        stack: list[tuple[Any, int, int | None, bool]] = [(root, snapshot.index, iframe, False)]
        while stack:
            self._steps -= 1
            if self._steps < 0:
                self.builder.is_whole = False
                return
            node, index, parent, in_shadow = stack.pop()
            node, index = self._resolved(node, snapshot.frame, index)
            if isinstance(node, str):
                self.builder.text_node(parent, node, in_shadow=in_shadow)
            elif _is_element(node):
                number = self._element(node, parent, frame, in_shadow)
                if number is not None:
                    stack += self._inside(node, index, number, snapshot.frame)
                    self._enter_frame(node, number, depth)

    def _resolved(self, node: Any, frame: str, index: int) -> tuple[Any, int]:
        """What a reference points at, and the snapshot that this is in."""
        if not (isinstance(node, list) and len(node) == 1 and isinstance(node[0], list) and len(node[0]) == 2):
            return node, index
        back, number = node[0]
        if not isinstance(back, int) or not isinstance(number, int) or not 0 <= back <= index or number < 0:
            return None, index
        _, nodes = self._shelf.html(frame, index - back)
        return (nodes[number], index - back) if number < len(nodes) else (None, index)

    def _inside(self, node: list[Any], index: int, number: int, frame: str) -> list[tuple[Any, int, int | None, bool]]:
        """What is below an element, the first one last, and a shadow root before all else."""
        tag = str(node[0]).lower()
        light: list[tuple[Any, int, int | None, bool]] = []
        shadow: list[tuple[Any, int, int | None, bool]] = []
        for position, child in enumerate(node[2:]):
            found, at = self._resolved(child, frame, index)
            if _is_element(found) and _SHADOW_ROOT in _attributes(found):
                self.builder.shadow(number)
                shadow += [(one, at, number, True) for one in found[2:]]
            elif not (tag == "head" and position == 0 and _is_element(found) and str(found[0]).lower() == "base"):
                light.append((found, at, number, False))  # but for the <base> that Playwright adds
        return [*reversed(light), *reversed(shadow)]

    def _element(self, node: list[Any], parent: int | None, frame: int, in_shadow: bool) -> int | None:
        tag, given = str(node[0]).lower(), _attributes(node)
        own = {str(name): str(value) for name, value in given.items() if not str(name).startswith("__playwright_")}
        if tag in ("iframe", "frame"):
            own.pop("src", None)  # not the page's own: it says where the frame is in the trace
        attributes = kept_attributes(tag, dict(own))
        if tag == "html" and frame == 0:
            self._scroll = (
                _number(given.get("__playwright_scroll_left_")),
                _number(given.get("__playwright_scroll_top_")),
            )
        number = self.builder.element_without_layout(tag, attributes, parent, frame, in_shadow=in_shadow)
        if number is not None and _TARGET in given:
            self._point_out(number)
        return number

    def _point_out(self, number: int) -> None:
        self.targets.append(number)
        box = self._target_box
        if box is not None:
            self.builder.raws[number].box = Box(box.x + self._scroll[0], box.y + self._scroll[1], box.width, box.height)

    def _enter_frame(self, node: list[Any], number: int, depth: int) -> None:
        if str(node[0]).lower() not in ("iframe", "frame") or depth >= MOST_FRAME_DEPTH:
            return
        given = _attributes(node)
        link = str(given.get("src") or given.get("__playwright_src__") or "")
        inside = None
        if _FRAME_LINK in link:
            inside = self._waiting.pop(link.rpartition(_FRAME_LINK)[2].partition("?")[0], None)
        elif not link and self._waiting:
            # Taken before the trace knew which frame is inside: they come in the order of the page.
            inside = self._waiting.pop(next(iter(self._waiting)))
        if inside is not None:
            self.document(inside, number, depth + 1)


def _is_element(node: Any) -> bool:
    return isinstance(node, list) and bool(node) and isinstance(node[0], str)


def _attributes(node: list[Any]) -> dict[Any, Any]:
    return node[1] if len(node) > 1 and isinstance(node[1], dict) else {}


def _numbered(root: Any) -> list[Any]:
    """Texts and elements in the order in which they end; references have no numbers."""
    nodes: list[Any] = []
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, is_done = stack.pop()
        if isinstance(node, str) or is_done:
            nodes.append(node)
        elif _is_element(node):
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node[2:])]
    return nodes


def _number(text: object) -> float:
    try:
        return float(str(text)) if text is not None else 0.0
    except ValueError:
        return 0.0


def _viewport(given: dict[str, Any]) -> tuple[int, int] | None:
    width, height = given.get("width"), given.get("height")
    if isinstance(width, int | float) and isinstance(height, int | float):
        return int(width), int(height)
    return None
