"""From raw elements to elements with text, label, role and name."""

from collections.abc import Sequence

from testwright.model.accessibility.accessible_names import AccessibleNames
from testwright.model.accessibility.aria_roles import input_type, role_of
from testwright.model.accessibility.outline import IGNORED, Outline
from testwright.model.accessibility.raw_element import RawElement, folded
from testwright.model.dom import MOST_TEXT, Element

# Never drawn with a box of their own, and yet there for those who open the list.
_WITHOUT_BOX = frozenset({"option", "optgroup", "area"})
_VALUE_IS_TEXT = frozenset({"submit", "button", "reset"})


def elements_from(raws: Sequence[RawElement]) -> tuple[Element, ...]:
    """The elements of a page, given in document order."""
    outline = Outline(raws)
    roles = [role_of(outline, number) for number in range(len(raws))]
    names = AccessibleNames(outline, roles)
    texts = _visible_texts(outline)
    return tuple(
        Element(
            number,
            raw.parent,
            raw.tag,
            raw.attributes,
            _own_text(raw),
            texts[number],
            roles[number],
            names.of(number),
            (names.label(number) if number in outline.labels else "") if raw.label is None else raw.label,
            raw.box,
            raw.visible,
            outline.enabled[number],
            raw.frame,
            raw.in_shadow,
            not outline.hidden[number],
        )
        for number, raw in enumerate(raws)
    )


def completed(elements: Sequence[Element]) -> tuple[Element, ...]:
    """`elements` with what they lack worked out. A given text or label stays; own text comes before children."""
    raws = [
        RawElement(
            element.tag,
            element.parent,
            dict(element.attributes),
            [element.own_text] if element.own_text else [],
            box=element.box,
            visible=element.visible,
            hidden=not element.visible and element.tag not in _WITHOUT_BOX,
            enabled=element.enabled,
            frame=element.frame,
            in_shadow=element.in_shadow,
            text=element.text or None,
            label=element.label or None,
        )
        for element in elements
    ]
    for number, raw in enumerate(raws):
        _hang(raws, number, raw)
    return elements_from([_with_text_inside(raw) for raw in raws])


def _hang(raws: Sequence[RawElement], number: int, raw: RawElement) -> None:
    if raw.parent is None or raws[raw.parent].frame != raw.frame:
        return
    above = raws[raw.parent]
    if not raw.in_shadow:
        above.contents.append(number)
        return
    if above.shadow is None:
        above.shadow = []
    above.shadow.append(number)


def _with_text_inside(raw: RawElement) -> RawElement:
    """Where the text below an element was not recorded, only its own whole text, that is its content."""
    if raw.text and not raw.contents and raw.shadow is None:
        raw.contents.append(raw.text)
    return raw


def _own_text(raw: RawElement) -> str:
    if raw.tag in IGNORED or not raw.contents:
        return ""
    return folded(" ".join([part for part in raw.contents if isinstance(part, str)]))


def _visible_texts(outline: Outline) -> list[str]:
    """What a reader sees of each element. From the last to the first: what is inside comes after what is around it."""
    raws = outline.raws
    loose = [""] * len(raws)  # with the white space at the ends, which may part it from what stands beside it
    texts = [""] * len(raws)
    for number in range(len(raws) - 1, -1, -1):
        loose[number] = _loose_text(outline, number, loose)
    for number, raw in enumerate(raws):
        texts[number] = (folded(loose[number]) if raw.text is None else raw.text)[:MOST_TEXT]
    return texts


def _loose_text(outline: Outline, number: int, loose: Sequence[str]) -> str:
    raw = outline.raws[number]
    if raw.tag in IGNORED or raw.tag == "textarea":
        return ""
    if raw.tag == "input":
        return raw.attributes.get("value", "") if input_type(raw.attributes) in _VALUE_IS_TEXT else ""
    parts: list[str] = []
    length = 0
    for child in outline.rendered(number):
        if isinstance(child, str):
            part = child
        elif outline.raws[child].hidden and not raw.hidden:
            continue
        else:
            part = loose[child]
            if not outline.is_inline(child) and outline.raws[child].tag != "slot":
                part = f" {part} "
        parts.append(part)
        length += len(part)
        if length > 2 * MOST_TEXT:
            break
    return "".join(parts)
