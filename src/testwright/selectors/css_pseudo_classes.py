"""The pseudo-classes of CSS that a kept page can answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testwright.model.dom import Element
from testwright.selectors.page_index import PageIndex

ElementTest = Callable[[PageIndex, int], bool]
_CONTROLS = frozenset({"button", "input", "select", "textarea", "optgroup", "option", "fieldset"})
_REQUIRABLE = frozenset({"input", "select", "textarea"})
_TYPED = frozenset({"checkbox", "radio", "button", "submit", "reset", "image", "file", "color", "range", "hidden"})


def pseudo_test(name: str) -> ElementTest | None:
    """None: it is unknown, or there is none of that name."""
    return _TESTS.get(name)


def nth_of(name: str, arguments: Sequence[Any]) -> tuple["Nth", Sequence[Any]] | None:
    """`:nth-child(2n+1 of .item)` and its kin: what is counted, and the tokens after `of`. None: it is none of them."""
    import tinycss2.nth  # type: ignore[import-untyped]  # it has no types  # late: start-up: tinycss2

    if name not in _NTH:
        return None
    of = next((at for at, token in enumerate(arguments) if token.type == "ident" and token.lower_value == "of"), None)
    formula = tinycss2.nth.parse_nth(list(arguments[:of]))
    if formula is None or (of is not None and "of-type" in name):
        return None
    from_end, of_type = _NTH[name]
    step, offset = formula
    return Nth(step, offset, from_end, of_type), arguments[of + 1 :] if of is not None else ()


@dataclass(frozen=True, slots=True)
class Nth:
    """Every `step`-th sibling from `offset` on."""

    step: int = 0
    offset: int = 0
    from_end: bool = False
    of_type: bool = False

    def holds(self, index: PageIndex, number: int) -> bool:
        if not self.of_type:
            return self.fits(index.places[number], len(index.siblings[number]))
        counted = _of_type(index, number)
        return self.fits(counted.index(number), len(counted))

    def fits(self, place: int, count: int) -> bool:
        place = count - place if self.from_end else place + 1
        if self.step == 0:
            return place == self.offset
        return (place - self.offset) % self.step == 0 and (place - self.offset) // self.step >= 0


_NTH = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}


def _of_type(index: PageIndex, number: int) -> list[int]:
    tag = index.elements[number].tag
    return [one for one in index.siblings[number] if index.elements[one].tag == tag]


def _of_element(test: Callable[[Element], bool]) -> ElementTest:
    return lambda index, number: test(index.elements[number])


def _is_link(element: Element) -> bool:
    return element.tag in {"a", "area"} and "href" in element.attributes


def _is_checked(element: Element) -> bool:
    if element.tag == "option":
        return "selected" in element.attributes
    return element.get("type").lower() in {"checkbox", "radio"} and "checked" in element.attributes


def _is_editable(element: Element) -> bool:
    if element.tag == "textarea" or (element.tag == "input" and element.get("type").lower() not in _TYPED):
        return element.enabled and "readonly" not in element.attributes
    return element.attributes.get("contenteditable", "false").lower() in {"", "true", "plaintext-only"}


def _is_last_of_type(index: PageIndex, number: int) -> bool:
    return _of_type(index, number)[-1] == number


def _is_first_of_type(index: PageIndex, number: int) -> bool:
    return _of_type(index, number)[0] == number


_TESTS: Mapping[str, ElementTest] = {
    "root": lambda index, number: index.is_root(number),
    "empty": lambda index, number: not index.children[number] and not index.elements[number].own_text,
    "first-child": lambda index, number: index.places[number] == 0,
    "last-child": lambda index, number: index.siblings[number][-1] == number,
    "only-child": lambda index, number: len(index.siblings[number]) == 1,
    "first-of-type": _is_first_of_type,
    "last-of-type": _is_last_of_type,
    "only-of-type": lambda index, number: len(_of_type(index, number)) == 1,
    "link": _of_element(_is_link),
    "any-link": _of_element(_is_link),
    "checked": _of_element(_is_checked),
    "disabled": _of_element(lambda element: element.tag in _CONTROLS and not element.enabled),
    "enabled": _of_element(lambda element: element.tag in _CONTROLS and element.enabled),
    "required": _of_element(lambda element: element.tag in _REQUIRABLE and "required" in element.attributes),
    "optional": _of_element(lambda element: element.tag in _REQUIRABLE and "required" not in element.attributes),
    "read-write": _of_element(_is_editable),
    "read-only": _of_element(lambda element: not _is_editable(element)),
    "defined": lambda _index, _number: True,
}
