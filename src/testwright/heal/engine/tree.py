"""Which elements of the old page are still there: matched by what is unique on both, then by who is whose parent.

Only asked when the old page is known. It tells two things that no look at a single element can: that a candidate is
somebody else, who was there before, and that a place in the page is still the same place although nothing in it is.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from testwright.heal.engine.similarity import strings
from testwright.heal.engine.traits import address_parts, folded, speaks_for_itself, test_id_of, words_of
from testwright.model.dom import DomSnapshot, Element

_ROUNDS = 3
_CHOICES = frozenset(
    {"radio", "checkbox", "submit", "button"}
)  # where several share a name, the value tells them apart
_UNLIKE = 0.2  # texts less alike than this contradict one another

Key = Callable[[Element, str], Hashable]


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


def match_trees(old: DomSnapshot, new: DomSnapshot) -> TreeMatch:
    match = TreeMatch()
    words_old, words_new = [words_of(each) for each in old.elements], [words_of(each) for each in new.elements]
    for key in _KEYS:
        _pair_unique(match, old, new, words_old, words_new, key)
    match.lost_for_certain = _missing(match, old, words_old)
    for _ in range(_ROUNDS):
        before = len(match.new_of)
        _pair_parents(match, old, new)
        _pair_children(match, old, new, words_old, words_new)
        if len(match.new_of) == before:
            break
    return match


# --- what is unique on both pages ------------------------------------------------------------


def _linked_text(element: Element, words: str) -> Hashable:
    href = element.attributes.get("href", "")
    return (element.tag, words, address_parts(href)[0]) if href and words else None


def _text(element: Element, words: str) -> Hashable:
    return (element.tag, words) if words and speaks_for_itself(element) else None


def _borrowed_text(element: Element, words: str) -> Hashable:
    return (element.tag, words, element.attributes.get("class", "")) if words else None


def _label(element: Element, _words: str) -> Hashable:
    return (element.tag, folded(element.label), element.attributes.get("type", "")) if element.label else None


def _test_id(element: Element, _words: str) -> Hashable:
    return test_id_of(element) or None


def _id(element: Element, _words: str) -> Hashable:
    return element.attributes.get("id") or None


def _name(element: Element, _words: str) -> Hashable:
    get = element.attributes.get
    name, kind = get("name"), get("type", "")
    return (element.tag, name, kind, get("value", "") if kind in _CHOICES else "") if name else None


def _attribute(attribute: str) -> Key:
    def key(element: Element, _words: str) -> Hashable:
        value = element.attributes.get(attribute)
        return (element.tag, folded(value)) if value else None

    return key


def _address(element: Element, _words: str) -> Hashable:
    return address_parts(element.attributes.get("href", ""))[0] or None


_KEYS: tuple[Key, ...] = (
    _linked_text,
    _text,
    _label,
    _test_id,
    _name,
    _id,
    _attribute("aria-label"),
    _attribute("placeholder"),
    _attribute("alt"),
    _attribute("title"),
    _address,
    _borrowed_text,
)


def _pair_unique(
    match: TreeMatch, old: DomSnapshot, new: DomSnapshot, words_old: Sequence[str], words_new: Sequence[str], key: Key
) -> None:
    there = _unique((key(each, words_new[each.number]), each.number) for each in new.elements)
    if not there:
        return
    here = _unique((key(each, words_old[each.number]), each.number) for each in old.elements)
    for value, number in here.items():
        other = there.get(value)
        if (
            other is not None
            and match.is_free(number, other)
            and not _contradict(old.elements[number], new.elements[other], words_old[number], words_new[other])
        ):
            match.pair(number, other, certain=True)


def _unique(found: Iterable[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """Values that exactly one element has, and which."""
    once: dict[Hashable, int] = {}
    often: set[Hashable] = set()
    for value, number in found:
        if value is None:
            continue
        if value in once:
            often.add(value)
        else:
            once[value] = number
    for value in often:
        del once[value]
    return once


def _contradict(old: Element, new: Element, words_old: str, words_new: str) -> bool:
    """Whether a short text says that these are two different things, whatever else they share."""
    if old.tag != new.tag and (old.tag == "input" or new.tag == "input"):
        return True
    if not old.own_text or not new.own_text:
        return False
    return strings(words_old, words_new) < _UNLIKE


def _missing(match: TreeMatch, old: DomSnapshot, words: Sequence[str]) -> int:
    """How many elements that say something of their own, and once only, are not there any more."""
    said = Counter(words[each.number] for each in old.elements if each.visible and each.own_text)
    return sum(
        each.visible and bool(each.own_text) and said[words[each.number]] == 1 and each.number not in match.certain
        for each in old.elements
    )


# --- who is whose parent and child -----------------------------------------------------------


def _pair_parents(match: TreeMatch, old: DomSnapshot, new: DomSnapshot) -> None:
    """A parent goes where most of its children went."""
    votes: Counter[tuple[int, int]] = Counter()
    for number, other in list(match.new_of.items()):
        up = old.elements[number].parent
        other_up = None if up is None else _likely_parent(old.elements[up], other, new)
        if up is not None and other_up is not None and match.is_free(up, other_up):
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
    if nearest is None or _sort_closely(new.elements[nearest]) == _sort_closely(up):
        return nearest
    above = new.elements[nearest].parent
    if above is not None and up.attributes.get("class") and _sort_closely(new.elements[above]) == _sort_closely(up):
        return above
    return nearest


def _pair_children(
    match: TreeMatch, old: DomSnapshot, new: DomSnapshot, words_old: Sequence[str], words_new: Sequence[str]
) -> None:
    """Children of the same parent that are the only ones of their sort on both sides."""
    for number in sorted(match.new_of):
        other = match.new_of[number]
        left = [each for each in old.children[number] if each not in match.new_of]
        right = [each for each in new.children[other] if each not in match.old_of]
        if not left or not right:
            continue
        for sort in (_sort_closely, _sort_loosely):
            here = _unique((sort(old.elements[each]), each) for each in left if each not in match.new_of)
            there = _unique((sort(new.elements[each]), each) for each in right if each not in match.old_of)
            for value, child in here.items():
                theirs = there.get(value)
                if theirs is not None and not _contradict(
                    old.elements[child], new.elements[theirs], words_old[child], words_new[theirs]
                ):
                    match.pair(child, theirs)


def _sort_closely(element: Element) -> Hashable:
    get = element.attributes.get
    return (element.tag, get("type", ""), get("role", ""), get("class", ""))


def _sort_loosely(element: Element) -> Hashable:
    return (element.tag, element.attributes.get("type", ""))
