"""What a selector alone says about a lost element, and how sure one may be: strategies and the confidence formula.

The formula explains; it does not decide. Without a memory of the element (a fingerprint), a heal needs two independent
keys of the selector itself that lead to the same one element, and nothing that speaks against it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from testwright.heal.engine.traits import folded
from testwright.heal.name_meaning import meaning, meaningful, words
from testwright.heal.page_names import TELLING, ElementKey, PageNames, names_of
from testwright.heal.selector_intent import TEST_ID_ATTRIBUTES, Intent
from testwright.model.dom import DomSnapshot, Element, Fingerprint

MOST_SUGGESTIONS = 3
_LEAST_LIKENESS = 0.4  # of words, below which a suggestion would only be noise
_REWORDED = 0.8  # the likeness of two names that mean the same and read differently
_ONLY_WORDS = 0.8  # the most that a name alone can do to tell an element apart


class MatchKind(StrEnum):
    """How an element was found again, best first."""

    TEST_ID = "testid_match"
    ARIA = "aria_match"
    TEXT = "text_match"
    ATTRIBUTE = "attribute_match"
    STRUCTURE = "structural_match"


MODIFIERS = {
    MatchKind.TEST_ID: 0.3,
    MatchKind.ARIA: 0.2,
    MatchKind.TEXT: 0.1,
    MatchKind.ATTRIBUTE: 0.0,
    MatchKind.STRUCTURE: -0.2,
}

_OF_DEVELOPERS = frozenset({ElementKey.TEST_ID, ElementKey.ID, ElementKey.NAME_ATTRIBUTE, ElementKey.CLASS})
# Of anything else, `name` is not what tells it apart: a link's is a place on the page.
_NAMED_CONTROLS = frozenset({"input", "select", "textarea", "button", "form", "fieldset", "output", "iframe"})

# Controls of one family can stand in for one another; a text field never stands in for a button.
_FAMILIES = (
    frozenset({"button", "link", "menuitem", "tab"}),
    frozenset({"textbox", "searchbox", "spinbutton", "combobox"}),
    frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"}),
    frozenset({"combobox", "listbox"}),
)


@dataclass(frozen=True, slots=True)
class ExplainedMatch:
    """An element that may be the lost one, and why."""

    element: int
    strategy: MatchKind
    confidence: float
    agreed: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """What a selector alone leads to: an element, or a reason and suggestions."""

    found: ExplainedMatch | None
    reason: str  # a stable code: found, too_few_keys, ambiguous, contradiction, says_too_little, taken, gone
    explanation: str
    suggestions: tuple[ExplainedMatch, ...] = ()


def match_confidence(strategy: MatchKind, *, uniqueness: float, overlap: float, depth_change: int = 0) -> float:
    """From 0 to 1: a base of 0.5, the strategy's share, and what is known of the element."""
    value = 0.5 + MODIFIERS[strategy]
    value += 0.2 if uniqueness > 0.8 else 0.0
    value += 0.1 if overlap > 0.7 else 0.0
    value -= 0.2 if depth_change > 3 else 0.0
    return round(min(max(value, 0.0), 1.0), 2)


def find_by_intent(
    intent: Intent,
    reading: PageNames,
    *,
    within: Collection[int] | None = None,
    taken: Collection[int] = (),
) -> IntentMatch:
    """The element that a selector means, by its own words.

    `within`: the elements it is looked for among (None: the whole page itself, no frames). `taken`: elements that other
    selectors of the same test find under other names.
    """
    keys = _keys(intent, reading, within)
    best = max(keys, key=lambda number: (_weight(keys[number]), number), default=None)
    reason, explanation = _emptiness(intent) if best is None else _objection(intent, reading, keys, best, taken)
    if intent.unclear:
        reason, explanation = "says_too_little", f"The selector cannot be replaced: {intent.unclear}."
    if reason or best is None:
        return IntentMatch(None, reason, explanation, _suggestions(intent, reading, within, keys))
    found = _explained(intent, reading, keys, best)
    return IntentMatch(found, "found", found.why)


def _emptiness(intent: Intent) -> tuple[str, str]:
    """Why there is no candidate at all."""
    if any(map(meaning, (*intent.names, *intent.identifiers))) or ElementKey.LINK in _said(intent):
        return "gone", "Nothing on the page is called what the selector says."
    return "says_too_little", "The selector has no name in it to look for."


def _keys(intent: Intent, reading: PageNames, within: Collection[int] | None) -> dict[int, frozenset[ElementKey]]:
    """For each element that the selector's words name, the keys that agree."""
    named = reading.called(*intent.names, *intent.identifiers)
    linked = [value for name, value in intent.attributes.items() if name in ("href", "action", "src")]
    found: dict[int, frozenset[ElementKey]] = {}
    for element in reading.page.elements:
        keys = set(named.get(element.number, ()))
        if linked and any(element.get(name) in linked for name in ("href", "action", "src")):
            keys.add(ElementKey.LINK)
        if not keys or not _is_usable(element) or not _is_within(element, within):
            continue
        keys -= _not_witnesses(intent, element)
        if _is_of_kind(intent, element):
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


def _is_usable(element: Element) -> bool:
    return element.visible and element.enabled and element.tag not in ("html", "body", "head", "script", "style")


def _is_within(element: Element, within: Collection[int] | None) -> bool:
    return element.frame == 0 if within is None else element.number in within


def _has_all_classes(intent: Intent, element: Element) -> bool:
    """One class of several is not the selector's word, and a class that only repeats its text is no second one."""
    wanted = {meaning(each) for each in (intent.classes or intent.identifiers)} - {""}
    return bool(wanted) and wanted <= {meaning(each) for each in element.get("class").split()}


def _is_of_kind(intent: Intent, element: Element) -> bool:
    if intent.roles:
        return element.role in intent.roles
    return bool(intent.tag) and intent.tag not in ("div", "span") and element.tag == intent.tag


def _weight(keys: Collection[ElementKey]) -> float:
    return sum(TELLING[key] for key in keys)


def _objection(
    intent: Intent,
    reading: PageNames,
    keys: dict[int, frozenset[ElementKey]],
    best: int,
    taken: Collection[int],
) -> tuple[str, str]:
    """Why the best element is not good enough, as a code and a sentence; empty when it is."""
    mine, element = keys[best], reading.page.elements[best]
    if not _is_enough(intent, element, mine):
        return "too_few_keys", f"Nothing but its {_listed(mine)} fits; two independent keys have to."
    if intent.roles and _is_other_kind(intent, element):
        return "contradiction", f"The best candidate is a {element.role or element.tag}, not a {intent.roles[0]}."
    differing = _differing(intent, element)
    if len(mine) < 2 + len(differing):
        return "contradiction", f"The best candidate has another {_listed(differing)} than the selector says."
    rivals = [number for number in keys if number != best and not reading.nested(number, best)]
    strong = [number for number in rivals if len(keys[number]) > 1]
    shared = [number for number in rivals if mine - {ElementKey.KIND} <= keys[number]]
    if strong or shared or _folded_twin(reading, keys, best):
        return "ambiguous", f"{len(set(strong + shared)) + 1} elements fit what the selector says."
    if best in taken:
        return "taken", "The best candidate is what another selector of the same file finds under another name."
    return "", ""


def _is_enough(intent: Intent, element: Element, mine: Collection[ElementKey]) -> bool:
    """Two keys, one of them telling and one a developer's. What only shares words with another sort takes three.

    A class stands for many elements, and the words of an id may be anybody's text: on real pages `#search-button`
    led to another button "Search", and `section.bg-light` to the next section. What a reader sees of an element (its
    name, its sort, where it leads) is one key: a reworded link may be another link with nearly the same words, or,
    where it is gone, its twin in the footer.
    """
    if _OF_DEVELOPERS.isdisjoint(mine) or (intent.by_text and not _says_more_than_text(intent)):
        return False
    names = [name for name in intent.names if _is_read(element, name)]
    # One word, reworded, is anybody's: "Search »" is not the next button called "Search".
    is_telling = _reads(intent, element) or any(len(meaningful(name)) > 1 for name in names)
    weak = {ElementKey.KIND, ElementKey.CLASS, *([] if names and is_telling else [ElementKey.READER])}
    counted = set(mine) - ({ElementKey.KIND} if intent.by_text else set())  # a tag and a text are one key
    return len(counted) >= (2 if counted - weak else 3)


def _says_more_than_text(intent: Intent) -> bool:
    """Whether the selector names its element in another way than by a text and its sort."""
    return bool(intent.identifiers) or ElementKey.LINK in _said(intent)


def _is_read(element: Element, name: str) -> bool:
    return any(
        key is ElementKey.READER and meaning(said) == meaning(name) != "" for key, said in names_of(element) if said
    )


def _is_other_kind(intent: Intent, element: Element) -> bool:
    if element.role in intent.roles:
        return False
    families = [family for family in _FAMILIES if not family.isdisjoint(intent.roles)]
    return intent.role_given or (bool(families) and not any(element.role in family for family in families))


def _differing(intent: Intent, element: Element) -> list[ElementKey]:
    """The identifiers that the selector and the element both have, with different meanings."""
    said = {
        ElementKey.TEST_ID: intent.test_id,
        ElementKey.ID: intent.element_id,
        ElementKey.NAME_ATTRIBUTE: intent.attributes.get("name"),
    }
    has = {key: {meaning(name) for other, name in names_of(element) if other is key and name} for key in said}
    return [key for key, wanted in said.items() if wanted and has[key] and meaning(wanted) not in has[key]]


def _folded_twin(reading: PageNames, keys: dict[int, frozenset[ElementKey]], best: int) -> bool:
    """Whether two elements within one another fit equally well, so that it cannot be told which is meant."""
    return any(
        number != best
        and reading.nested(number, best)
        and keys[number] == keys[best]
        and ElementKey.KIND in keys[number]
        for number in keys
    )


def _explained(
    intent: Intent, reading: PageNames, keys: dict[int, frozenset[ElementKey]], number: int
) -> ExplainedMatch:
    element, mine = reading.page.elements[number], keys[number]
    strategy = _strategy(intent, mine)
    told = mine - {ElementKey.KIND}
    sharing = sum(1 for other in keys if told <= keys[other] and not (other == number or reading.nested(other, number)))
    # Where nothing but its wording tells it apart, the same words may as well be another element's.
    alone = _ONLY_WORDS if told == {ElementKey.READER} else 1.0
    uniqueness = min(alone, _likeness(intent, element, strategy)) / (1 + sharing)
    sure = match_confidence(strategy, uniqueness=uniqueness, overlap=_overlap(intent, element, mine))
    agreed = tuple(key.value for key in ElementKey if key in mine)
    return ExplainedMatch(number, strategy, sure, agreed, f"Its {_listed(mine)} fit what the selector says.")


def _strategy(intent: Intent, mine: Collection[ElementKey]) -> MatchKind:
    if ElementKey.TEST_ID in mine:
        return MatchKind.TEST_ID
    if ElementKey.READER in mine and ElementKey.KIND in mine and not (intent.by_text and not intent.role_given):
        return MatchKind.ARIA
    if ElementKey.READER in mine:
        return MatchKind.TEXT
    return MatchKind.ATTRIBUTE


def _likeness(intent: Intent, element: Element, strategy: MatchKind) -> float:
    """1 where a name reads as it was sought; less where it was reworded. Identifiers are spelled as people please."""
    if strategy not in (MatchKind.ARIA, MatchKind.TEXT) or not intent.names:
        return 1.0
    said = {folded(name) for key, name in names_of(element) if key is ElementKey.READER}
    return 1.0 if any(folded(name) in said for name in intent.names) else _REWORDED


def _overlap(intent: Intent, element: Element, mine: Collection[ElementKey]) -> float:
    """How much of what the selector says the element still has, each attribute by how telling it is."""
    said = _said(intent)
    total = sum(TELLING[key] for key in said)
    if not total:
        return 0.0
    kept = sum(TELLING[key] * (_REWORDED if key is ElementKey.READER and not _reads(intent, element) else 1.0)
               for key in said if key in mine)  # fmt: skip
    return kept / total


def _reads(intent: Intent, element: Element) -> bool:
    return _likeness(intent, element, MatchKind.ARIA) == 1.0


def _said(intent: Intent) -> list[ElementKey]:
    pairs = (
        (ElementKey.TEST_ID, intent.test_id),
        (ElementKey.ID, intent.element_id),
        (ElementKey.NAME_ATTRIBUTE, intent.attributes.get("name")),
        (ElementKey.READER, intent.names),
        (ElementKey.CLASS, intent.classes),
        (ElementKey.LINK, intent.attributes.keys() & {"href", "action", "src"}),
        (ElementKey.KIND, intent.role_given or intent.tag),
    )
    return [key for key, given in pairs if given]


def _listed(keys: Collection[ElementKey]) -> str:
    named = [key.value for key in ElementKey if key in keys]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


# --- suggestions -----------------------------------------------------------------------------


def _suggestions(
    intent: Intent,
    reading: PageNames,
    within: Collection[int] | None,
    keys: dict[int, frozenset[ElementKey]],
) -> tuple[ExplainedMatch, ...]:
    """Elements a person might mean, best first; never more than guesses."""
    wanted = [set(words(phrase)) for phrase in (*intent.names, *intent.identifiers) if meaning(phrase)]
    ranked: list[tuple[float, int]] = []
    for element in reading.page.elements if wanted else ():
        if not _is_usable(element) or not _is_within(element, within) or not (element.role or element.number in keys):
            continue
        likeness = max((_alike(said, each) for _, each in names_of(element) if each for said in wanted), default=0.0)
        if likeness < _LEAST_LIKENESS:
            continue
        bonus = 0.3 if _is_of_kind(intent, element) else 0.0
        ranked.append((likeness + bonus + _weight(keys.get(element.number, ())), element.number))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    everything = {number: keys.get(number, frozenset[ElementKey]()) for _, number in ranked}
    return tuple(_guess(intent, reading, everything, number) for _, number in ranked[:MOST_SUGGESTIONS])


def _alike(wanted: set[str], said: str) -> float:
    has = set(words(said))
    return len(wanted & has) / len(wanted | has) if has else 0.0


def _guess(intent: Intent, reading: PageNames, keys: dict[int, frozenset[ElementKey]], number: int) -> ExplainedMatch:
    if keys[number] - {ElementKey.KIND}:
        return _explained(intent, reading, keys, number)
    sure = match_confidence(MatchKind.ATTRIBUTE, uniqueness=0.0, overlap=0.0)
    return ExplainedMatch(number, MatchKind.ATTRIBUTE, sure, (), "Its name is like what the selector says.")


# --- with a memory of the element ------------------------------------------------------------


def explain_match(fingerprint: Fingerprint, page: DomSnapshot, number: int) -> ExplainedMatch:
    """The same vocabulary for an element that was chosen by comparing it with how it was last seen."""
    before, after = fingerprint.element, page.elements[number]
    strategy = _strategy_between(before, after)
    sharing = sum(
        1 for other in page.elements if other.frame == after.frame and _strategy_between(before, other) is strategy
    )
    depth = abs(fingerprint.path.count("/") - page.paths[number].count("/")) if fingerprint.path else 0
    overlap, agreed = _overlap_between(before, after)
    sure = match_confidence(strategy, uniqueness=1 / max(sharing, 1), overlap=overlap, depth_change=depth)
    why = f"Its {', '.join(agreed)} are as they were." if agreed else "It stands where the element stood."
    return ExplainedMatch(number, strategy, sure, agreed, why)


def _strategy_between(before: Element, after: Element) -> MatchKind:
    if any(before.get(name) and before.get(name) == after.get(name) for name in TEST_ID_ATTRIBUTES):
        return MatchKind.TEST_ID
    if before.role and before.role == after.role and before.name and folded(before.name) == folded(after.name):
        return MatchKind.ARIA
    if before.text and folded(before.text) == folded(after.text):
        return MatchKind.TEXT
    if any(before.get(name) and before.get(name) == after.get(name) for name in ("id", "name", "href", "action")):
        return MatchKind.ATTRIBUTE
    return MatchKind.STRUCTURE


def _overlap_between(before: Element, after: Element) -> tuple[float, tuple[str, ...]]:
    """Which of the element's old names it still has, each by how telling it is."""
    total = kept = 0.0
    agreed: dict[str, None] = {}
    for (key, old), (_, new) in zip(_facts(before), _facts(after), strict=True):
        if not old:
            continue
        total += TELLING[key]
        if folded(old) == folded(new):
            kept += TELLING[key]
            agreed[key.value] = None
    return (kept / total if total else 0.0), tuple(agreed)


def _facts(element: Element) -> list[tuple[ElementKey, str]]:
    test_id = next((element.get(name) for name in TEST_ID_ATTRIBUTES if element.get(name)), "")
    link = element.get("href") or element.get("action") or element.get("src")
    return [
        (ElementKey.TEST_ID, test_id),
        (ElementKey.ID, element.get("id")),
        (ElementKey.NAME_ATTRIBUTE, element.get("name")),
        (ElementKey.READER, element.name or element.text),
        (ElementKey.LINK, link),
        (ElementKey.CLASS, element.get("class")),
        (ElementKey.KIND, element.role or element.tag),
    ]
