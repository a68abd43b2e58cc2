"""Flutter's finders on a page that was read from dumps: what one finds, and the best one for a widget."""

import re
from collections.abc import Iterator

from testwright.heal.flutter.widget_tree import ROLES
from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.heal import Strategy
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart
from testwright.selectors.selector_candidates import TEXT_WIDGETS, finder_candidates
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import spelled

_TOUCHES = frozenset({"tap", "longPress", "press", "ensureVisible"})


def found_by(finder: Selector | str, page: DomSnapshot) -> tuple[int, ...] | None:
    """The widgets that a finder finds; None: that is only known to the running app."""
    try:
        selector = parse_selector(finder, Dialect.FLUTTER) if isinstance(finder, str) else finder
        return matching(selector, page)
    except TestwrightError:
        return None


def finder_for(
    page: DomSnapshot, number: int, strategy: Strategy, *, action: str = "", source: bytes | None = None
) -> Selector | None:
    """A finder that finds exactly this widget, by what the strategy went by if that can be; None: there is none.

    A test may ask a widget for its type, so that what is found must be the widget itself. Only a touch may be aimed at
    the text inside it, where `source`, the test's file, does not know the type that it would take to name the widget.
    """
    element = page.elements[number]
    for parts in finder_candidates(element, tooltip_first=strategy is Strategy.BY_TOOLTIP):
        selector = Selector(parts, Dialect.FLUTTER, "")
        if _is_writable(selector, source) and found_by(selector, page) == (number,):
            return _spelled(parts)
    inside = (SelectorPart(SelectorEngine.TEXT, element.text, exact=True),)
    found = found_by(Selector(inside, Dialect.FLUTTER, ""), page) if action in _TOUCHES and element.text else None
    return _spelled(inside) if found is not None and len(found) == 1 and number in page.ancestors(found[0]) else None


def _spelled(parts: tuple[SelectorPart, ...]) -> Selector:
    return Selector(parts, Dialect.FLUTTER, spelled(Selector(parts, Dialect.FLUTTER, ""), Dialect.FLUTTER))


def _is_writable(selector: Selector, source: bytes | None) -> bool:
    """Whether the file knows every type that the finder names."""
    return source is None or all(_is_known(name, source) for name in _types(selector))


def _types(selector: Selector) -> Iterator[str]:
    for part in selector.parts:
        if part.engine in (SelectorEngine.TYPE, SelectorEngine.WIDGET_WITH_TEXT):
            yield str(part.value).partition("<")[0]
        if part.inner is not None:
            yield from _types(part.inner)


def _is_known(name: str, source: bytes) -> bool:
    if re.search(rb"\b" + re.escape(name.encode()) + rb"\b", source):
        return True
    library = rb"cupertino" if name.startswith("Cupertino") else rb"material"
    is_flutter_own = name in ROLES or name in TEXT_WIDGETS
    return (
        is_flutter_own
        and re.search(rb"import\s+['\"]package:flutter/" + library + rb"\.dart['\"]\s*;", source) is not None
    )
