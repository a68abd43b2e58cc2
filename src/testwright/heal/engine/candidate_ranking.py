"""Candidates for a lost element, best first."""

from dataclasses import dataclass

from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.similarity import likeness, score
from testwright.heal.engine.traits import Traits, test_id_of
from testwright.heal.engine.tree_match import TreeMatch
from testwright.model.dom import Element

_SHORTLIST = 60
_STRANGER = 0.0  # known to have been another element before
_UNKNOWN = 0.4


@dataclass(slots=True)
class RankedCandidate:
    """A candidate with everything that was compared."""

    traits: Traits
    score: float
    likeness: dict[str, float]


@dataclass(slots=True)
class LostElement:
    """The element we look for."""

    traits: Traits
    near: frozenset[str]
    number: int | None  # on the old page, where that is known


def rank_candidates(lost: LostElement, view: PageView, match: TreeMatch | None) -> list[RankedCandidate]:
    ranked = [_compared(lost, view, number, match) for number in _shortlist(lost, view, match)]
    ranked.sort(key=lambda each: (-each.score, each.traits.number))
    return ranked


def _compared(lost: LostElement, view: PageView, number: int, match: TreeMatch | None) -> RankedCandidate:
    traits = view.traits(number)
    tree = _standing(lost, number, match)
    found = likeness(lost.traits, traits, lost.near, view.near(number), tree)
    return RankedCandidate(traits, score(found, lost.traits, traits), found)


def _standing(lost: LostElement, number: int, match: TreeMatch | None) -> float | None:
    """What the tree says about a candidate: it is the lost one, was another one before, or is new."""
    if match is None or lost.number is None:
        return None
    before = match.old_of.get(number)
    if before is None:
        return _UNKNOWN
    return 1.0 if before == lost.number else _STRANGER


def _shortlist(lost: LostElement, view: PageView, match: TreeMatch | None) -> list[int]:
    """The candidates worth a closer look: all that share something telling, and those most alike at a glance."""
    numbers = view.candidates
    if len(numbers) <= _SHORTLIST:
        return numbers
    old = lost.traits
    old_words = frozenset(old.text.split())
    glances = [(_glance(old, old_words, view.page.elements[number], view.words[number]), number) for number in numbers]
    glances.sort(key=lambda pair: (-pair[0], pair[1]))
    chosen = [number for glance, number in glances[:_SHORTLIST]]
    if match is not None and lost.number is not None:
        there = match.new_of.get(lost.number)
        if there is not None and there not in chosen:
            chosen.append(there)
    return chosen


def _glance(old: Traits, old_words: frozenset[str], element: Element, words: str) -> float:
    attributes = element.attributes
    found = 1.0 if element.tag == old.tag else 0.0
    if words and old.text:
        if words == old.text:
            found += 4.0
        elif len(words) < 4 * len(old.text) + 20:  # a box around half the page shares words with everything in it
            mine = words.split()
            common = sum(word in old_words for word in mine)
            found += 3.0 * common / max(len(mine), len(old_words))
    for attribute, value, weight in (
        ("id", old.id, 2.0),
        ("name", old.name_attribute, 2.0),
        ("placeholder", old.placeholder, 2.0),
        ("aria-label", old.aria_label, 2.0),
        ("alt", old.alt, 2.0),
        ("title", old.title, 1.5),
        ("type", old.type, 0.7),
    ):
        if value and attributes.get(attribute, "").casefold() == value:
            found += weight
    if old.label and element.label.casefold().split() == old.label.split():
        found += 3.0
    if old.test_id and test_id_of(element).casefold() == old.test_id:
        found += 3.0
    if old.href_path and (href := attributes.get("href")) and old.href_path.rsplit("/", 1)[-1] in href.casefold():
        found += 1.5
    if old.classes and (own := attributes.get("class")) and not old.classes.isdisjoint(own.split()):
        found += 0.5
    if old.box is not None and element.box is not None:
        found += 0.5 * (abs(old.box.width - element.box.width) <= 2 and abs(old.box.height - element.box.height) <= 2)
    return found
