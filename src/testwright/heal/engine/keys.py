"""Keys: what an element and the lost one have in common that nobody else on the page has.

One key is never enough: on eight of a hundred pages that an element has left, its text is found on a stranger. Keys
count as independent when a developer would have to change each of them on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.similarity import strings
from testwright.heal.engine.traits import Traits, address_parts, folded, test_id_of, words_of
from testwright.model.dom import Element

WEAK = ("classes", "size")  # these support other keys, and carry no identity by themselves
_UNLIKE = 0.45  # values less alike than this contradict one another


def _size(element: Element) -> tuple[int, int] | None:
    box = element.box
    return None if box is None or box.area == 0 else (round(box.width), round(box.height))


_VALUES: dict[str, Callable[[Element], object]] = {
    "text": words_of,
    "label": lambda element: folded(element.label),
    "href": lambda element: address_parts(element.attributes.get("href", ""))[0],
    "href_path": lambda element: address_parts(element.attributes.get("href", ""))[1],
    "test_id": lambda element: folded(test_id_of(element)),
    "id": lambda element: folded(element.attributes.get("id", "")),
    "name_attribute": lambda element: folded(element.attributes.get("name", "")),
    "placeholder": lambda element: folded(element.attributes.get("placeholder", "")),
    "aria_label": lambda element: folded(element.attributes.get("aria-label", "")),
    "alt": lambda element: folded(element.attributes.get("alt", "")),
    "title": lambda element: folded(element.attributes.get("title", "")),
    "source": lambda element: address_parts(element.attributes.get("src", ""))[1],
    "classes": lambda element: frozenset(element.attributes.get("class", "").split()),
    "size": _size,
}


def value_of(key: str, element: Element) -> object:
    return _VALUES[key](element)


@dataclass(frozen=True, slots=True)
class SharedKeys:
    """For each key of the lost element: who on the new page has the same value, things to a reader counted once."""

    holders: dict[str, tuple[int, ...]]
    counts: dict[str, int]

    def agreed(self, number: int) -> tuple[str, ...]:
        return tuple(key for key, numbers in self.holders.items() if number in numbers)

    def singled_out(self, number: int) -> tuple[str, ...]:
        return tuple(key for key, numbers in self.holders.items() if number in numbers and self.counts[key] == 1)


def shared_keys(lost: Element, view: PageView) -> SharedKeys:
    wanted = {key: value for key in _VALUES if (value := value_of(key, lost))}
    holders: dict[str, list[int]] = {key: [] for key in wanted}
    elements = view.page.elements
    for number in view.candidates:
        element = elements[number]
        for key, value in wanted.items():
            if (view.words[number] if key == "text" else _VALUES[key](element)) == value:
                holders[key].append(number)
    counts = {key: _things(numbers, view) for key, numbers in holders.items()}
    if counts.get("text", 0) > 1:
        # A heading and the link to it share their words; among headings there may be only one.
        alike = [number for number in holders["text"] if elements[number].tag == lost.tag]
        if alike and _things(alike, view) == 1:
            holders["text"], counts["text"] = alike, 1
    return SharedKeys({key: tuple(numbers) for key, numbers in holders.items()}, counts)


def _things(numbers: list[int], view: PageView) -> int:
    """How many things these elements are to a reader."""
    count, last = 0, None
    for number in numbers:
        if last is None or not view.are_one(last, number):
            count, last = count + 1, number
    return count


_MAY_CONTRADICT = (
    *("text", "label", "href_path", "placeholder", "aria_label", "alt"),
    *("name_attribute", "test_id", "id", "type", "role"),
)


def contradictions(old: Traits, new: Traits) -> tuple[str, ...]:
    """What both have and is so different that it speaks against them being the same."""
    found = []
    for key in _MAY_CONTRADICT:
        one, other = getattr(old, key), getattr(new, key)
        if one and other and one != other and (key in ("type", "role") or strings(one, other) < _UNLIKE):
            found.append(key)
    return tuple(found)
