"""From what was captured of an element to the one selector that a test uses."""

from dataclasses import dataclass

from testwright.model.errors import TestwrightError
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect, Selector, SelectorEngine, SelectorPart
from testwright.model.session import ActionTarget, SelectorCandidate
from testwright.selectors.selector_candidates import css, quoted
from testwright.selectors.selector_parser import parse_selector

# What a person would choose first; of one kind, the recorder's own order counts.
_ORDER = ("testid", "role", "label", "placeholder", "text", "alt", "title", "id", "css")
BY_PLACE = 0.6  # how sure a test can be of an element that it finds only by its place among others
NOT_TRIED = 0.8  # ... by a selector that was not tried on the page


@dataclass(frozen=True, slots=True)
class Located:
    selector: Selector
    confidence: float = 1.0
    note: str = ""


def located(target: ActionTarget) -> Located | None:
    """The best way to the element; None: nothing is known of it."""
    chosen = _chosen(target)
    if chosen is None:
        return None
    try:
        parts = (*_way_in(target.frames), *parse_selector(chosen.selector).parts)
    except TestwrightError:  # a candidate of another tool that we do not understand
        return None
    if chosen.count == 1:
        return Located(_chain(parts))
    if chosen.count == 0:
        return Located(_chain(parts), NOT_TRIED, "this selector was not tried on the page")
    if chosen.nth is None:
        return Located(_chain(parts), BY_PLACE, f"{chosen.count} elements are found by this: choose one")
    note = f"found only by its place among {chosen.count}: give the element a test id"
    return Located(_chain((*parts, SelectorPart(SelectorEngine.NTH, str(chosen.nth)))), BY_PLACE, note)


def _chosen(target: ActionTarget) -> SelectorCandidate | None:
    alone = [one for one in target.candidates if one.count == 1]
    if alone:
        return min(alone, key=_rank)
    untried = next((one for one in target.candidates if one.count == 0), None)
    placed = next((one for one in target.candidates if one.nth is not None), None)
    return placed or untried or next(iter(target.candidates), None)


def _rank(candidate: SelectorCandidate) -> int:
    return _ORDER.index(candidate.by) if candidate.by in _ORDER else len(_ORDER)


def _way_in(frames: tuple[str, ...]) -> tuple[SelectorPart, ...]:
    way: list[SelectorPart] = []
    for frame in frames:
        way += [*parse_selector(frame).parts, SelectorPart(SelectorEngine.FRAME)]
    return tuple(way)


def by_attribute(selector: Selector, attribute: str) -> Selector:
    """The same, where test ids are in another attribute than the one that `get_by_test_id` looks at by itself."""
    if attribute in {"", DEFAULT_TEST_ID_ATTRIBUTE}:
        return selector
    parts = [
        css(f"[{attribute}={quoted(part.value)}]")
        if part.engine is SelectorEngine.TEST_ID and isinstance(part.value, str)
        else part
        for part in selector.parts
    ]
    return Selector(tuple(parts), selector.dialect, "")


def _chain(parts: tuple[SelectorPart, ...]) -> Selector:
    """In no string of one language yet."""
    return Selector(parts, Dialect.TYPESCRIPT, "")
