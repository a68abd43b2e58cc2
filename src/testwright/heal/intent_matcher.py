"""Which element a selector means by its own words, where nothing else is remembered of it.

It takes two independent keys of the selector itself that lead to the same one element, and nothing that speaks against
it. `thresholds` has the numbers.
"""

from collections.abc import Collection
from dataclasses import dataclass

from testwright.heal.intent_keys import (
    Keys,
    is_of_kind,
    is_usable,
    is_within,
    keys_of,
    listed,
    reads_the_same,
    said_by,
    weight_of,
)
from testwright.heal.match_explanation import explained_by_words
from testwright.heal.name_meaning import meaning, meaningful, words
from testwright.heal.page_names import ElementKey, PageNames, names_of
from testwright.heal.selector_intent import Intent
from testwright.heal.thresholds import KEYS_OF_WORDS, LEAST_LIKENESS, MOST_SUGGESTIONS, RIVAL_KEYS, WEAK_KEYS_OF_WORDS
from testwright.heal.wire_vocabulary import ExplainedMatch, MatchKind, match_confidence
from testwright.model.dom import Element

_BONUS_FOR_KIND = 0.3
_OF_DEVELOPERS = frozenset({ElementKey.TEST_ID, ElementKey.ID, ElementKey.NAME_ATTRIBUTE, ElementKey.CLASS})

# Controls of one family can stand in for one another; a text field never stands in for a button.
_FAMILIES = (
    frozenset({"button", "link", "menuitem", "tab"}),
    frozenset({"textbox", "searchbox", "spinbutton", "combobox"}),
    frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"}),
    frozenset({"combobox", "listbox"}),
)


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """What a selector alone leads to: an element, or a reason and suggestions."""

    found: ExplainedMatch | None
    reason: str  # a stable code: found, too_few_keys, ambiguous, contradiction, says_too_little, taken, gone
    explanation: str
    suggestions: tuple[ExplainedMatch, ...] = ()


def find_by_intent(
    intent: Intent, reading: PageNames, *, within: Collection[int] | None = None, taken: Collection[int] = ()
) -> IntentMatch:
    """The element that a selector means, by its own words.

    `within`: the elements it is looked for among (None: the whole page itself, no frames). `taken`: elements that other
    selectors of the same test find under other names.
    """
    keys = keys_of(intent, reading, within)
    best = max(keys, key=lambda number: (weight_of(keys[number]), number), default=None)
    reason, explanation = _emptiness(intent) if best is None else _objection(intent, reading, keys, best, taken)
    if intent.unclear:
        reason, explanation = "says_too_little", f"The selector cannot be replaced: {intent.unclear}."
    if reason or best is None:
        return IntentMatch(None, reason, explanation, suggested_by_words(intent, reading, within, keys))
    found = explained_by_words(intent, reading, keys, best)
    return IntentMatch(found, "found", found.why)


def _emptiness(intent: Intent) -> tuple[str, str]:
    """Why there is no candidate at all."""
    if any(map(meaning, (*intent.names, *intent.identifiers))) or ElementKey.LINK in said_by(intent):
        return "gone", "Nothing on the page is called what the selector says."
    return "says_too_little", "The selector has no name in it to look for."


def _objection(intent: Intent, reading: PageNames, keys: Keys, best: int, taken: Collection[int]) -> tuple[str, str]:
    """Why the best element is not good enough, as a code and a sentence; empty when it is."""
    mine, element = keys[best], reading.page.elements[best]
    if not _is_enough(intent, element, mine):
        return "too_few_keys", f"Nothing but its {listed(mine)} fits; two independent keys have to."
    if intent.roles and _is_other_kind(intent, element):
        return "contradiction", f"The best candidate is a {element.role or element.tag}, not a {intent.roles[0]}."
    differing = _differing(intent, element)
    if len(mine) < KEYS_OF_WORDS + len(differing):
        return "contradiction", f"The best candidate has another {listed(differing)} than the selector says."
    rivals = [number for number in keys if number != best and not reading.nested(number, best)]
    strong = [number for number in rivals if len(keys[number]) >= RIVAL_KEYS]
    shared = [number for number in rivals if mine - {ElementKey.KIND} <= keys[number]]
    if strong or shared or _folded_twin(reading, keys, best):
        return "ambiguous", f"{len(set(strong + shared)) + 1} elements fit what the selector says."
    if best in taken:
        return "taken", "The best candidate is what another selector of the same file finds under another name."
    return "", ""


def _is_enough(intent: Intent, element: Element, mine: Collection[ElementKey]) -> bool:
    """Two keys, one of them telling and one a developer's. What only shares words with another sort takes three.

    A class stands for many elements, and the words of an id may be the text of any element: on real pages
    `#search-button` led to another button "Search", and `section.bg-light` to the next section. What a reader sees of
    an element (its name, its sort, where it leads) is one key: a reworded link may be another link with nearly the
    same words, or, where it is gone, its twin in the footer.
    """
    if _OF_DEVELOPERS.isdisjoint(mine) or (intent.by_text and not _says_more_than_text(intent)):
        return False
    names = [name for name in intent.names if _is_read(element, name)]
    # One word, reworded, may be any element's: "Search »" is not the next button called "Search".
    is_telling = reads_the_same(intent, element) or any(len(meaningful(name)) > 1 for name in names)
    weak = {ElementKey.KIND, ElementKey.CLASS, *([] if names and is_telling else [ElementKey.READER])}
    counted = set(mine) - ({ElementKey.KIND} if intent.by_text else set())  # a tag and a text are one key
    return len(counted) >= (KEYS_OF_WORDS if counted - weak else WEAK_KEYS_OF_WORDS)


def _says_more_than_text(intent: Intent) -> bool:
    """Whether the selector names its element in another way than by a text and its sort."""
    return bool(intent.identifiers) or ElementKey.LINK in said_by(intent)


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


def _folded_twin(reading: PageNames, keys: Keys, best: int) -> bool:
    """Whether two elements within one another fit equally well, so that it cannot be told which is meant."""
    return any(
        number != best
        and reading.nested(number, best)
        and keys[number] == keys[best]
        and ElementKey.KIND in keys[number]
        for number in keys
    )


def suggested_by_words(
    intent: Intent, reading: PageNames, within: Collection[int] | None, keys: Keys
) -> tuple[ExplainedMatch, ...]:
    """Elements a person might mean, best first; never more than guesses."""
    wanted = [set(words(phrase)) for phrase in (*intent.names, *intent.identifiers) if meaning(phrase)]
    ranked: list[tuple[float, int]] = []
    for element in reading.page.elements if wanted else ():
        if not is_usable(element) or not is_within(element, within) or not (element.role or element.number in keys):
            continue
        likeness = max((_alike(said, each) for _, each in names_of(element) if each for said in wanted), default=0.0)
        if likeness < LEAST_LIKENESS:
            continue
        bonus = _BONUS_FOR_KIND if is_of_kind(intent, element) else 0.0
        ranked.append((likeness + bonus + weight_of(keys.get(element.number, ())), element.number))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    everything = {number: keys.get(number, frozenset[ElementKey]()) for _, number in ranked}
    return tuple(_guess(intent, reading, everything, number) for _, number in ranked[:MOST_SUGGESTIONS])


def _alike(wanted: set[str], said: str) -> float:
    has = set(words(said))
    return len(wanted & has) / len(wanted | has) if has else 0.0


def _guess(intent: Intent, reading: PageNames, keys: Keys, number: int) -> ExplainedMatch:
    if keys[number] - {ElementKey.KIND}:
        return explained_by_words(intent, reading, keys, number)
    sure = match_confidence(MatchKind.ATTRIBUTE, uniqueness=0.0, overlap=0.0)
    return ExplainedMatch(number, MatchKind.ATTRIBUTE, sure, (), "Its name is like what the selector says.")
