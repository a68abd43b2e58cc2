"""Which elements of the old page are still there: matched by what is unique on both, then by who is whose parent.

Only asked when the old page is known. It shows two things that a single element cannot: that a candidate is
another element, which was there before, and that a place in the page is the same although nothing in it is.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.similarity import strings
from testwright.heal.engine.traits import address_parts, caseless, speaks_for_itself
from testwright.heal.thresholds import OTHER_TEXT_BELOW
from testwright.model.dom import DomSnapshot, Element
from testwright.model.selector import TEST_ID_ATTRIBUTES

_ROUNDS = 3
_CHOICES = frozenset(
    {"radio", "checkbox", "submit", "button"}
)  # where several share a name, the value tells them apart


@dataclass
class TreeMatch:
    """Old numbers to new ones. `certain` holds the old numbers that something unique speaks for."""

    new_of: dict[int, int] = field(default_factory=dict)
    old_of: dict[int, int] = field(default_factory=dict)
    certain: set[int] = field(default_factory=set)
    lost_for_certain: int = 0  # elements of the old page that had something unique, and were not found again

    def pair(self, old: int, new: int, *, certain: bool = False) -> None:
        self.new_of[old], self.old_of[new] = new, old
        if certain:
            self.certain.add(old)

    def is_free(self, old: int, new: int) -> bool:
        return old not in self.new_of and new not in self.old_of


def match_trees(old_view: PageView, new_view: PageView) -> TreeMatch:
    match = TreeMatch()
    old, new = old_view.page, new_view.page
    words_old, words_new = old_view.words, new_view.words
    _pair_unique(match, old, new, words_old, words_new)
    match.lost_for_certain = _missing(match, old, words_old)
    for _ in range(_ROUNDS):
        before = len(match.new_of)
        _pair_parents(match, old, new)
        _pair_children(match, old, new, words_old, words_new)
        if len(match.new_of) == before:
            break
    return match


# --- what is unique on both pages ------------------------------------------------------------


class _Unique:
    """For each kind of key, the values that exactly one element of a page has, and which."""

    def __init__(self, page: DomSnapshot, words: Sequence[str]) -> None:
        self.tables: tuple[dict[Hashable, int], ...] = tuple({} for _ in _KINDS)
        for element in page.elements:
            self._note(element, words[element.number])

    def _note(self, element: Element, words: str) -> None:
        number, tag, attributes = element.number, element.tag, element.attributes
        if words and speaks_for_itself(element):
            self._put(_TEXT, (tag, words), number)
        elif words:
            self._put(_BORROWED_TEXT, (tag, words, attributes.get("class", "")), number)
        if element.label:
            self._put(_LABEL, (tag, caseless(element.label), attributes.get("type", "")), number)
        for attribute, value in attributes.items():
            if not value or attribute not in _BY_ATTRIBUTE:
                continue
            if attribute == "href":
                place = address_parts(value)[0]
                self._put(_ADDRESS, place, number)
                self._put(_LINKED_TEXT, (tag, words, place) if words else None, number)
            elif attribute == "name":
                kind = attributes.get("type", "")
                self._put(_NAME, (tag, value, kind, attributes.get("value", "") if kind in _CHOICES else ""), number)
            elif attribute in _TAG_COUNTS:
                self._put(_BY_ATTRIBUTE[attribute], (tag, caseless(value)), number)
            else:
                self._put(_BY_ATTRIBUTE[attribute], value, number)

    def _put(self, kind: int, value: Hashable, number: int) -> None:
        if value:
            table = self.tables[kind]
            table[value] = _SEVERAL if value in table else number


# In the order they are asked: what a reader goes by before what a program does, since ids are handed on to others.
_KINDS = range(12)
_LINKED_TEXT, _TEXT, _LABEL, _TEST_ID, _NAME, _ID, _ARIA, _PLACEHOLDER, _ALT, _TITLE, _ADDRESS, _BORROWED_TEXT = _KINDS
_BY_ATTRIBUTE = {
    "href": _ADDRESS,
    "name": _NAME,
    "id": _ID,
    "aria-label": _ARIA,
    "placeholder": _PLACEHOLDER,
    "alt": _ALT,
    "title": _TITLE,
    **dict.fromkeys(TEST_ID_ATTRIBUTES, _TEST_ID),
}
_TAG_COUNTS = frozenset({"aria-label", "placeholder", "alt", "title"})
_SEVERAL = -1


def _pair_unique(
    match: TreeMatch, old: DomSnapshot, new: DomSnapshot, words_old: Sequence[str], words_new: Sequence[str]
) -> None:
    here, there = _Unique(old, words_old), _Unique(new, words_new)
    for mine, theirs in zip(here.tables, there.tables, strict=True):
        for value, number in mine.items():
            other = theirs.get(value, _SEVERAL)
            if (
                _SEVERAL not in (number, other)
                and match.is_free(number, other)
                and not _contradict(old.elements[number], new.elements[other], words_old[number], words_new[other])
            ):
                match.pair(number, other, certain=True)


def _unique(found: Iterable[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """Values that exactly one element has, and which."""
    once: dict[Hashable, int] = {}
    for value, number in found:
        once[value] = _SEVERAL if value in once else number
    return {value: number for value, number in once.items() if number != _SEVERAL}


def _contradict(old: Element, new: Element, words_old: str, words_new: str) -> bool:
    """Whether a short text says that these are two different things, even if they share all else."""
    if old.tag != new.tag and (old.tag == "input" or new.tag == "input"):
        return True
    if not old.own_text or not new.own_text:
        return False
    return strings(words_old, words_new) < OTHER_TEXT_BELOW


def _missing(match: TreeMatch, old: DomSnapshot, words: Sequence[str]) -> int:
    """How many elements that say something of their own, and once only, are not there any more."""
    speaking = [each.number for each in old.elements if each.own_text and each.visible]
    said = Counter(words[number] for number in speaking)
    return sum(said[words[number]] == 1 and number not in match.certain for number in speaking)


# --- who is whose parent and child -----------------------------------------------------------


def _pair_parents(match: TreeMatch, old: DomSnapshot, new: DomSnapshot) -> None:
    """A parent goes where most of its children went."""
    votes: Counter[tuple[int, int]] = Counter()
    for number, other in match.new_of.items():
        up = old.elements[number].parent
        if up is None or up in match.new_of:
            continue
        other_up = _likely_parent(old.elements[up], other, new)
        if other_up is not None and other_up not in match.old_of:
            votes[up, other_up] += 1
    cast: Counter[int] = Counter()
    for (up, _), count in votes.items():
        cast[up] += count
    for (up, other_up), count in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if match.is_free(up, other_up) and 2 * count > cast[up]:
            match.pair(up, other_up)


def _likely_parent(up: Element, child: int, new: DomSnapshot) -> int | None:
    """The new parent of a child, or its grandparent where that is the one like the old parent: a wrapper was added."""
    nearest = new.elements[child].parent
    if nearest is None or _look(new.elements[nearest]) == _look(up):
        return nearest
    above = new.elements[nearest].parent
    if above is not None and up.attributes.get("class") and _look(new.elements[above]) == _look(up):
        return above
    return nearest


def _pair_children(
    match: TreeMatch, old: DomSnapshot, new: DomSnapshot, words_old: Sequence[str], words_new: Sequence[str]
) -> None:
    """Children of the same parent that are the only ones with their words, or of their sort, on both sides."""
    for number in sorted(match.new_of):
        left = [each for each in old.children[number] if each not in match.new_of]
        if not left:
            continue
        right = [each for each in new.children[match.new_of[number]] if each not in match.old_of]
        if not right:
            continue
        for sort in (_by_words, _sort_closely, _sort_loosely):
            here = _unique((sort(old, words_old, each), each) for each in left if each not in match.new_of)
            there = _unique((sort(new, words_new, each), each) for each in right if each not in match.old_of)
            for value, child in here.items():
                theirs = there.get(value) if value else None
                if theirs is not None and not _contradict(
                    old.elements[child], new.elements[theirs], words_old[child], words_new[theirs]
                ):
                    match.pair(child, theirs)


def _by_words(_page: DomSnapshot, words: Sequence[str], number: int) -> Hashable:
    return words[number]  # with any tag: a button may have become a link


def _sort_closely(page: DomSnapshot, _words: Sequence[str], number: int) -> Hashable:
    return _look(page.elements[number])


def _sort_loosely(page: DomSnapshot, _words: Sequence[str], number: int) -> Hashable:
    element = page.elements[number]
    return (element.tag, element.attributes.get("type", ""))


def _look(element: Element) -> Hashable:
    get = element.attributes.get
    return (element.tag, get("type", ""), get("role", ""), get("class", ""))
