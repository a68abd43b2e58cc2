"""Keys: what an element and the lost one have in common that no other element of the page has.

One key is never enough: on eight of a hundred pages that an element has left, its text is found on a stranger. Keys
count as independent when a developer would have to change each of them on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.similarity import strings
from testwright.heal.engine.traits import Traits, address_parts, caseless, test_id_of, words_of
from testwright.heal.thresholds import CONTRADICTS_BELOW
from testwright.model.dom import Element

WEAK = ("classes", "size")  # these support other keys, and carry no identity by themselves


def _size(element: Element) -> tuple[int, int] | None:
    box = element.box
    return None if box is None or box.area == 0 else (round(box.width), round(box.height))


# The keys that are attributes: which one, and the form in which it is compared.
_ATTRIBUTES: dict[str, tuple[str, Callable[[str], object]]] = {
    "href": ("href", lambda value: address_parts(value)[0]),
    "href_path": ("href", lambda value: address_parts(value)[1]),
    "id": ("id", caseless),
    "name_attribute": ("name", caseless),
    "placeholder": ("placeholder", caseless),
    "aria_label": ("aria-label", caseless),
    "alt": ("alt", caseless),
    "title": ("title", caseless),
    "source": ("src", lambda value: address_parts(value)[1]),
    "classes": ("class", lambda value: frozenset(value.split())),
}
_OTHERS: dict[str, Callable[[Element], object]] = {
    "text": words_of,
    "label": lambda element: caseless(element.label) if element.label else "",
    "test_id": lambda element: caseless(test_id_of(element)) if element.attributes else "",
    "size": _size,
}
KEYS = ("text", "label", "href", "href_path", "test_id", *(key for key in _ATTRIBUTES if "href" not in key), "size")


def value_of(key: str, element: Element) -> object:
    """Nothing where the element does not have it."""
    if key in _OTHERS:
        return _OTHERS[key](element)
    attribute, compared = _ATTRIBUTES[key]
    value = element.attributes.get(attribute)
    return compared(value) if value else None


@dataclass(frozen=True, slots=True)
class SharedKeys:
    """For each key of the lost element, who on the new page has its value; one thing to a reader counts once."""

    holders: dict[str, tuple[int, ...]]
    counts: dict[str, int]

    def agreed(self, number: int) -> tuple[str, ...]:
        return tuple(key for key, numbers in self.holders.items() if number in numbers)

    def singled_out(self, number: int) -> tuple[str, ...]:
        return tuple(key for key, numbers in self.holders.items() if number in numbers and self.counts[key] == 1)


def shared_keys(lost: Element, view: PageView) -> SharedKeys:
    wanted = {key: value for key in KEYS if (value := value_of(key, lost))}
    holders = {key: _holders(key, value, view) for key, value in wanted.items()}
    elements = view.page.elements
    counts = {key: _things(numbers, view) for key, numbers in holders.items()}
    if counts.get("text", 0) > 1:
        # A heading and the link to it share their words; among headings there may be only one.
        alike = [number for number in holders["text"] if elements[number].tag == lost.tag]
        if alike and _things(alike, view) == 1:
            holders["text"], counts["text"] = alike, 1
    return SharedKeys({key: tuple(numbers) for key, numbers in holders.items()}, counts)


def _holders(key: str, wanted: object, view: PageView) -> list[int]:
    if key == "text":
        return [number for number in view.candidates if view.words[number] == wanted]
    elements = view.page.elements
    if key in _OTHERS:
        value = _OTHERS[key]
        return [number for number in view.candidates if value(elements[number]) == wanted]
    attribute, compared = _ATTRIBUTES[key]
    having = ((number, elements[number].attributes.get(attribute)) for number in view.candidates)
    return [number for number, value in having if value and compared(value) == wanted]


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
        if one and other and one != other and (key in ("type", "role") or strings(one, other) < CONTRADICTS_BELOW):
            found.append(key)
    return tuple(found)
