"""The keys of a selector's own words: which elements of a page they name, and by how many independent ways."""

from collections.abc import Collection

from testwright.heal.engine.traits import caseless
from testwright.heal.name_meaning import meaning
from testwright.heal.page_names import TELLING, ElementKey, PageNames, names_of
from testwright.heal.selector_intent import Intent
from testwright.model.dom import Element

Keys = dict[int, frozenset[ElementKey]]  # for each element that the words name, the keys that agree

# Of anything else, `name` is not what tells it apart: a link's is a place on the page.
_NAMED_CONTROLS = frozenset({"input", "select", "textarea", "button", "form", "fieldset", "output", "iframe"})
_LINKS = ("href", "action", "src")


def keys_of(intent: Intent, reading: PageNames, within: Collection[int] | None) -> Keys:
    """For each element that the selector's words name, the keys that agree."""
    named = reading.called(*intent.names, *intent.identifiers)
    linked = [value for name, value in intent.attributes.items() if name in _LINKS]
    found: Keys = {}
    for element in reading.page.elements:
        keys = set(named.get(element.number, ()))
        if linked and any(element.get(name) in linked for name in _LINKS):
            keys.add(ElementKey.LINK)
        if not keys or not is_usable(element) or not is_within(element, within):
            continue
        keys -= _not_witnesses(intent, element)
        if is_of_kind(intent, element):
            keys.add(ElementKey.KIND)
        elif not element.role:
            continue  # a wrapper, which has the words of what is in it
        if keys - {ElementKey.KIND}:
            found[element.number] = frozenset(keys)
    return found


def _not_witnesses(intent: Intent, element: Element) -> set[ElementKey]:
    """Keys that say nothing of this element, even where the words are the same."""
    silent: set[ElementKey] = set()
    if not _has_all_classes(intent, element):
        silent.add(ElementKey.CLASS)
    if element.tag not in _NAMED_CONTROLS:
        silent.add(ElementKey.NAME_ATTRIBUTE)
    if intent.by_text and not element.text:
        silent.add(ElementKey.READER)  # a field's label is not its text
    return silent


def is_usable(element: Element) -> bool:
    return element.visible and element.enabled and element.tag not in ("html", "body", "head", "script", "style")


def is_within(element: Element, within: Collection[int] | None) -> bool:
    return element.frame == 0 if within is None else element.number in within


def _has_all_classes(intent: Intent, element: Element) -> bool:
    """One class of several is not the selector's word, and a class that only repeats its text is not a second one."""
    wanted = {meaning(each) for each in (intent.classes or intent.identifiers)} - {""}
    return bool(wanted) and wanted <= {meaning(each) for each in element.get("class").split()}


def is_of_kind(intent: Intent, element: Element) -> bool:
    if intent.roles:
        return element.role in intent.roles
    return bool(intent.tag) and intent.tag not in ("div", "span") and element.tag == intent.tag


def weight_of(keys: Collection[ElementKey]) -> float:
    """How telling they are together."""
    return sum(TELLING[key] for key in keys)


def said_by(intent: Intent) -> list[ElementKey]:
    """The keys that the selector has words for."""
    pairs = (
        (ElementKey.TEST_ID, intent.test_id),
        (ElementKey.ID, intent.element_id),
        (ElementKey.NAME_ATTRIBUTE, intent.attributes.get("name")),
        (ElementKey.READER, intent.names),
        (ElementKey.CLASS, intent.classes),
        (ElementKey.LINK, intent.attributes.keys() & set(_LINKS)),
        (ElementKey.KIND, intent.role_given or intent.tag),
    )
    return [key for key, given in pairs if given]


def reads_the_same(intent: Intent, element: Element) -> bool:
    """Whether a name reads as it is sought, and not only means the same. True where no name is sought."""
    said = {caseless(name) for key, name in names_of(element) if key is ElementKey.READER}
    return not intent.names or any(caseless(name) in said for name in intent.names)


def listed(keys: Collection[ElementKey]) -> str:
    named = [key.value for key in ElementKey if key in keys]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
