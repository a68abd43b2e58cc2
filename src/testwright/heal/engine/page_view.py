"""A page seen by the engine: who can be a candidate, what is near an element, and which boxes are one to a reader."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from testwright.heal.engine.similarity import word_set
from testwright.heal.engine.traits import Traits, caseless, traits_of, words_of
from testwright.heal.thresholds import SAME_BOX
from testwright.model.dom import Box, DomSnapshot

_NEVER = frozenset(
    {"html", "body", "head", "script", "style", "meta", "link", "title", "noscript", "template", "base", "br"}
)
_LANDMARKS = frozenset({"header", "footer", "nav", "main", "aside", "form", "dialog", "table", "section", "article"})
_NEAR = 3  # elements with words of their own, on either side


class PageView:
    """Facts about a page that are worked out once and asked for often."""

    def __init__(
        self, page: DomSnapshot, near: Mapping[int, str] | None = None, paths: Sequence[str] | None = None
    ) -> None:
        """`near` and `paths` are given where a page was recorded in part, and they cannot be worked out from it."""
        self.page = page
        self._near = near
        self._paths = paths
        self._traits: dict[int, Traits] = {}

    @cached_property
    def candidates(self) -> list[int]:
        return [each.number for each in self.page.elements if each.visible and each.tag not in _NEVER]

    @property
    def paths(self) -> Sequence[str]:
        return self.page.paths if self._paths is None else self._paths

    @cached_property
    def words(self) -> list[str]:
        return [words_of(each) for each in self.page.elements]

    def traits(self, number: int) -> Traits:
        found = self._traits.get(number)
        if found is None:
            found = self._traits[number] = traits_of(self.page.elements[number], self.paths[number])
        return found

    @cached_property
    def _ends(self) -> list[int]:
        """For each element the number of the last one below it."""
        ends = list(range(len(self.page.elements)))
        for each in reversed(self.page.elements):
            if each.parent is not None and ends[each.number] > ends[each.parent]:
                ends[each.parent] = ends[each.number]
        return ends

    @cached_property
    def _speaking(self) -> list[int]:
        """The elements with words of their own, in document order."""
        return [each.number for each in self.page.elements if each.visible and each.own_text]

    def near(self, number: int) -> frozenset[str]:
        """The words around an element, none of them its own."""
        if self._near is not None:
            return frozenset(caseless(self._near.get(number, "")).split())
        speaking, elements = self._speaking, self.page.elements
        first, last = bisect_left(speaking, number), bisect_right(speaking, self._ends[number])
        around = speaking[max(0, first - _NEAR) : first] + speaking[last : last + _NEAR]
        return word_set(elements[each].own_text.casefold() for each in around)

    def is_below(self, number: int, above: int) -> bool:
        return above < number <= self._ends[above]

    def are_one(self, one: int, other: int) -> bool:
        """Whether two elements are one thing to a reader: one in the other, with about the same box or words."""
        if one == other:
            return True
        outer, inner = min(one, other), max(one, other)
        if not self.is_below(inner, outer):
            return False
        big, small = self.page.elements[outer], self.page.elements[inner]
        if big.box is not None and small.box is not None and self.page.has_boxes:
            return big.box.area > 0 and _common(big.box, small.box) >= SAME_BOX * big.box.area
        return self.words[outer] == self.words[inner] and bool(self.words[outer])


def landmarks_of(path: str) -> tuple[str, ...]:
    """The landmarks an XPath leads through, outermost first."""
    return tuple(tag for step in path.split("/")[1:-1] if (tag := step.split("[", 1)[0]) in _LANDMARKS)


def _common(one: Box, other: Box) -> float:
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return width * height if width > 0 and height > 0 else 0.0
