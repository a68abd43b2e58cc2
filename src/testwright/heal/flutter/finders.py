"""Flutter's finders on a page that was read from dumps: what one finds, and the best one for a widget."""

import re
from collections.abc import Iterator

from testwright.heal.flutter.widgets import ROLES
from testwright.heal.selectors.matching import matching
from testwright.heal.selectors.parsing import parse_selector
from testwright.heal.selectors.spelling import spelled
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TestwrightError
from testwright.model.heal import Strategy
from testwright.model.selector import Dialect, Engine, Part, Selector

_TEXTS = frozenset({"Text", "SelectableText", "RichText"})
_TOUCHES = frozenset({"tap", "longPress", "press", "ensureVisible"})
_FROM_SEMANTICS = "SemanticsNode"


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
    for parts in _candidates(element, strategy):
        selector = Selector(parts, Dialect.FLUTTER, "")
        if _is_writable(selector, source) and found_by(selector, page) == (number,):
            return _spelled(parts)
    inside = (Part(Engine.TEXT, element.text, exact=True),)
    found = found_by(Selector(inside, Dialect.FLUTTER, ""), page) if action in _TOUCHES and element.text else None
    return _spelled(inside) if found is not None and len(found) == 1 and number in page.ancestors(found[0]) else None


def _spelled(parts: tuple[Part, ...]) -> Selector:
    return Selector(parts, Dialect.FLUTTER, spelled(Selector(parts, Dialect.FLUTTER, ""), Dialect.FLUTTER))


def _is_writable(selector: Selector, source: bytes | None) -> bool:
    """Whether the file knows every type that the finder names."""
    return source is None or all(_is_known(name, source) for name in _types(selector))


def _types(selector: Selector) -> Iterator[str]:
    for part in selector.parts:
        if part.engine in (Engine.TYPE, Engine.WIDGET_WITH_TEXT):
            yield str(part.value).partition("<")[0]
        if part.inner is not None:
            yield from _types(part.inner)


def _is_known(name: str, source: bytes) -> bool:
    if re.search(rb"\b" + re.escape(name.encode()) + rb"\b", source):
        return True
    library = rb"cupertino" if name.startswith("Cupertino") else rb"material"
    is_flutter_own = name in ROLES or name in _TEXTS
    return (
        is_flutter_own
        and re.search(rb"import\s+['\"]package:flutter/" + library + rb"\.dart['\"]\s*;", source) is not None
    )


def _candidates(element: Element, strategy: Strategy) -> Iterator[tuple[Part, ...]]:
    if key := element.get("key"):
        yield (Part(Engine.KEY, key, exact=True),)
    if element.tag == _FROM_SEMANTICS:
        yield from _by_semantics(element)
        return
    by_text, by_tooltip = list(_by_text(element)), list(_by_tooltip(element))
    yield from (by_tooltip + by_text) if strategy is Strategy.BY_TOOLTIP else (by_text + by_tooltip)
    yield (Part(Engine.TYPE, element.tag),)


def _by_semantics(element: Element) -> Iterator[tuple[Part, ...]]:
    for engine, name in ((Engine.SEMANTICS_LABEL, "semanticsLabel"), (Engine.TOOLTIP, "tooltip")):
        if said := element.get(name):
            yield (Part(engine, said, exact=True),)


def _by_text(element: Element) -> Iterator[tuple[Part, ...]]:
    if element.tag in _TEXTS and element.own_text:
        yield (Part(Engine.TEXT, element.own_text, exact=True),)
    elif element.text:
        yield (Part(Engine.WIDGET_WITH_TEXT, element.tag, exact=True, name=element.text),)


def _by_tooltip(element: Element) -> Iterator[tuple[Part, ...]]:
    tooltip = Part(Engine.TOOLTIP, element.get("tooltip") or element.get("title"), exact=True)
    if not tooltip.value:
        return
    yield (tooltip,)
    # The control is around its tooltip, or in it.
    inner = Selector((Part(Engine.TYPE, element.tag),), Dialect.FLUTTER, "")
    yield (tooltip, Part(Engine.ANCESTOR, inner=inner))
    yield (tooltip, Part(Engine.DESCENDANT, inner=inner))
