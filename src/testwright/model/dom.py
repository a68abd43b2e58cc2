"""A page as it was at one moment: its elements, and what is remembered of one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Box:
    """Where an element is drawn, in CSS pixels from the page's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        return self.width * self.height


@dataclass(frozen=True, slots=True)
class Element:
    """One element. A shadow root's children hang below their host, a frame's root below its iframe."""

    number: int  # its position in the snapshot: document order
    parent: int | None
    tag: str  # lower case
    attributes: Mapping[str, str] = field(default_factory=dict)
    own_text: str = ""  # of its own text nodes, white space folded
    text: str = ""  # what a reader sees of it and all below it, white space folded, at most MOST_TEXT characters
    role: str = ""  # its ARIA role, given or implied; empty: none
    name: str = ""  # its accessible name
    label: str = ""  # the text of its <label>s
    box: Box | None = None  # None: not known
    visible: bool = True
    enabled: bool = True
    frame: int = 0  # its frame's position in the snapshot's `frames`
    in_shadow: bool = False  # its parent is a shadow host
    exposed: bool = True  # there for assistive technology: `getByRole` passes over all others

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute, "")


MOST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Frame:
    """A document of the page. The first one is the page itself."""

    url: str = ""
    element: int | None = None  # the number of its iframe element; None: the page itself, or not known


@dataclass(frozen=True)
class DomSnapshot:
    """Every element of a page and its frames, in document order: `elements[n].number == n`."""

    elements: tuple[Element, ...]
    url: str = ""
    title: str = ""
    viewport: tuple[int, int] | None = None
    frames: tuple[Frame, ...] = (Frame(),)
    is_loaded: bool = True  # False: the page was still being loaded, and an element may yet come
    has_boxes: bool = True  # False: nothing is known of the layout (a file, a trace)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        below: list[list[int]] = [[] for _ in self.elements]
        for element in self.elements:
            if element.parent is not None:
                below[element.parent].append(element.number)
        return tuple(tuple(numbers) for numbers in below)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The absolute XPath of each element within its own document, a position at every step."""
        made: list[str] = []
        seen: list[dict[str, int]] = [{} for _ in self.elements]
        top: dict[str, int] = {}
        for element in self.elements:
            counts = top if element.parent is None else seen[element.parent]
            counts[element.tag] = counts.get(element.tag, 0) + 1
            above = "" if element.parent is None else made[element.parent]
            made.append(f"{above}/{element.tag}[{counts[element.tag]}]")
        return tuple(made)

    def ancestors(self, number: int) -> list[int]:
        """From the parent up."""
        found = []
        at = self.elements[number].parent
        while at is not None:
            found.append(at)
            at = self.elements[at].parent
        return found


def with_changed_texts(
    page: DomSnapshot,
    text: Callable[[str], str],
    *,
    url: Callable[[str], str] | None = None,
    attribute: Callable[[Element, str, str], str] | None = None,
) -> DomSnapshot:
    """The page with `text` applied to every text in it; `url` and `attribute`, where given, to those instead."""
    address = url or text

    def changed(element: Element) -> Element:
        given = element.attributes.items()
        return replace(
            element,
            attributes={name: attribute(element, name, value) if attribute else text(value) for name, value in given},
            own_text=text(element.own_text),
            text=text(element.text),
            name=text(element.name),
            label=text(element.label),
        )

    return replace(
        page,
        elements=tuple(changed(element) for element in page.elements),
        url=address(page.url),
        title=text(page.title),
        frames=tuple(replace(frame, url=address(frame.url)) for frame in page.frames),
    )


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """An element as it was last seen on a passing run, and what told it apart there."""

    element: Element
    path: str  # as in DomSnapshot.paths
    container: str = ""  # what names the nearest landmark, form, row or section around it
    neighbours: str = ""  # the words near it
    # How many elements of its page had the same value, by the key's name (text, href, id, ...): 1 told it apart.
    shared_by: Mapping[str, int] = field(default_factory=dict)
    page: DomSnapshot | None = None  # the page it was on, where that was kept
    url: str = ""
    title: str = ""
