"""Elements that a selector may mean, for a person to consider: never more than guesses."""

from collections.abc import Collection

from testwright.heal.intent_keys import Keys, is_of_kind, is_usable, is_within, weight_of
from testwright.heal.match_explanation import explained_by_words
from testwright.heal.name_meaning import meaning, words
from testwright.heal.page_names import ElementKey, PageNames, names_of
from testwright.heal.selector_intent import Intent
from testwright.heal.thresholds import LEAST_LIKENESS, MOST_SUGGESTIONS
from testwright.heal.wire_vocabulary import ExplainedMatch, MatchKind, match_confidence

_BONUS_FOR_KIND = 0.3


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
