"""The ways to find an element again, the best first, each with how many elements it found at that moment."""

from collections.abc import Iterator, Sequence

from testwright.model.dom import DomSnapshot, Element
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect, Selector, SelectorEngine, SelectorPart
from testwright.model.session import REDACTED, ActionTarget, SelectorCandidate
from testwright.selectors.page_index import PageIndex, index_of
from testwright.selectors.selector_candidates import (
    LONGEST_NAME,
    SelectorStyle,
    by_id,
    css,
    quoted,
    selector_candidates,
    tag_of,
)
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_matcher import CANNOT_BE_TRIED, matching
from testwright.selectors.spelling import internal
from testwright.selectors.stability import looks_generated, looks_volatile

TEST_ID_ATTRIBUTES = ("data-testid", "data-test", "data-cy", "data-qa")
MOST_CANDIDATES = 8
_DEEPEST_PATH = 12
_NOTHING = Selector((), Dialect.INTERNAL, "")


def target_of(
    page: DomSnapshot, number: int, *, frames: tuple[str, ...] = (), test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE
) -> ActionTarget:
    element = page.elements[number]
    box = element.box
    return ActionTarget(
        candidates=tuple(_Ways(page, number, test_id_attribute).candidates()),
        frames=frames,
        tag=element.tag,
        role=element.role,
        name=element.name,
        in_shadow=_is_in_shadow(page, number),
        box=None if box is None else (box.x, box.y, box.width, box.height),
    )


def plain_target(tag: str, frames: tuple[str, ...] = ()) -> ActionTarget:
    """For an element of which no more is known."""
    return ActionTarget(candidates=(), frames=frames, tag=tag)


class _Ways:
    def __init__(self, page: DomSnapshot, number: int, test_id_attribute: str) -> None:
        self._page = page
        self._number = number
        self._index: PageIndex = index_of(page)
        self._element = self._index.elements[number]
        self._test_id_attribute = test_id_attribute

    def candidates(self) -> list[SelectorCandidate]:
        made: list[tuple[str, SelectorPart, SelectorCandidate]] = []
        for by, parts in self._all_parts():
            candidate = self._tried(by, parts)
            if candidate is None:
                continue
            looser = next((at for at, one in enumerate(made) if _is_stricter(parts, one[1])), None)
            if looser is None:
                made.append((by, parts, candidate))
            elif candidate.count < made[looser][2].count:  # the same words, taken exactly
                made[looser] = (by, parts, candidate)
        found = [candidate for _, _, candidate in made]
        first_css = next((at for at, one in enumerate(found) if one.by == "css"), len(found))
        if not any(one.count == 1 for one in found[:first_css]):
            found[first_css:first_css] = self._by_surroundings()
        kept = found[:MOST_CANDIDATES]
        if not any(one.count == 1 for one in kept):
            kept = [*kept[: MOST_CANDIDATES - 1], *[one for one in found if one.count == 1][:1]]
        return kept

    def _all_parts(self) -> Iterator[tuple[str, SelectorPart]]:
        element = self._element
        own, rest = selector_candidates(
            self._index, self._number, SelectorStyle((self._test_id_attribute,), as_string=False)
        )
        ids = list(by_id(element))
        yield from (("testid", part) for part in own if part.engine is SelectorEngine.TEST_ID)
        yield from (("testid", part) for part in self._other_test_ids())
        yield from ((_by(part, ids), part) for part in own if part.engine is not SelectorEngine.TEST_ID)
        yield from ((_by(part, ids), part) for part in rest)
        yield from self._by_words_inside()
        yield "css", css(self._path())

    def _by_words_inside(self) -> Iterator[tuple[str, SelectorPart]]:
        """For a button whose words stand in an element of their own, which alone `text` would find."""
        words = self._element.text
        if words and words != self._element.own_text and len(words) <= LONGEST_NAME and not looks_volatile(words):
            yield "css", css(f"{tag_of(self._element)}:has-text({quoted(words)})")

    def _by_surroundings(self) -> list[SelectorCandidate]:
        """What can be told from others only by where it is: the button in the row that says so."""
        chosen = choose_selector(
            self._page, self._number, like=_NOTHING, test_id_attributes=(self._test_id_attribute,), string_only=False
        )
        if chosen is None or len(chosen.parts) < 2 or REDACTED in chosen.text:
            return []
        return [SelectorCandidate(_by(chosen.parts[-1], ()), chosen.text, 1)]

    def _other_test_ids(self) -> Iterator[SelectorPart]:
        for name in TEST_ID_ATTRIBUTES:
            value = self._element.get(name)
            if name != self._test_id_attribute and value and not looks_generated(value):
                yield css(f"[{name}={quoted(value)}]")

    def _tried(self, by: str, part: SelectorPart) -> SelectorCandidate | None:
        selector = Selector((part,), Dialect.INTERNAL, "")
        text = internal(selector)
        if REDACTED in text:  # it would find nothing: the page shows something else there
            return None
        try:
            found = matching(selector, self._page, test_id_attributes=(self._test_id_attribute,))
        except CANNOT_BE_TRIED:
            return None
        if self._number not in found:
            return None
        nth = self._index.in_search_order(list(found)).index(self._number) if len(found) > 1 else None
        return SelectorCandidate(by, text, len(found), nth)

    def _path(self) -> str:
        """By position, from the nearest ancestor with an id of its own, or from the root."""
        steps: list[str] = []
        number: int | None = self._number
        while number is not None and len(steps) < _DEEPEST_PATH:
            element = self._index.elements[number]
            ids = [str(part.value) for part in by_id(element)]
            if ids and steps:
                steps.append(ids[0])
                break
            steps.append(self._step(element))
            above = self._index.parents[number]
            if above is not None:
                steps.append(" " if element.in_shadow else " > ")
            number = above
        if steps and not steps[-1].strip(" >"):
            steps.pop()
        return "".join(reversed(steps))

    def _step(self, element: Element) -> str:
        tag = tag_of(element)
        alike = [number for number in self._index.siblings[element.number] if self._tag(number) == element.tag]
        if len(alike) < 2:  # alone among its siblings
            return tag
        return f"{tag}:nth-of-type({alike.index(element.number) + 1})"

    def _tag(self, number: int) -> str:
        return self._index.elements[number].tag


def _by(part: SelectorPart, ids: Sequence[SelectorPart]) -> str:
    if part.engine is SelectorEngine.CSS:
        return "id" if part in ids else "css"
    return str(part.engine)


def _is_stricter(part: SelectorPart, other: SelectorPart) -> bool:
    same = part.engine is other.engine and part.value == other.value and part.name == other.name
    return same and part.exact and not other.exact


def _is_in_shadow(page: DomSnapshot, number: int) -> bool:
    frame = page.elements[number].frame
    above = (page.elements[one] for one in page.ancestors(number))
    return page.elements[number].in_shadow or any(one.in_shadow for one in above if one.frame == frame)
