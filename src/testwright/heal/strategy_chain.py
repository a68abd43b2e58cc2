"""The heal chain: strategies in order, the first that finds exactly one element wins, several matches end it.

Each strategy is given a second thing to agree on, because one alone points at a stranger too often once an
element is gone: text and kind of element, role and a similar name, place and kind. What does not agree is
hidden from the strategy, so that every adapter keeps to the same small interface.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rapidfuzz import fuzz

from testwright.heal.heal_adapter import Ambiguous, HealAdapter
from testwright.heal.page_strategies import middle_of, reads_as, tooltips, viewport_of
from testwright.heal.thresholds import SIMILAR_NAMES
from testwright.model.accessibility.raw_element import folded
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.heal import HealDecision, HealOutcome, Strategy
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE

DEFAULT_ORDER = (Strategy.BY_TEXT, Strategy.BY_ROLE, Strategy.BY_TOOLTIP, Strategy.BY_COORDINATES)
# Attributes that tell one control from the next.
_MARKS = ("name", "href", "placeholder", "alt", DEFAULT_TEST_ID_ATTRIBUTE)
_PUSHED = frozenset({"button", "link"})
_PLAIN = frozenset({"", "generic", "presentation", "none"})


class StrategyOutcome(StrEnum):
    """How a strategy ended."""

    FOUND = "found"
    NOTHING = "nothing"
    AMBIGUOUS = "ambiguous"
    NOT_APPLICABLE = "not_applicable"  # what it goes by was not known of the lost element


@dataclass(frozen=True, slots=True)
class ChainResult:
    strategy: Strategy | None  # that found it, or that found several
    element: Element | None
    ambiguous: bool = False
    tried: tuple[tuple[Strategy, StrategyOutcome], ...] = ()
    several: tuple[Element, ...] = ()  # what was found where it was ambiguous


def walk_chain(
    adapter: HealAdapter, snapshot: DomSnapshot, fingerprint: Fingerprint, order: Sequence[Strategy] = DEFAULT_ORDER
) -> ChainResult:
    """Look for the element that `fingerprint` remembers on the page as it is now."""
    tried: list[tuple[Strategy, StrategyOutcome]] = []
    for strategy in order:
        search = _search(adapter, strategy, fingerprint, snapshot)
        if search is None:
            tried.append((strategy, StrategyOutcome.NOT_APPLICABLE))
            continue
        try:
            found = search()
        except Ambiguous as ambiguity:
            tried.append((strategy, StrategyOutcome.AMBIGUOUS))
            return ChainResult(strategy, None, ambiguous=True, tried=tuple(tried), several=ambiguity.elements)
        tried.append((strategy, StrategyOutcome.NOTHING if found is None else StrategyOutcome.FOUND))
        if found is not None:
            # What was hidden from the strategy stays out of sight; the element is the page's own.
            return ChainResult(strategy, snapshot.elements[found.number], tried=tuple(tried))
    return ChainResult(None, None, tried=tuple(tried))


def _search(
    adapter: HealAdapter, strategy: Strategy, fingerprint: Fingerprint, snapshot: DomSnapshot
) -> Callable[[], Element | None] | None:
    """The strategy with what it needs, or None where that is not known."""
    lost = fingerprint.element
    match strategy:
        case Strategy.BY_TEXT:
            text = reads_as(lost)
            return (lambda: _kin(lost, snapshot, lambda kin: adapter.find_by_text(kin, text))) if text else None
        case Strategy.BY_ROLE:
            alike = _among(snapshot, lambda element: _is_alike(lost, element))
            return (lambda: adapter.find_by_role(alike, lost.role)) if lost.role not in _PLAIN else None
        case Strategy.BY_TOOLTIP:
            tip = min(tooltips(lost), default="")
            return (lambda: _kin(lost, snapshot, lambda kin: adapter.find_by_tooltip(kin, tip))) if tip else None
        case Strategy.BY_COORDINATES:
            place = _scaled(fingerprint, snapshot)
            if place is None:
                return None
            x, y = place
            kin = _among(snapshot, lambda element: _same_kind(lost, element))
            return lambda: adapter.find_by_coordinates(kin, x, y)


def _kin(lost: Element, snapshot: DomSnapshot, search: Callable[[DomSnapshot], Element | None]) -> Element | None:
    """What is found among elements of the same kind. A button may come back as a link, or a link as a button: they are
    asked only where there is none of its own kind, as a page often has both with the same words."""
    found = search(_among(snapshot, lambda element: _same_kind(lost, element)))
    if found is None and lost.role in _PUSHED:
        return search(_among(snapshot, lambda element: element.role in _PUSHED))
    return found


def _among(snapshot: DomSnapshot, fits: Callable[[Element], bool]) -> DomSnapshot:
    """The page with everything else out of sight."""
    elements = tuple(
        element if not element.visible or fits(element) else replace(element, visible=False)
        for element in snapshot.elements
    )
    return replace(snapshot, elements=elements)


def _same_kind(lost: Element, other: Element) -> bool:
    """Whether both are the same kind of thing to a user: a button stays a button with another tag."""
    if lost.role in _PLAIN and other.role in _PLAIN:
        return True
    return lost.role == other.role and (lost.role != "textbox" or _input_type(lost) == _input_type(other))


def _input_type(element: Element) -> str:
    return element.get("type").lower() or "text"


def _is_alike(lost: Element, other: Element) -> bool:
    """A second key beside the role: a similar name, or the same value of something that tells controls apart."""
    if lost.role != other.role:
        return False
    if lost.label and lost.label == other.label:
        return True
    if any(lost.get(mark) and lost.get(mark) == other.get(mark) for mark in _MARKS):
        return True
    names = folded(lost.name or reads_as(lost)), folded(other.name or reads_as(other))
    if not all(names):
        return False
    return fuzz.ratio(names[0].casefold(), names[1].casefold()) >= SIMILAR_NAMES


def _scaled(fingerprint: Fingerprint, snapshot: DomSnapshot) -> tuple[float, float] | None:
    """Where the element's middle would lie on the page as it is now; None: the layout is not known."""
    middle, now = middle_of(fingerprint.element), viewport_of(snapshot)
    if middle is None or now is None:
        return None
    page = fingerprint.page
    before = page.viewport if page is not None else None
    across, down = (now[0] / before[0], now[1] / before[1]) if before is not None and min(before) > 0 else (1.0, 1.0)
    return middle[0] * across, middle[1] * down


def agreed_element(
    page: DomSnapshot, chain: ChainResult, decision: HealDecision, *, nested_is_same: bool = False
) -> Element | None:
    """The engine's element, where the chain found the same one; None: they do not agree.

    `nested_is_same`: an element around the other that reads the same will do. On a web page a reader cannot tell the
    two apart; a Flutter test may ask a widget for its type, so there it must be the widget itself.
    """
    if chain.element is None or decision.outcome is not HealOutcome.HEAL or decision.element is None:
        return None
    one, other = chain.element.number, decision.element
    if one == other or (nested_is_same and _are_nested_and_read_the_same(page, one, other)):
        return page.elements[other]
    return None


def _are_nested_and_read_the_same(page: DomSnapshot, one: int, other: int) -> bool:
    nested = one in page.ancestors(other) or other in page.ancestors(one)
    return nested and reads_as(page.elements[one]) == reads_as(page.elements[other])
