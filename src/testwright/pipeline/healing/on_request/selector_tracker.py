"""Where a broken selector leads: by memory of its element where there is one, else by its own words."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide
from testwright.heal.intent_matcher import find_by_intent
from testwright.heal.match_explanation import explained_by_memory
from testwright.heal.name_meaning import meaning
from testwright.heal.page_names import PageNames
from testwright.heal.selector_intent import Intent, intent_of
from testwright.heal.thresholds import MOST_SUGGESTIONS
from testwright.heal.wire_vocabulary import ExplainedMatch
from testwright.model.dom import DomSnapshot
from testwright.model.heal import HealOutcome, Sighting
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE, Dialect, Selector, SelectorEngine, SelectorPart
from testwright.observe.page_trouble import page_trouble, trouble_in_words
from testwright.selectors.selector_matcher import matching
from testwright.selectors.spelling import canonical

Memory = Callable[[str], Sequence[Sighting]]
"""What tests found by a selector, given in its canonical spelling, when they last passed; newest first."""


@dataclass(frozen=True, slots=True)
class Lead:
    """An element to look for instead, or why there is none."""

    found: ExplainedMatch | None
    reason: str  # a stable code
    explanation: str
    suggestions: tuple[ExplainedMatch, ...] = ()
    remembered: bool = False
    elsewhere: bool = False  # it belongs to another page, so that nothing can be told from this one
    probability: float | None = None  # the engine's, where it was asked


class SelectorTracker:
    """Follows the selectors of one file onto one page."""

    def __init__(
        self,
        file: str,
        reading: PageNames,
        memory: Memory,
        test_id_attributes: tuple[str, ...] = (DEFAULT_TEST_ID_ATTRIBUTE,),
    ) -> None:
        self._file, self._reading, self._memory = file, reading, memory
        self.test_id_attributes = test_id_attributes
        self.is_about_login = False  # a page that asks for a password is then what the file means
        self._claims: dict[int, set[str]] = {}  # elements that selectors which still work find, and what they call them

    @property
    def page(self) -> DomSnapshot:
        return self._reading.page

    def matches(self, selector: Selector) -> tuple[int, ...]:
        return matching(selector, self.page, test_id_attributes=self.test_id_attributes)

    def claim(self, selector: Selector, numbers: Sequence[int]) -> None:
        """Note that a selector of the file still finds its element."""
        if len(numbers) == 1:
            self._claims.setdefault(numbers[0], set()).update(sayings(intent_of(selector)))

    def follow(self, selector: Selector) -> Lead:
        """Where a selector that finds nothing leads."""
        sightings = self._sightings(selector)
        if sightings:
            return self._by_memory(selector, sightings[0])
        trouble = page_trouble(self.page)
        if trouble and not (trouble == "login_page" and self.is_about_login):
            return Lead(None, trouble, trouble_in_words(trouble))
        return self._by_words(selector)

    def _sightings(self, selector: Selector) -> list[Sighting]:
        """Those of the same file, or those of all others where this one has none."""
        found = list(self._memory(canonical(selector)))
        return [one for one in found if one.site.file == self._file] or found

    def _by_memory(self, selector: Selector, sighting: Sighting) -> Lead:
        if is_other_page(sighting.page.url, self.page.url):
            return Lead(None, "other_page", "It was last found on another page.", remembered=True, elsewhere=True)
        if len(sighting.elements) != 1:
            return Lead(None, "is_list", "It stands for several elements; a person has to look.", remembered=True)
        fingerprint = fingerprint_of(sighting.page, sighting.elements[0])
        if trouble := page_trouble(self.page, fingerprint):
            return Lead(None, trouble, trouble_in_words(trouble), remembered=True)
        decision = decide(fingerprint, self.page, action=sighting.action, taken=self._taken(selector))
        if decision.outcome is not HealOutcome.HEAL or decision.element is None:
            likely = decision.candidates[:MOST_SUGGESTIONS]
            guesses = tuple(explained_by_memory(fingerprint, self.page, each.element) for each in likely)
            told = decision.explanation
            return Lead(None, decision.reason, told, guesses, remembered=True, probability=decision.confidence)
        found = explained_by_memory(fingerprint, self.page, decision.element)
        told = decision.explanation or found.why
        return Lead(found, decision.reason, told, remembered=True, probability=decision.confidence)

    def _by_words(self, selector: Selector) -> Lead:
        intent = intent_of(selector)
        within = self._within(intent.before)
        is_lost = within is not None and not within
        finding = find_by_intent(intent, self._reading, within=None if is_lost else within, taken=self._taken(selector))
        if is_lost:
            guesses = finding.suggestions or ((finding.found,) if finding.found else ())
            return Lead(None, "scope_gone", "The place it is looked for in is not on the page.", guesses)
        return Lead(finding.found, finding.reason, finding.explanation, finding.suggestions)

    def _taken(self, selector: Selector) -> set[int]:
        mine = sayings(intent_of(selector))
        return {number for number, said in self._claims.items() if said and mine and said.isdisjoint(mine)}

    def _within(self, before: Sequence[SelectorPart]) -> Collection[int] | None:
        """The elements that the leading parts of a selector allow for; None: there are no leading parts."""
        if not before:
            return None
        page = self.page
        if before[-1].engine is SelectorEngine.FRAME:
            hosts = set(self.matches(_selector(before[:-1])))
            frames = {at for at, frame in enumerate(page.frames) if frame.element in hosts}
            return {element.number for element in page.elements if element.frame in frames}
        hosts = set(self.matches(_selector(before)))
        inside: set[int] = set()
        for element in page.elements:  # parents come before their children
            if element.parent in hosts or element.parent in inside:
                inside.add(element.number)
        return inside


def sayings(intent: Intent) -> set[str]:
    """What a selector calls its element, in names of readers or of developers."""
    return {meaning(name) for name in (*intent.names, *intent.identifiers)} - {""}


def is_other_page(before: str, now: str) -> bool:
    """Whether two addresses are of different pages of a site. A file or no address tells nothing."""
    old, new = urlsplit(before), urlsplit(now)
    if not {old.scheme, new.scheme} <= {"http", "https"}:
        return False
    return old.path.rstrip("/") != new.path.rstrip("/")


def _selector(parts: Sequence[SelectorPart]) -> Selector:
    return Selector(tuple(parts), Dialect.INTERNAL, "")
