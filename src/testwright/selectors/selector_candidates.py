"""Ways to say which element is meant, the best first: test id, role and name, label, placeholder, text, id, CSS."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testwright.model.dom import Element
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart
from testwright.selectors.page_index import PageIndex
from testwright.selectors.stability import looks_generated, looks_volatile

TEXT_WIDGETS = frozenset({"Text", "SelectableText", "RichText"})
_FROM_SEMANTICS = "SemanticsNode"  # of a page that was read from a semantics tree: it has no widgets
LONGEST_NAME = 80
_SAYS_LITTLE = frozenset({"", "generic", "none", "presentation", "paragraph", "rowgroup", "strong", "emphasis", "text"})
_FIELDS = frozenset({"input", "textarea", "select"})
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*")
_ATTRIBUTES = ("name", "aria-label", "placeholder", "alt", "title", "for", "type", "href", "value", "action")


@dataclass(frozen=True, slots=True)
class SelectorStyle:
    """How a selector is to be written."""

    test_id_attributes: Sequence[str]
    as_string: bool  # only what can be said in one string


def selector_candidates(
    index: PageIndex, number: int, manner: SelectorStyle
) -> tuple[list[SelectorPart], list[SelectorPart]]:
    """What a person would write, and what is left when that finds others too: CSS, and texts that show data.

    Each may find others: try one before it is used.
    """
    element = index.elements[number]
    preferred = list(_preferred(index, element, manner))
    passing = [part for part in preferred if looks_volatile(_said(part))]
    return [part for part in preferred if part not in passing], [*_by_css(element), *passing]


def _preferred(index: PageIndex, element: Element, manner: SelectorStyle) -> Iterator[SelectorPart]:
    yield from by_test_id(element, manner)
    yield from _by_role_and_name(element, manner)
    if manner.as_string:
        yield from by_id(element)
        yield from _by_text_in_css(index, element)
        return
    yield from _by_attribute_texts(element)
    yield from _by_text(index, element)
    yield from _by_captions(element)
    yield from _by_role(element)
    yield from by_id(element)


def by_test_id(element: Element, manner: SelectorStyle) -> Iterator[SelectorPart]:
    for name in manner.test_id_attributes:
        value = element.get(name)
        if value and not looks_generated(value):
            yield css(f"[{name}={quoted(value)}]") if manner.as_string else SelectorPart(SelectorEngine.TEST_ID, value)


def by_id(element: Element) -> Iterator[SelectorPart]:
    value = element.get("id")
    if value and not looks_generated(value):
        yield css(f"#{value}" if _PLAIN_NAME.fullmatch(value) else f"[id={quoted(value)}]")


def css(text: str) -> SelectorPart:
    return SelectorPart(SelectorEngine.CSS, text)


def quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\{ord(found[0]):x} ", escaped) + '"'


def _by_role_and_name(element: Element, manner: SelectorStyle) -> Iterator[SelectorPart]:
    if element.role in _SAYS_LITTLE or not element.name or len(element.name) > LONGEST_NAME:
        return
    if manner.as_string:
        yield SelectorPart(SelectorEngine.ROLE, element.role, name=element.name, options={"engine": "role"})
        return
    yield SelectorPart(SelectorEngine.ROLE, element.role, name=element.name)
    yield SelectorPart(SelectorEngine.ROLE, element.role, name=element.name, exact=True)


def _by_role(element: Element) -> Iterator[SelectorPart]:
    if element.role not in _SAYS_LITTLE and not element.name:
        yield SelectorPart(SelectorEngine.ROLE, element.role)


def _by_attribute_texts(element: Element) -> Iterator[SelectorPart]:
    if element.tag in _FIELDS:
        yield from _with_text(SelectorEngine.LABEL, element.label or element.get("aria-label"))
        yield from _with_text(SelectorEngine.PLACEHOLDER, element.get("placeholder"))


def _by_captions(element: Element) -> Iterator[SelectorPart]:
    yield from _with_text(SelectorEngine.ALT_TEXT, element.get("alt"))
    yield from _with_text(SelectorEngine.TITLE, element.get("title"))


def _by_text(index: PageIndex, element: Element) -> Iterator[SelectorPart]:
    yield from _with_text(SelectorEngine.TEXT, _solid_text(index, element))


def _with_text(engine: SelectorEngine, text: str) -> Iterator[SelectorPart]:
    text = " ".join(text.split())
    if text and len(text) <= LONGEST_NAME:
        yield SelectorPart(engine, text)
        yield SelectorPart(engine, text, exact=True)


def _by_text_in_css(index: PageIndex, element: Element) -> Iterator[SelectorPart]:
    text = _solid_text(index, element)
    if text and len(text) <= LONGEST_NAME:
        yield css(f"{tag_of(element)}:has-text({quoted(text)})")
        if element.own_text == text:
            yield SelectorPart(SelectorEngine.TEXT, text, exact=True, options={"engine": "text"})


def _solid_text(index: PageIndex, element: Element) -> str:
    """The element's text where it stands in one place: between several, browsers see other spaces than readers."""
    text = element.text
    if element.tag in _FIELDS or not text:
        return ""
    inside = range(element.number, index.ends[element.number])
    return text if any(index.elements[number].own_text == text for number in inside) else ""


def _by_css(element: Element) -> Iterator[SelectorPart]:
    """By attributes, then by the classes that look as if a person had chosen them."""
    tag = tag_of(element)
    for name in _ATTRIBUTES:
        value = element.get(name)
        if value and len(value) <= LONGEST_NAME and not looks_generated(value):
            yield css(f"{tag}[{name}={quoted(value)}]")
    classes = [
        word for word in element.get("class").split() if _PLAIN_NAME.fullmatch(word) and not looks_generated(word)
    ]
    for word in classes:
        yield css(f"{tag}.{word}")
    if len(classes) > 1:
        yield css(tag + "".join(f".{word}" for word in classes))


def tag_of(element: Element) -> str:
    return element.tag if _PLAIN_NAME.fullmatch(element.tag) else "*"


def _said(part: SelectorPart) -> str:
    """The words of a part that a reader of the page sees; a test id or an id is not for readers."""
    if part.engine in {SelectorEngine.TEST_ID, SelectorEngine.CSS} and ":has-text(" not in str(part.value):
        return ""
    return str(part.name) if part.engine is SelectorEngine.ROLE and part.name is not None else str(part.value)


def finder_candidates(element: Element, *, tooltip_first: bool = False) -> Iterator[tuple[SelectorPart, ...]]:
    if key := element.get("key"):
        yield (SelectorPart(SelectorEngine.KEY, key, exact=True),)
    if element.tag == _FROM_SEMANTICS:
        yield from _finder_by_semantics(element)
        return
    if not element.tag[:1].isupper():  # a private type cannot be named
        return
    by_text, by_tooltip = list(_finder_by_text(element)), list(_finder_by_tooltip(element))
    yield from (by_tooltip + by_text) if tooltip_first or element.tag == "Tooltip" else (by_text + by_tooltip)
    yield (SelectorPart(SelectorEngine.TYPE, element.tag),)


def _finder_by_semantics(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    for engine, name in ((SelectorEngine.SEMANTICS_LABEL, "semanticsLabel"), (SelectorEngine.TOOLTIP, "tooltip")):
        if said := element.get(name):
            yield (SelectorPart(engine, said, exact=True),)


def _finder_by_text(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    if element.tag in TEXT_WIDGETS and element.own_text:
        yield (SelectorPart(SelectorEngine.TEXT, element.own_text, exact=True),)
    elif element.text and len(element.text) <= LONGEST_NAME:
        yield (SelectorPart(SelectorEngine.WIDGET_WITH_TEXT, element.tag, exact=True, name=element.text),)


def _finder_by_tooltip(element: Element) -> Iterator[tuple[SelectorPart, ...]]:
    tooltip = SelectorPart(SelectorEngine.TOOLTIP, element.get("tooltip") or element.get("title"), exact=True)
    if not tooltip.value:
        return
    yield (tooltip,)
    # The control is around its tooltip, or in it.
    inner = Selector((SelectorPart(SelectorEngine.TYPE, element.tag),), Dialect.FLUTTER, "")
    yield (tooltip, SelectorPart(SelectorEngine.ANCESTOR, inner=inner))
    yield (tooltip, SelectorPart(SelectorEngine.DESCENDANT, inner=inner))
