"""A page as bytes: small, the same for the same page, and without what a user typed into a password field."""

import zlib
from collections.abc import Mapping

import msgspec

from testwright.model.dom import Box, DomSnapshot, Element, Frame

_FORMAT = 1


class _Element(msgspec.Struct, array_like=True, frozen=True):
    """An element without its number, which is its place in the list."""

    parent: int | None
    tag: str
    attributes: dict[str, str]
    own_text: str
    text: str
    role: str
    name: str
    label: str
    box: tuple[float, float, float, float] | None
    visible: bool
    enabled: bool
    frame: int
    in_shadow: bool
    exposed: bool = True


class _Page(msgspec.Struct, frozen=True):
    format: int
    url: str
    title: str
    viewport: tuple[int, int] | None
    frames: list[tuple[str, int | None]]
    is_loaded: bool
    has_boxes: bool
    elements: list[_Element]


def encoded(page: DomSnapshot) -> bytes:
    elements = [
        _Element(
            element.parent,
            element.tag,
            _without_secrets(element),
            element.own_text,
            element.text,
            element.role,
            element.name,
            element.label,
            None if element.box is None else (element.box.x, element.box.y, element.box.width, element.box.height),
            element.visible,
            element.enabled,
            element.frame,
            element.in_shadow,
            element.exposed,
        )
        for element in page.elements
    ]
    frames = [(frame.url, frame.element) for frame in page.frames]
    kept = _Page(_FORMAT, page.url, page.title, page.viewport, frames, page.is_loaded, page.has_boxes, elements)
    return zlib.compress(msgspec.json.encode(kept))


def decoded(data: bytes) -> DomSnapshot | None:
    """None: it was written in another format, and says nothing to us."""
    try:
        page = msgspec.json.decode(zlib.decompress(data), type=_Page)
    except (zlib.error, msgspec.DecodeError):
        return None
    if page.format != _FORMAT:
        return None
    elements = tuple(
        Element(
            number,
            element.parent,
            element.tag,
            element.attributes,
            element.own_text,
            element.text,
            element.role,
            element.name,
            element.label,
            None if element.box is None else Box(*element.box),
            element.visible,
            element.enabled,
            element.frame,
            element.in_shadow,
            element.exposed,
        )
        for number, element in enumerate(page.elements)
    )
    frames = tuple(Frame(url, element) for url, element in page.frames)
    return DomSnapshot(elements, page.url, page.title, page.viewport, frames, page.is_loaded, page.has_boxes)


def _without_secrets(element: Element) -> dict[str, str]:
    is_secret = element.tag == "input" and element.get("type").lower() == "password"
    kept: Mapping[str, str] = element.attributes
    if is_secret:
        kept = {name: value for name, value in kept.items() if "value" not in name}
    # Half a surrogate pair cannot be spelled in JSON, and says nothing.
    return {_clean(name): _clean(value) for name, value in kept.items()}


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
