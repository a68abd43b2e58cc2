"""What is asked of a page again and again, worked out once: where subtrees end, who has which tag, id or role."""

import weakref
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar, cast

from testwright.model.dom import MOST_TEXT, DomSnapshot, Element

# --- The text of every element as Playwright's text selectors see it: hidden text counts, scripts a -----------------


_SKIPPED = frozenset({"script", "style", "noscript", "head", "template"})
_BUTTON_TYPES = frozenset({"submit", "button", "reset"})
_LONGEST = 20_000


def page_texts(elements: Sequence[Element], children: Sequence[Sequence[int]]) -> list[str]:
    texts = [""] * len(elements)
    has_more = [False] * len(elements)  # than a reader sees
    in_head, slotted = _in_head(elements), _around_slots(elements)
    for element in reversed(elements):
        number = element.number
        if element.tag in _SKIPPED or in_head[number]:
            continue
        if element.tag == "input":
            texts[number] = element.get("value") if element.get("type").lower() in _BUTTON_TYPES else ""
            continue
        below = [child for child in children[number] if texts[child] and elements[child].frame == element.frame]
        seen = "" if slotted[number] else element.text
        if not seen or len(seen) >= MOST_TEXT:
            composed = " ".join(piece for piece in [element.own_text, *(texts[child] for child in below)] if piece)
            texts[number] = composed[:_LONGEST] if len(composed) >= len(seen) else seen
            has_more[number] = True
        else:
            more = [texts[child] for child in below if has_more[child] or not elements[child].visible]
            more = [text for text in more if text not in seen]
            texts[number] = " ".join([seen, *more])
            has_more[number] = bool(more)
    return texts


def _around_slots(elements: Sequence[Element]) -> list[bool]:
    """Slots, and what is around them up to the host: readers see there what stands elsewhere in the document."""
    found = [element.tag == "slot" for element in elements]
    for element in reversed(elements):
        if found[element.number] and element.parent is not None and not _is_host(element, elements):
            found[element.parent] = True
    return found


def _is_host(element: Element, elements: Sequence[Element]) -> bool:
    following = element.number + 1  # a shadow root's elements come first
    if following >= len(elements):
        return False
    return elements[following].parent == element.number and elements[following].in_shadow


def _in_head(elements: Sequence[Element]) -> list[bool]:
    found = [False] * len(elements)
    for element in elements:
        if element.parent is not None:
            found[element.number] = found[element.parent] or elements[element.parent].tag == "head"
    return found


T = TypeVar("T")


def document(frame: int) -> int:
    """A frame's document, as a number that no element has: what is searched may be an element or a whole document."""
    return -frame - 1


class FrameIndex:
    """The elements of one frame, by what selectors name. Every list is in document order."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self.all: list[int] = []
        self.by_tag: dict[str, list[int]] = {}
        self.by_class: dict[str, list[int]] = {}
        self.by_attribute: dict[str, list[int]] = {}
        self.by_id: dict[str, list[int]] = {}
        self.by_role: dict[str, list[int]] = {}
        for element in elements:
            self._add(element)

    def _add(self, element: Element) -> None:
        number = element.number
        self.all.append(number)
        self.by_tag.setdefault(element.tag, []).append(number)
        if element.role:
            self.by_role.setdefault(element.role, []).append(number)
        for name, value in element.attributes.items():
            self.by_attribute.setdefault(name, []).append(number)
            if name == "id":
                self.by_id.setdefault(value, []).append(number)
            elif name == "class":
                for word in set(value.split()):
                    self.by_class.setdefault(word, []).append(number)


class PageIndex:
    def __init__(self, page: DomSnapshot) -> None:
        self.elements = page.elements
        self.children = page.children
        self.parents = [self._parent_in_frame(element) for element in page.elements]
        self.labels: dict[int, dict[int, list[str]]] = {}  # of each frame that was asked about
        self._kept: dict[type, object] = {}

    def kept(self, make: Callable[["PageIndex"], T]) -> T:
        """What another module makes of the page, made once."""
        assert isinstance(make, type)
        if make not in self._kept:
            self._kept[make] = make(self)
        return cast("T", self._kept[make])

    def _parent_in_frame(self, element: Element) -> int | None:
        above = element.parent
        return above if above is not None and self.elements[above].frame == element.frame else None

    @cached_property
    def frames(self) -> dict[int, FrameIndex]:
        by_frame: dict[int, list[Element]] = {}
        for element in self.elements:
            by_frame.setdefault(element.frame, []).append(element)
        return {frame: FrameIndex(elements) for frame, elements in by_frame.items()}

    @cached_property
    def ends(self) -> list[int]:
        """One beyond the last element of each subtree."""
        ends = [number + 1 for number in range(len(self.elements))]
        for element in reversed(self.elements):
            if element.parent is not None and ends[element.parent] < ends[element.number]:
                ends[element.parent] = ends[element.number]
        return ends

    @cached_property
    def texts(self) -> list[str]:
        return page_texts(self.elements, self.children)

    @cached_property
    def lower_texts(self) -> list[str]:
        return [text.lower() for text in self.texts]

    @cached_property
    def siblings(self) -> list[tuple[int, ...]]:
        """For each element, itself and its siblings: a shadow root's children are apart from those in the light."""
        return self._siblings_and_places[0]

    @cached_property
    def places(self) -> list[int]:
        """Each element's position among its siblings, from 0."""
        return self._siblings_and_places[1]

    @cached_property
    def _siblings_and_places(self) -> tuple[list[tuple[int, ...]], list[int]]:
        siblings: list[tuple[int, ...]] = [()] * len(self.elements)
        places = [0] * len(self.elements)
        for element in self.elements:
            if not siblings[element.number]:
                together = self._together(element)
                for place, number in enumerate(together):
                    siblings[number] = together
                    places[number] = place
        return siblings, places

    def _together(self, element: Element) -> tuple[int, ...]:
        above = self.parents[element.number]
        if above is None:
            return (element.number,)
        return tuple(
            number
            for number in self.children[above]
            if self.elements[number].in_shadow == element.in_shadow and self.elements[number].frame == element.frame
        )

    def frame_of(self, scope: int) -> int:
        return -scope - 1 if scope < 0 else self.elements[scope].frame

    def frame(self, scope: int) -> FrameIndex:
        return self.frames.get(self.frame_of(scope), _EMPTY)

    def within(self, numbers: list[int], scope: int) -> list[int]:
        """Those of a frame's sorted numbers that are below the scope, which is an element or a document."""
        if scope < 0:
            return numbers
        return numbers[bisect_left(numbers, scope + 1) : bisect_left(numbers, self.ends[scope])]

    def is_root(self, number: int) -> bool:
        return self.parents[number] is None

    def content_of(self, frame_element: int) -> int | None:
        """The document inside an iframe."""
        of = self.elements[frame_element].frame
        for number in self.children[frame_element]:
            if self.elements[number].frame != of:
                return document(self.elements[number].frame)
        return None

    @cached_property
    def _tree_ranks(self) -> list[int]:
        """Playwright searches a tree in the light to its end before it looks into the shadow roots it met there."""
        seen: set[int] = set()
        hosts: dict[int, list[int]] = {}  # the shadow hosts of each tree, which is known by its host or document
        tree_of: list[int] = []
        for element in self.elements:
            above = self.parents[element.number]
            tree_of.append(document(element.frame) if above is None else above if element.in_shadow else tree_of[above])
            if element.in_shadow and above is not None and above not in seen:
                seen.add(above)
                hosts.setdefault(tree_of[above], []).append(above)
        ranks: dict[int, int] = {}
        waiting = sorted({tree for tree in tree_of if tree < 0})
        while waiting:
            tree = waiting.pop()
            ranks[tree] = len(ranks)
            waiting += reversed(hosts.get(tree, []))
        return [ranks[tree] for tree in tree_of]

    def in_search_order(self, numbers: list[int]) -> list[int]:
        """Sorted numbers in the order in which Playwright finds them, which is what `nth` counts."""
        if not self._has_shadows:
            return numbers
        return sorted(numbers, key=lambda number: (self._tree_ranks[number], number))

    @cached_property
    def _has_shadows(self) -> bool:
        return any(element.in_shadow for element in self.elements)


_EMPTY = FrameIndex(())
_indexes: dict[int, PageIndex] = {}


def index_of(page: DomSnapshot) -> PageIndex:
    """The page's index, made when it is first asked for and kept as long as the page is."""
    key = id(page)
    if key not in _indexes:
        _indexes[key] = PageIndex(page)
        weakref.finalize(page, _indexes.pop, key, None)
    return _indexes[key]
