"""What `getByRole` asks of an element besides its role: name, state, level, and that it is not hidden."""

import re
from collections.abc import Callable, Mapping

from testwright.model.accessibility.raw_element import folded
from testwright.model.dom import Element
from testwright.model.errors import SelectorUnsupported
from testwright.model.selector import SelectorPart, TextPattern
from testwright.selectors.page_index import PageIndex
from testwright.selectors.text_tests import TextTest, pattern_test

_HEADING = re.compile("h[1-6]")
_NOT_A_STATE = frozenset({"engine", "name-operator", "include-hidden"})


def role_test(part: SelectorPart, index: PageIndex) -> Callable[[int], bool]:
    name = None if part.name is None else _name_test(part, part.name)
    states = {name: value for name, value in part.options.items() if name not in _NOT_A_STATE}
    for state in states:
        if state not in _STATES:
            raise SelectorUnsupported(
                f"A role's {state} cannot be told from a kept page.", next_step="Use another selector."
            )
    with_hidden = part.options.get("include-hidden") == "true"

    def test(number: int) -> bool:
        element = index.elements[number]
        if not with_hidden and not element.exposed:
            return False
        if any(_STATES[state](element) != wanted for state, wanted in states.items()):
            return False
        return name is None or name(folded(element.name))

    return test


def _name_test(part: SelectorPart, wanted: str | TextPattern) -> TextTest:
    if isinstance(wanted, TextPattern):
        return pattern_test(wanted)
    is_plain = part.options.get("engine") == "role"
    operator = part.options.get("name-operator", "=")
    if not is_plain and not part.exact and operator == "=":
        operator = "*="  # a name is looked for anywhere in the whole name, unless it is exact
    compare = _OPERATORS[operator]
    sought = folded(wanted)
    if part.exact:
        return lambda name: compare(name, sought)
    upper = sought.upper()
    return lambda name: compare(name.upper(), upper)


_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda name, wanted: name == wanted,
    "*=": lambda name, wanted: wanted in name,
    "^=": lambda name, wanted: name.startswith(wanted),
    "$=": lambda name, wanted: name.endswith(wanted),
    "|=": lambda name, wanted: name == wanted or name.startswith(wanted + "-"),
    "~=": lambda name, wanted: wanted in name.split(" "),
}


def _checked(element: Element) -> str:
    if element.tag == "input" and element.get("type").lower() in {"checkbox", "radio"}:
        return _word("checked" in element.attributes)
    return _aria(element, "aria-checked")


def _selected(element: Element) -> str:
    if element.tag == "option":
        return _word("selected" in element.attributes)
    return _word(element.get("aria-selected") == "true")


def _expanded(element: Element) -> str:
    if element.tag == "details":
        return _word("open" in element.attributes)
    if "aria-expanded" not in element.attributes:
        return ""
    return _word(element.get("aria-expanded") == "true")


def _level(element: Element) -> str:
    return element.get("aria-level") or (element.tag[1] if _HEADING.fullmatch(element.tag) else "")


def _aria(element: Element, name: str) -> str:
    value = element.get(name)
    return value if value in {"true", "mixed"} else "false"


def _word(value: bool) -> str:
    return "true" if value else "false"


_STATES: Mapping[str, Callable[[Element], str]] = {
    "checked": _checked,
    "selected": _selected,
    "pressed": lambda element: _aria(element, "aria-pressed"),
    "expanded": _expanded,
    "level": _level,
    "disabled": lambda element: _word(not element.enabled or element.get("aria-disabled") == "true"),
}
