"""Why an element is taken for the lost one, in the words of `test_heal`.

Either the selector's own words lead to it, or it is like the element that was last seen on a passing run.
"""

from collections.abc import Collection

from testwright.heal.engine.traits import caseless
from testwright.heal.intent_keys import Keys, listed, reads_the_same, said_by
from testwright.heal.page_names import TELLING, ElementKey, PageNames
from testwright.heal.selector_intent import Intent
from testwright.heal.thresholds import ONLY_WORDS, REWORDED
from testwright.heal.wire_vocabulary import ExplainedMatch, MatchKind, match_confidence
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.selector import TEST_ID_ATTRIBUTES


def explained_by_words(intent: Intent, reading: PageNames, keys: Keys, number: int) -> ExplainedMatch:
    element, mine = reading.page.elements[number], keys[number]
    kind = _kind(intent, mine)
    told = mine - {ElementKey.KIND}
    sharing = sum(1 for other in keys if told <= keys[other] and not (other == number or reading.nested(other, number)))
    # Where nothing but its wording tells it apart, the same words may as well be another element's.
    alone = ONLY_WORDS if told == {ElementKey.READER} else 1.0
    uniqueness = min(alone, _name_likeness(intent, element, kind)) / (1 + sharing)
    sure = match_confidence(kind, uniqueness=uniqueness, overlap=_overlap(intent, element, mine))
    agreed = tuple(key.value for key in ElementKey if key in mine)
    return ExplainedMatch(number, kind, sure, agreed, f"Its {listed(mine)} fit what the selector says.")


def _kind(intent: Intent, mine: Collection[ElementKey]) -> MatchKind:
    if ElementKey.TEST_ID in mine:
        return MatchKind.TEST_ID
    if ElementKey.READER in mine and ElementKey.KIND in mine and not (intent.by_text and not intent.role_given):
        return MatchKind.ARIA
    if ElementKey.READER in mine:
        return MatchKind.TEXT
    return MatchKind.ATTRIBUTE


def _name_likeness(intent: Intent, element: Element, kind: MatchKind) -> float:
    """1 where a name reads as it was sought; less where it was reworded. Identifiers are spelled in many ways."""
    is_by_name = kind in (MatchKind.ARIA, MatchKind.TEXT)
    return REWORDED if is_by_name and not reads_the_same(intent, element) else 1.0


def _overlap(intent: Intent, element: Element, mine: Collection[ElementKey]) -> float:
    """How much of what the selector says the element still has, each attribute by how telling it is."""
    said = said_by(intent)
    total = sum(TELLING[key] for key in said)
    if not total:
        return 0.0
    kept = sum(TELLING[key] * (REWORDED if key is ElementKey.READER and not reads_the_same(intent, element) else 1.0)
               for key in said if key in mine)  # fmt: skip
    return kept / total


def explained_by_memory(fingerprint: Fingerprint, page: DomSnapshot, number: int) -> ExplainedMatch:
    """The same vocabulary for an element that was chosen by comparing it with how it was last seen."""
    before, after = fingerprint.element, page.elements[number]
    kind = _kind_between(before, after)
    sharing = sum(1 for other in page.elements if other.frame == after.frame and _kind_between(before, other) is kind)
    depth = abs(fingerprint.path.count("/") - page.paths[number].count("/")) if fingerprint.path else 0
    overlap, agreed = _overlap_between(before, after)
    sure = match_confidence(kind, uniqueness=1 / max(sharing, 1), overlap=overlap, depth_change=depth)
    why = f"Its {', '.join(agreed)} are as they were." if agreed else "It stands where the element stood."
    return ExplainedMatch(number, kind, sure, agreed, why)


def _kind_between(before: Element, after: Element) -> MatchKind:
    if any(before.get(name) and before.get(name) == after.get(name) for name in TEST_ID_ATTRIBUTES):
        return MatchKind.TEST_ID
    if before.role and before.role == after.role and before.name and caseless(before.name) == caseless(after.name):
        return MatchKind.ARIA
    if before.text and caseless(before.text) == caseless(after.text):
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
        if caseless(old) == caseless(new):
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
