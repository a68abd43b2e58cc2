"""The text of every element the way Playwright's text selectors see it: hidden text counts, scripts and the head do not."""

from collections.abc import Sequence

from testwright.model.dom import MOST_TEXT, Element

_SKIPPED = frozenset({"script", "style", "noscript", "head", "template"})
_BUTTON_TYPES = frozenset({"submit", "button", "reset"})
_LONGEST = 20_000


def page_texts(elements: Sequence[Element], children: Sequence[Sequence[int]]) -> list[str]:
    texts = [""] * len(elements)
    has_more = [False] * len(elements)  # than a reader sees
    in_head = _in_head(elements)
    for element in reversed(elements):
        number = element.number
        if element.tag in _SKIPPED or in_head[number]:
            continue
        if element.tag == "input":
            texts[number] = element.get("value") if element.get("type").lower() in _BUTTON_TYPES else ""
            continue
        below = [child for child in children[number] if texts[child] and elements[child].frame == element.frame]
        seen = element.text
        if not seen or len(seen) >= MOST_TEXT:
            pieces = [element.own_text, *(texts[child] for child in below)]
            composed = " ".join(piece for piece in pieces if piece)[:_LONGEST]
            texts[number] = composed if len(composed) >= len(seen) else seen
            has_more[number] = True
        else:
            more = [
                texts[child]
                for child in below
                if (has_more[child] or not elements[child].visible) and texts[child] not in seen
            ]
            texts[number] = " ".join([seen, *more])
            has_more[number] = bool(more)
    return texts


def _in_head(elements: Sequence[Element]) -> list[bool]:
    found = [False] * len(elements)
    for element in elements:
        if element.parent is not None:
            found[element.number] = found[element.parent] or elements[element.parent].tag == "head"
    return found
