"""The text of every element as Playwright's text selectors see it: hidden text counts, scripts and the head do not."""

from collections.abc import Sequence

from testwright.model.dom import MOST_TEXT, Element

_SKIPPED = frozenset({"script", "style", "noscript", "head", "template"})
_BUTTON_TYPES = frozenset({"submit", "button", "reset"})
_LONGEST = 20_000


def page_texts(elements: Sequence[Element], children: Sequence[Sequence[int]]) -> list[str]:
    texts = [""] * len(elements)
    has_more = [False] * len(elements)  # than a reader sees
    in_head, slotted = _in_head(elements), _around_slots(elements)
    for element in reversed(elements):
        number = element.number
        if element.tag in _SKIPPED or in_head[number]:
            continue
        if element.tag == "input":
            texts[number] = element.get("value") if element.get("type").lower() in _BUTTON_TYPES else ""
            continue
        below = [child for child in children[number] if texts[child] and elements[child].frame == element.frame]
        seen = "" if slotted[number] else element.text
        if not seen or len(seen) >= MOST_TEXT:
            composed = " ".join(piece for piece in [element.own_text, *(texts[child] for child in below)] if piece)
            texts[number] = composed[:_LONGEST] if len(composed) >= len(seen) else seen
            has_more[number] = True
        else:
            more = [texts[child] for child in below if has_more[child] or not elements[child].visible]
            more = [text for text in more if text not in seen]
            texts[number] = " ".join([seen, *more])
            has_more[number] = bool(more)
    return texts


def _around_slots(elements: Sequence[Element]) -> list[bool]:
    """Slots, and what is around them up to the host: readers see there what stands elsewhere in the document."""
    found = [element.tag == "slot" for element in elements]
    for element in reversed(elements):
        if found[element.number] and element.parent is not None and not _is_host(element, elements):
            found[element.parent] = True
    return found


def _is_host(element: Element, elements: Sequence[Element]) -> bool:
    following = element.number + 1  # a shadow root's elements come first
    if following >= len(elements):
        return False
    return elements[following].parent == element.number and elements[following].in_shadow


def _in_head(elements: Sequence[Element]) -> list[bool]:
    found = [False] * len(elements)
    for element in elements:
        if element.parent is not None:
            found[element.number] = found[element.parent] or elements[element.parent].tag == "head"
    return found
