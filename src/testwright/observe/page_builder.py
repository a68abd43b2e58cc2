"""Put a page together from its parts: elements, texts, shadow roots and frames, in document order."""

from testwright.model.accessibility.accessible_elements import elements_from
from testwright.model.accessibility.raw_element import RawElement
from testwright.model.dom import DomSnapshot, Frame

MOST_ELEMENTS = 50_000
MOST_DEPTH = 500
MOST_ATTRIBUTE = 1_000
MOST_TEXT_NODE = 2_000
MOST_FRAME_DEPTH = 20
# Inputs whose value says what they are; what others hold, people typed.
_VALUE_IS_KEPT = frozenset({"checkbox", "radio", "image", "submit", "button", "reset"})
_SILENT = frozenset({"script", "style", "noscript", "template", "textarea"})
_UNDRAWN = frozenset({"head", "script", "style", "noscript", "template", "datalist", "param", "source", "track"})


class PageBuilder:
    """Takes what a source tells, in document order, and gives the page. A part that is too much is left out."""

    def __init__(self) -> None:
        self.raws: list[RawElement] = []
        self.frames: list[Frame] = [Frame()]
        self.title = ""  # of the page's own document
        self.is_whole = True
        self._depths: list[int] = []

    def element(self, raw: RawElement) -> int | None:
        """Its number; None: the page has too many elements, or it is nested too deeply."""
        parent = raw.parent
        depth = 0 if parent is None else self._depths[parent] + 1
        if len(self.raws) >= MOST_ELEMENTS or depth > MOST_DEPTH:
            self.is_whole = False
            return None
        number = len(self.raws)
        self.raws.append(raw)
        self._depths.append(depth)
        if parent is not None and self.raws[parent].frame == raw.frame:
            above = self.raws[parent]
            if raw.in_shadow:
                self.shadow(parent)
            (above.shadow if raw.in_shadow and above.shadow is not None else above.contents).append(number)
        return number

    def element_without_layout(
        self, tag: str, attributes: dict[str, str], parent: int | None, frame: int, *, in_shadow: bool
    ) -> int | None:
        """The same for a source that tells no boxes: what can be seen is guessed from attributes."""
        above = self.raws[parent] if parent is not None and self.raws[parent].frame == frame else None
        is_hidden = _is_hidden_without_layout(tag, attributes, above)
        return self.element(
            RawElement(
                tag, parent, attributes, visible=not is_hidden, hidden=is_hidden, frame=frame, in_shadow=in_shadow
            )
        )

    def shadow(self, host: int) -> None:
        """The element has a shadow root, be it empty."""
        if self.raws[host].shadow is None:
            self.raws[host].shadow = []

    def text(self, parent: int, text: str, *, in_shadow: bool = False) -> None:
        above = self.raws[parent]
        if in_shadow and above.shadow is not None:
            above.shadow.append(text)
        elif above.tag not in _SILENT:
            above.contents.append(text)

    def text_node(self, parent: int | None, text: str, *, in_shadow: bool) -> None:
        """A text as a source has it, with all its white space."""
        folded = _folded_text_node(text)
        if parent is None or not folded:
            return
        raw = self.raws[parent]
        if raw.tag == "title" and raw.frame == 0 and not self.title and not in_shadow:
            self.title = folded.strip()
        self.text(parent, folded, in_shadow=in_shadow)

    def frame(self, url: str, iframe: int) -> int:
        """The number of a new frame below an iframe element."""
        self.frames.append(Frame(url=url[:MOST_TEXT_NODE], element=iframe))
        return len(self.frames) - 1

    def page(
        self,
        *,
        url: str,
        title: str,
        viewport: tuple[int, int] | None = None,
        is_loaded: bool = True,
        has_boxes: bool = False,
    ) -> DomSnapshot:
        """The page. One that is not whole counts as not loaded: what is looked for may be in the rest."""
        self.frames[0] = Frame(url=url)
        return DomSnapshot(
            elements=elements_from(self.raws),
            url=url,
            title=title,
            viewport=viewport,
            frames=tuple(self.frames),
            is_loaded=is_loaded and self.is_whole,
            has_boxes=has_boxes,
        )


def kept_attributes(tag: str, given: dict[str, str | None]) -> dict[str, str]:
    """What may be kept of an element's attributes: not what people typed, nor what pages hide in <meta>."""
    kept = {name: (value or "")[:MOST_ATTRIBUTE] for name, value in list(given.items())[:100]}
    if tag == "input" and kept.get("type", "").lower() not in _VALUE_IS_KEPT:
        kept.pop("value", None)
    if tag == "meta":
        kept.pop("content", None)
    return kept


def _folded_text_node(text: str) -> str:
    """A text node with each run of white space as one space; at the ends too, where it parts words."""
    if len(text) > 4 * MOST_TEXT_NODE:
        text = text[: 4 * MOST_TEXT_NODE]
    words = " ".join(text.split())[:MOST_TEXT_NODE]
    if not words:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"


def _is_hidden_without_layout(tag: str, attributes: dict[str, str], above: RawElement | None) -> bool:
    """Whether an element is hidden, as far as attributes tell: style sheets are not read."""
    if above is not None and (above.hidden or (_is_closed(above.tag, above.attributes) and tag != "summary")):
        return True
    style = attributes.get("style", "").lower().replace(" ", "")
    return (
        tag in _UNDRAWN
        or "hidden" in attributes
        or any(hiding in style for hiding in ("display:none", "visibility:hidden", "visibility:collapse"))
        or (tag == "input" and attributes.get("type", "").lower() == "hidden")
        or (tag == "dialog" and "open" not in attributes)
    )


def _is_closed(tag: str, attributes: dict[str, str]) -> bool:
    return tag == "details" and "open" not in attributes
