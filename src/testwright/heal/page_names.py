"""A page read once for many selectors: what each element is called, by whom, indexed by meaning."""

from collections import defaultdict
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property

from testwright.heal.name_meaning import meaning
from testwright.model.dom import DomSnapshot, Element
from testwright.model.selector import TEST_ID_ATTRIBUTES


class ElementKey(StrEnum):
    """Ways to tell an element. Each is decided by other people, so two that agree are two witnesses."""

    TEST_ID = "test id"
    ID = "id"
    NAME_ATTRIBUTE = "name attribute"
    READER = "name or text"  # text, label, accessible name, placeholder: one witness, since they come from one another
    CLASS = "class"
    LINK = "link"  # href, action, src
    KIND = "kind"  # role or tag; tells nothing alone


# How telling an attribute is: one test id is made for one element, one class for many.
TELLING: dict[ElementKey, float] = {
    ElementKey.TEST_ID: 1.0,
    ElementKey.ID: 0.9,
    ElementKey.NAME_ATTRIBUTE: 0.9,
    ElementKey.READER: 0.8,
    ElementKey.LINK: 0.8,
    ElementKey.KIND: 0.3,
    ElementKey.CLASS: 0.2,
}


class PageNames:
    """Names on a page. Only what a reader could see and use is looked at."""

    def __init__(self, page: DomSnapshot) -> None:
        self.page = page

    @cached_property
    def by_meaning(self) -> dict[str, list[tuple[int, ElementKey]]]:
        found: dict[str, list[tuple[int, ElementKey]]] = defaultdict(list)
        for element in self.page.elements:
            for key, said in names_of(element):
                entry = (element.number, key)
                if said and (means := meaning(said)) and entry not in found[means][-4:]:
                    found[means].append(entry)
        return dict(found)

    def called(self, *phrases: str) -> dict[int, set[ElementKey]]:
        """The elements that one of the phrases names, and who calls them so."""
        found: dict[int, set[ElementKey]] = defaultdict(set)
        for means in {meaning(phrase) for phrase in phrases} - {""}:
            for number, key in self.by_meaning.get(means, ()):
                found[number].add(key)
        return dict(found)

    def nested(self, one: int, other: int) -> bool:
        """Whether one of the two lies within the other."""
        return one in self.page.ancestors(other) or other in self.page.ancestors(one)


def names_of(element: Element) -> Iterator[tuple[ElementKey, str]]:
    """Everything that an element is called."""
    for attribute in TEST_ID_ATTRIBUTES:
        yield ElementKey.TEST_ID, element.get(attribute)
    yield ElementKey.ID, element.get("id")
    yield ElementKey.NAME_ATTRIBUTE, element.get("name")
    for said in {element.name, element.text, element.label, element.get("placeholder"), element.get("title")}:
        yield ElementKey.READER, said
    for each in element.get("class").split():
        yield ElementKey.CLASS, each
