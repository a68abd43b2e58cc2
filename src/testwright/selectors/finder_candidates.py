"""Flutter finders for a widget, the best first."""

from collections.abc import Iterator

from testwright.model.dom import Element
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart
from testwright.selectors.selector_candidates import LONGEST_NAME

TEXT_WIDGETS = frozenset({"Text", "SelectableText", "RichText"})
_FROM_SEMANTICS = "SemanticsNode"  # of a page that was read from a semantics tree: it has no widgets


def finder_candidates(element: Element, *, tooltip_first: bool = False) -> Iterator[tuple[SelectorPart, ...]]:
    if key := element.get("key"):
        yield (SelectorPart(SelectorEngine.KEY, key, exact=True),)
    if element.tag == _FROM_SEMANTICS:
        yield from _by_semantics(element)
        return
    if not element.tag[:1].isupper():  # a private type cannot be named
        return
    by_text, by_tooltip = list(_by_text(element)), list(_by_tooltip(element))
    yield from (by_tooltip + by_text) if tooltip_first or element.tag == "Tooltip" else (by_text + by_tooltip)
    yield (SelectorPart(SelectorEngine.TYPE, element.tag),)


def _by_semantics(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    for engine, name in ((SelectorEngine.SEMANTICS_LABEL, "semanticsLabel"), (SelectorEngine.TOOLTIP, "tooltip")):
        if said := element.get(name):
            yield (SelectorPart(engine, said, exact=True),)


def _by_text(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    if element.tag in TEXT_WIDGETS and element.own_text:
        yield (SelectorPart(SelectorEngine.TEXT, element.own_text, exact=True),)
    elif element.text and len(element.text) <= LONGEST_NAME:
        yield (SelectorPart(SelectorEngine.WIDGET_WITH_TEXT, element.tag, exact=True, name=element.text),)


def _by_tooltip(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    tooltip = SelectorPart(SelectorEngine.TOOLTIP, element.get("tooltip") or element.get("title"), exact=True)
    if not tooltip.value:
        return
    yield (tooltip,)
    # The control is around its tooltip, or in it.
    inner = Selector((SelectorPart(SelectorEngine.TYPE, element.tag),), Dialect.FLUTTER, "")
    yield (tooltip, SelectorPart(SelectorEngine.ANCESTOR, inner=inner))
    yield (tooltip, SelectorPart(SelectorEngine.DESCENDANT, inner=inner))
