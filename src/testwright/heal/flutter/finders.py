"""Flutter's finders on a page that was read from dumps: what one finds, and the best one for a widget."""

from collections.abc import Iterator

from testwright.heal.selectors.spelling import spelled
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import Strategy
from testwright.model.selector import Dialect, Engine, Part, Pattern, Selector

_TEXTS = frozenset({"Text", "SelectableText", "RichText"})


class CannotTell(Exception):
    """What the finder finds is only known to the running app."""


def found_by(selector: Selector, page: DomSnapshot) -> tuple[int, ...]:
    """The widgets that a finder finds, in order; what is off stage is not found. Raises CannotTell."""
    found = tuple(element.number for element in page.elements if element.visible)
    for at, part in enumerate(selector.parts):
        if part.engine is Engine.NTH:
            found = _nth(found, int(str(part.value)))
        elif part.engine in (Engine.DESCENDANT, Engine.ANCESTOR):
            found = _related(part, page, frozenset(found))
        elif part.engine is not Engine.VISIBLE:
            if at:
                raise CannotTell(f"a finder with {part.engine} after another")
            found = tuple(number for number in found if _fits(part, page, page.elements[number]))
    return found


def _nth(found: tuple[int, ...], position: int) -> tuple[int, ...]:
    inside = -len(found) <= position < len(found)
    return (found[position],) if inside else ()


def _related(part: Part, page: DomSnapshot, of: frozenset[int]) -> tuple[int, ...]:
    inner = found_by(part.inner, page) if part.inner is not None else ()
    root = part.options.get("matchRoot") == "true"
    if part.engine is Engine.DESCENDANT:
        return tuple(
            number for number in inner if (root and number in of) or not of.isdisjoint(page.ancestors(number))
        )
    above = {up for number in of for up in page.ancestors(number)} | (of if root else set())
    return tuple(number for number in inner if number in above)


def _fits(part: Part, page: DomSnapshot, element: Element) -> bool:
    match part.engine:
        case Engine.KEY:
            return "key" in element.attributes and element.get("key") == str(part.value)
        case Engine.TYPE:
            return element.tag == part.value
        case Engine.TEXT:
            return element.tag in _TEXTS and _says(part, element.own_text)
        case Engine.TOOLTIP:
            return element.tag == "Tooltip" and _says(part, element.get("tooltip"))
        case Engine.SEMANTICS_LABEL:
            return element.tag in ("Semantics", "SemanticsNode") and _says(part, element.get("semanticsLabel"))
        case Engine.WIDGET_WITH_TEXT:
            return element.tag == part.value and _has_text(page, element, part.name)
    raise CannotTell(f"a finder by {part.engine}")


def _says(part: Part, text: str) -> bool:
    wanted = part.value
    if isinstance(wanted, Pattern):
        raise CannotTell("a pattern")
    folded = " ".join(wanted.split())
    return text == folded if part.exact else bool(folded) and folded in text


def _has_text(page: DomSnapshot, element: Element, text: object) -> bool:
    if not isinstance(text, str):
        raise CannotTell("a pattern")
    wanted = " ".join(text.split())
    # The nearest widget of that type around each text counts, and every one further out.
    return any(page.elements[each].tag in _TEXTS and page.elements[each].own_text == wanted for each in _below(page, element))


def _below(page: DomSnapshot, element: Element) -> Iterator[int]:
    waiting = list(page.children[element.number])
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(page.children[at])


# --- choosing --------------------------------------------------------------------------------


def finder_for(page: DomSnapshot, number: int, strategy: Strategy) -> Selector | None:
    """A finder that finds exactly this widget, by what the strategy went by if that can be; None: there is none.

    A test may ask a widget for its type, so that what is found must be the widget itself and not the text in it.
    """
    for parts in _candidates(page, page.elements[number], strategy):
        selector = Selector(parts, Dialect.FLUTTER, "")
        if found_by(selector, page) == (number,):
            return Selector(parts, Dialect.FLUTTER, spelled(selector, Dialect.FLUTTER))
    return None


def _candidates(page: DomSnapshot, element: Element, strategy: Strategy) -> Iterator[tuple[Part, ...]]:
    by_text = list(_by_text(element))
    by_caption = list(_by_caption(page, element))
    if key := element.get("key"):
        yield (Part(Engine.KEY, key, exact=True),)
    yield from (by_caption + by_text) if strategy is Strategy.BY_TOOLTIP else (by_text + by_caption)
    if not element.tag.startswith("_") and element.tag != "SemanticsNode":
        yield (Part(Engine.TYPE, element.tag),)


def _by_text(element: Element) -> Iterator[tuple[Part, ...]]:
    if element.tag in _TEXTS and element.own_text:
        yield (Part(Engine.TEXT, element.own_text, exact=True),)
    elif element.text and element.tag != "SemanticsNode":
        yield (Part(Engine.WIDGET_WITH_TEXT, element.tag, exact=True, name=element.text),)


def _by_caption(page: DomSnapshot, element: Element) -> Iterator[tuple[Part, ...]]:
    if label := element.get("semanticsLabel"):
        yield (Part(Engine.SEMANTICS_LABEL, label, exact=True),)
    tooltip = element.get("tooltip")
    if not tooltip:
        return
    found = Part(Engine.TOOLTIP, tooltip, exact=True)
    yield (found,)
    # A tooltip inside the control: what is around it is asked for by its type.
    inner = Selector((Part(Engine.TYPE, element.tag),), Dialect.FLUTTER, "")
    yield (found, Part(Engine.ANCESTOR, inner=inner))
    yield (found, Part(Engine.DESCENDANT, inner=inner))
