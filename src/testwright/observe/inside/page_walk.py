"""Read a page of the project's own Playwright (its sync API), with walk.js. Loaded by its path."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WALK_PATH = Path(__file__).resolve().parent.parent / "walk.js"
MOST_FRAMES = 50
MOST_SECONDS = 1.0  # for the whole page: a failing test should not wait for us

_walk_source: list[str] = []


def walk_source() -> str:
    """The text of walk.js: one function expression, without the comment above it."""
    if not _walk_source:
        lines = WALK_PATH.read_text(encoding="utf-8").splitlines()
        _walk_source.append("\n".join(line for line in lines if not line.startswith("//")))
    return _walk_source[0]


def walk_page(page: Any, targets: Sequence[Any] = (), seconds: float = MOST_SECONDS) -> list[dict[str, Any]]:
    """Every frame of the page that answers in time, parents before children.

    `targets` are element handles to be pointed out. Each record is {"url", "parent": the position of the parent frame's
    record or None, "element": the place of its iframe in the `frames` of the parent's walk or None, "walk": JSON text}.
    """
    until = time.monotonic() + seconds
    frames = list(page.frames)[:MOST_FRAMES]
    marked = _by_frame(targets)
    records: list[dict[str, Any]] = []
    places: dict[int, int] = {}  # id of a frame -> the position of its record
    iframes: dict[int, tuple[Any, int]] = {}  # id of a frame -> its parent and its place among the parent's iframes
    for frame in frames:
        remaining = until - time.monotonic()
        if remaining <= 0:
            break
        children, elements = _child_frames(frame, until)
        walk = _walk_frame(frame, {"frames": elements, "targets": marked.get(id(frame), [])}, remaining)
        if walk is None:
            continue
        parent, place = iframes.get(id(frame), (None, -1))
        above = places.get(id(parent)) if parent is not None else None
        places[id(frame)] = len(records)
        records.append(
            {
                "url": str(frame.url)[:2000],
                "parent": above,
                "element": place if above is not None else None,
                "walk": walk,
            }
        )
        for number, child in enumerate(children):
            iframes[id(child)] = (frame, number)
    return records


def is_loaded(page: Any) -> bool:
    try:
        state = page.wait_for_function("() => document.readyState", timeout=int(MOST_SECONDS * 1000))
        return bool(state.json_value() == "complete")
    except Exception:  # noqa: BLE001 - a page that is gone or on its way elsewhere raises errors of every kind
        return False


def _by_frame(targets: Sequence[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for target in targets:
        frame = _answer(target.owner_frame)
        if frame is not None:
            found.setdefault(id(frame), []).append(target)
    return found


def _child_frames(frame: Any, until: float) -> tuple[list[Any], list[Any]]:
    """The child frames whose iframe elements can be had, and those elements."""
    children, elements = [], []
    for child in list(frame.child_frames)[:MOST_FRAMES]:
        if time.monotonic() > until:
            break
        element = _answer(child.frame_element)
        if element is not None:
            children.append(child)
            elements.append(element)
    return children, elements


def _walk_frame(frame: Any, marks: dict[str, Any], seconds: float) -> str | None:
    """None: the frame is gone, or does not answer. `evaluate` has no timeout: a stuck page would keep us waiting."""
    try:
        answer = frame.wait_for_function(walk_source(), arg=marks, timeout=max(1, int(seconds * 1000))).json_value()
    except Exception:  # noqa: BLE001 - of whatever version of Playwright the project has
        return None
    return answer if isinstance(answer, str) else None


def _answer(ask: Any) -> Any:
    """What a part of the page answers; None when it was taken out meanwhile."""
    try:
        return ask()
    except Exception:  # noqa: BLE001 - of whatever version of Playwright the project has
        return None
