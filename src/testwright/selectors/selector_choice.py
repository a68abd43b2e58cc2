"""The best new selector for an element, in the manner of the one it replaces."""

from collections.abc import Iterator, Sequence

from testwright.model.dom import DomSnapshot, Element
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect, Selector, SelectorEngine, SelectorPart
from testwright.selectors.page_index import PageIndex, index_of
from testwright.selectors.selector_candidates import (
    SelectorStyle,
    by_id,
    by_test_id,
    css,
    finder_candidates,
    quoted,
    selector_candidates,
    tag_of,
)
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED, matching
from testwright.selectors.spelling import internal, spelled
from testwright.selectors.stability import looks_generated, looks_volatile

_NARROWS = frozenset({
    SelectorEngine.NTH, SelectorEngine.VISIBLE, SelectorEngine.HAS, SelectorEngine.HAS_NOT,
    SelectorEngine.HAS_TEXT, SelectorEngine.HAS_NOT_TEXT, SelectorEngine.AND, SelectorEngine.OR,
    SelectorEngine.FRAME,
})  # fmt: skip
_GROUPS = frozenset({"row", "listitem", "article", "region", "dialog", "form", "group"})
_LANDMARKS = frozenset({"banner", "navigation", "main", "contentinfo", "complementary", "search", "dialog"})
_LANDMARK_TAGS = frozenset({"header", "nav", "main", "footer", "aside", "dialog", "form"})
_MOST_ANCHORS = 8  # ancestors that may say where the element is


def choose_selector(
    page: DomSnapshot,
    number: int,
    *,
    like: Selector,
    test_id_attributes: Sequence[str] = (DEFAULT_TEST_ID_ATTRIBUTE,),
    string_only: bool | None = None,
) -> Selector | None:
    """A selector that finds exactly this element and no other; None: there is none that we would write.

    It is the whole selector: outer parts of `like` that still hold are kept. `string_only` asks for one that fits
    into one string literal; None leaves it to `like`: a plain string is replaced by a plain string.
    """
    if like.dialect is Dialect.FLUTTER:
        return _finder(page, number, like)
    if string_only is None:
        string_only = like.dialect is Dialect.INTERNAL and "internal:" not in like.text
    choice = _Choice(page, number, like, SelectorStyle(test_id_attributes, string_only))
    return next(choice.selectors(), None)


class _Choice:
    def __init__(self, page: DomSnapshot, number: int, like: Selector, manner: SelectorStyle) -> None:
        self.page = page
        self.number = number
        self.like = like
        self.manner = manner
        self.index: PageIndex = index_of(page)

    def selectors(self) -> Iterator[Selector]:
        """All there are, the best first."""
        outer = list(self._kept_outer_parts())
        way_in = self._way_into_frame()
        if way_in is not None and not (way_in and self.manner.as_string):
            outer.append(way_in)
            outer += ((*way_in, *anchor) for anchor in self._anchors(way_in))
        for tails in selector_candidates(self.index, self.number, self.manner):
            for parts in outer:
                yield from self._unique(parts, tails)

    def _unique(self, outer: tuple[SelectorPart, ...], tails: Sequence[SelectorPart]) -> Iterator[Selector]:
        for tail in tails:
            parts = (*outer, tail)
            if self._finds(parts) == (self.number,):
                yield self._written(parts)

    def _finds(self, parts: tuple[SelectorPart, ...]) -> tuple[int, ...]:
        try:
            selector = Selector(parts, Dialect.INTERNAL, "")
            return matching(selector, self.page, test_id_attributes=self.manner.test_id_attributes)
        except CANNOT_BE_TRIED:  # then it is not one to write
            return ()

    def _written(self, parts: tuple[SelectorPart, ...]) -> Selector:
        as_string = self.manner.as_string or self.like.dialect is Dialect.INTERNAL
        bare = Selector(parts, Dialect.INTERNAL if as_string else self.like.dialect, "")
        return Selector(parts, bare.dialect, internal(bare) if as_string else spelled(bare, bare.dialect))

    def _kept_outer_parts(self) -> Iterator[tuple[SelectorPart, ...]]:
        """What the old selector searched within, the narrowest first, as far as it still surrounds the element."""
        parts = self.like.parts
        for at in range(len(parts) - 1, 0, -1):
            if parts[at].engine not in _NARROWS and self._surrounds(parts[:at]):
                yield parts[:at]

    def _surrounds(self, outer: tuple[SelectorPart, ...]) -> bool:
        is_frame = outer[-1].engine is SelectorEngine.FRAME
        found = self._finds(outer[:-1] if is_frame else outer)
        if is_frame:
            return len(found) == 1 and self.index.content_of(found[0]) == -self._element.frame - 1
        return any(number < self.number < self.index.ends[number] for number in found)

    @property
    def _element(self) -> Element:
        return self.index.elements[self.number]

    def _way_into_frame(self) -> tuple[SelectorPart, ...] | None:
        """Through the iframes around the element; None: one of them cannot be told from others."""
        iframes = [
            above
            for below, above in self._upwards()
            if self.index.elements[below].frame != self.index.elements[above].frame
        ]
        way: tuple[SelectorPart, ...] = ()
        for iframe in reversed(iframes):
            named = next((one for one in self._names_of_frame(iframe) if self._finds((*way, one)) == (iframe,)), None)
            if named is None:
                return None
            way = (*way, named, SelectorPart(SelectorEngine.FRAME))
        return way

    def _upwards(self) -> Iterator[tuple[int, int]]:
        below = self.number
        for above in self.page.ancestors(self.number):
            yield below, above
            below = above

    def _names_of_frame(self, number: int) -> Iterator[SelectorPart]:
        element = self.index.elements[number]
        as_string = SelectorStyle(self.manner.test_id_attributes, as_string=True)
        yield from by_test_id(element, as_string)
        for name in ("title", "name"):
            value = element.get(name)
            if value and not looks_generated(value) and not looks_volatile(value):
                yield css(f"iframe[{name}={quoted(value)}]")
        yield from by_id(element)
        if source := element.get("src").partition("?")[0].partition("#")[0]:
            yield css(f"iframe[src^={quoted(source)}]")
        yield css(element.tag)

    def _anchors(self, way_in: tuple[SelectorPart, ...]) -> Iterator[tuple[SelectorPart, ...]]:
        """Surroundings that can be told from others: something with an id of its own, or a row that says something."""
        tried = 0
        for number in self.page.ancestors(self.number):
            element = self.index.elements[number]
            if element.frame != self._element.frame or tried >= _MOST_ANCHORS:
                return
            for anchor in self._anchor(element):
                tried += 1
                if self._finds((*way_in, *anchor)) == (number,):
                    yield anchor

    def _anchor(self, element: Element) -> Iterator[tuple[SelectorPart, ...]]:
        for part in (*by_test_id(element, self.manner), *by_id(element)):
            yield (part,)
        words = self._words_beside(element) if element.role in _GROUPS else ""
        if self.manner.as_string:
            if words:
                yield (css(f"{tag_of(element)}:has-text({quoted(words)})"),)
            if element.tag in _LANDMARK_TAGS:
                yield (css(element.tag),)
            return
        if element.role in _LANDMARKS | _GROUPS and element.name and not looks_volatile(element.name):
            yield (SelectorPart(SelectorEngine.ROLE, element.role, name=element.name),)
        if words:
            yield SelectorPart(SelectorEngine.ROLE, element.role), SelectorPart(SelectorEngine.HAS_TEXT, words)
        if element.role in _LANDMARKS:
            yield (SelectorPart(SelectorEngine.ROLE, element.role),)

    def _words_beside(self, group: Element) -> str:
        """A text in the same row that is not the element's own, and says which row it is."""
        for number in range(group.number + 1, self.index.ends[group.number]):
            other = self.index.elements[number]
            is_apart = not (self.number <= number < self.index.ends[self.number]) and not self.index.children[number]
            if (
                is_apart
                and other.own_text
                and other.own_text != self._element.text
                and not looks_volatile(other.own_text)
            ):
                return other.own_text
        return ""


def _finder(page: DomSnapshot, number: int, like: Selector) -> Selector | None:
    for parts in finder_candidates(page.elements[number]):
        selector = Selector(parts, like.dialect, "")
        if matching(selector, page) == (number,):
            return Selector(parts, like.dialect, spelled(selector, like.dialect))
    return None
