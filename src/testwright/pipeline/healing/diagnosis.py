"""One failure: is its element still there, which one is it, and how would the test be written for it?

A heal needs two voices that agree. The chain must find exactly one element by its strategies, and the engine, which
weighs everything that is remembered of the lost one, must be sure of the same element. Either can say no.
"""

from collections.abc import Callable, Iterable, Mapping

from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide, describe_element
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.intent_matcher import find_by_intent
from testwright.heal.page_names import PageNames
from testwright.heal.selector_draft import SelectorDraft
from testwright.heal.selector_intent import intent_of
from testwright.heal.source.languages import language_of
from testwright.heal.source.strategy_comment import UnknownStrategy, strategy_order
from testwright.heal.strategy_chain import DEFAULT_ORDER, ChainResult, agreed_element, walk_chain
from testwright.heal.thresholds import MOST_SUGGESTIONS, WORTH_SHOWING
from testwright.heal.web_adapter import WebAdapter
from testwright.model.case import TestCase, TestId
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.errors import TestwrightError
from testwright.model.heal import (
    FailureRecord,
    HealDecision,
    HealOutcome,
    HealSuggestion,
    OriginalSelector,
    SelectorHeal,
    Sighting,
    Strategy,
)
from testwright.model.proposal import Evidence
from testwright.model.result import RunId
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.observe.page_trouble import page_trouble, trouble_in_words
from testwright.pipeline.healing.heal_candidate import HealCandidate
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus
from testwright.pipeline.healing.remembered_elements import Memory, claimed_by_others, remembered, works_elsewhere
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical


class NotHealed(Exception):
    """Why a failure is not healed, where more is known than a reason."""

    def __init__(
        self,
        reason: str,
        explanation: str,
        *,
        suggestions: Iterable[str] = (),
        ambiguous: bool = False,
        probability: float | None = None,
    ) -> None:
        super().__init__(explanation)
        self.reason, self.explanation = reason, explanation
        self.suggestions = tuple(suggestions)
        self.ambiguous, self.probability = ambiguous, probability


class Diagnosis:
    def __init__(
        self,
        files: Mapping[str, bytes],
        memory: Memory,
        *,
        is_miss: Callable[[str], bool],
        is_list: Callable[[str], bool],
        passed: frozenset[TestId],
        run: RunId,
        tally: Tally,
    ) -> None:
        self._files, self._memory, self._is_miss, self._is_list = files, memory, is_miss, is_list
        self._passed, self._run, self._tally = passed, run, tally

    def is_remembered(self, record: FailureRecord) -> bool:
        """Whether anything is known of the element that the failure is about."""
        try:
            selector = canonical(parse_selector(record.selector))
        except TestwrightError:
            return False
        return remembered(self._memory, record, selector) is not None

    def of(
        self, record: FailureRecord, module: str, test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE
    ) -> HealCandidate | HealEntry:
        """A heal to try, or what there is to say of the failure."""
        self._tally.attempt(module)
        try:
            candidate = self._candidate(record, module, (test_id_attribute,))
        except NotHealed as refused:
            (self._tally.ambiguous if refused.ambiguous else self._tally.miss)(module)
            return _refusal(record, module, refused)
        except NotHealable as unable:
            self._tally.miss(module)
            return _refusal(record, module, NotHealed(unable.reason, unable.explanation))
        except TestwrightError as error:  # a selector that cannot be read or tried, or a source
            self._tally.miss(module)
            return _refusal(record, module, NotHealed(error.code, error.message))
        self._tally.success(module, candidate.strategy)
        return candidate

    def refusal(self, case: TestCase, module: str, reason: str, explanation: str) -> HealEntry:
        """What to say of a failure that need not be looked at; it counts all the same."""
        self._tally.attempt(module)
        self._tally.miss(module)
        heal = SelectorHeal("", HealOutcome.ABSTAIN, reason, explanation)
        return HealEntry(case, module, HealStatus.REFUSED, heal)

    def _candidate(self, record: FailureRecord, module: str, test_ids: tuple[str, ...]) -> HealCandidate:
        adapter = WebAdapter(self._files, is_miss=self._is_miss, is_list=self._is_list, test_id_attributes=test_ids)
        original, page = adapter.parse_failure(record)
        old = parse_selector(original.text)
        if matching(old, page, test_id_attributes=test_ids):
            raise NotHealed("there_again", "The page has what the selector looks for: it came late, or is back again.")
        selector = canonical(old)
        seen = self._seen(adapter, record, original, selector, page)
        fingerprint = fingerprint_of(seen.page, seen.elements[0])
        _refuse_wrong_page(page, fingerprint)
        chain = walk_chain(adapter, page, fingerprint, self._order(record))
        decision = decide(fingerprint, page, action=original.action)
        found = agreed_element(page, chain, decision, nested_is_same=True)
        if found is None:
            raise _disagreement(adapter, original, chain, decision)
        self._refuse_taken(record, selector, seen, (page, found.number), test_ids)
        draft = adapter.draft(original, found)
        self._refuse_working(record, selector, draft)
        heal = SelectorHeal(
            draft.old_text,
            HealOutcome.HEAL,
            decision.reason,
            decision.explanation,
            new=draft.edit.new,
            site=draft.site,
            found_by=chain.strategy or "",
            probability=decision.confidence,
            is_remembered=True,
            evidence=decision_evidence(seen, chain, decision, found, self._run),
        )
        return HealCandidate(record.case, module, selector, heal, draft)

    def _seen(
        self, adapter: WebAdapter, record: FailureRecord, original: OriginalSelector, selector: str, page: DomSnapshot
    ) -> Sighting:
        seen = remembered(self._memory, record, selector, page.url)
        if seen is None:
            raise NotHealed(
                "no_fingerprint",
                "Nothing is remembered of its element: no run in which this test passed was recorded.",
                suggestions=_by_its_words(adapter, original, page),
            )
        if original.is_list or len(seen.elements) != 1:
            raise NotHealed("is_list", "The selector stands for several elements; a person has to look.")
        return seen

    def _order(self, record: FailureRecord) -> tuple[Strategy, ...]:
        """The order that a comment at the test asks for, or the usual one."""
        case, language = record.case, language_of(record.case.file)
        data = self._files.get(case.file)
        if case.line is None or data is None or language is None:
            return DEFAULT_ORDER
        asked = strategy_order(data, language, case.line)
        if isinstance(asked, UnknownStrategy):
            raise NotHealed("unknown_strategy", asked.complaint)
        return asked or DEFAULT_ORDER

    def _refuse_taken(
        self,
        record: FailureRecord,
        selector: str,
        seen: Sighting,
        found: tuple[DomSnapshot, int],
        test_ids: tuple[str, ...],
    ) -> None:
        sightings = self._memory.of_test(record.case.id)
        other = claimed_by_others(sightings, selector, (seen.page, seen.elements[0]), found, test_ids)
        if other:
            raise NotHealed("taken", f"The only candidate is what {other} of the same test finds.")

    def _refuse_working(self, record: FailureRecord, selector: str, draft: SelectorDraft) -> None:
        user = works_elsewhere(self._files, self._memory, draft, selector, self._passed - {record.case.id})
        if user:
            raise NotHealed("works_elsewhere", f"The same selector works in {user}, which passed in this run.")


def _refuse_wrong_page(page: DomSnapshot, fingerprint: Fingerprint) -> None:
    trouble = page_trouble(page, fingerprint)
    if trouble:
        raise NotHealed(trouble, trouble_in_words(trouble))


def _disagreement(
    adapter: WebAdapter, original: OriginalSelector, chain: ChainResult, decision: HealDecision
) -> NotHealed:
    """Why there is no one element that both the chain and the engine mean."""
    if chain.ambiguous:
        shown = _spelled(adapter, original, (one.number for one in chain.several))
        told = f"{chain.strategy} finds {len(chain.several)} elements."
        return NotHealed("ambiguous", told, suggestions=shown, ambiguous=True)
    if decision.outcome is HealOutcome.ABSTAIN:
        return _unsure(decision, ())
    likely = _spelled(adapter, original, _worth_showing(decision))
    if decision.outcome is not HealOutcome.HEAL or decision.element is None:
        return _unsure(decision, likely)
    if chain.element is None or chain.strategy is None:
        return NotHealed("no_strategy", "No strategy finds the element by itself.", suggestions=likely)
    told = f"{chain.strategy} and what is remembered of the element disagree."
    return NotHealed("vetoed", told, suggestions=likely)


def _unsure(decision: HealDecision, likely: Iterable[str]) -> NotHealed:
    told = decision.explanation or "It cannot be told which element it is."
    return NotHealed(decision.reason or "unsure", told, suggestions=likely, probability=decision.confidence)


def _worth_showing(decision: HealDecision) -> list[int]:
    worth = WORTH_SHOWING * max((one.score for one in decision.candidates), default=0.0)
    return [one.element for one in decision.candidates if one.score >= worth]


def _by_its_words(adapter: WebAdapter, original: OriginalSelector, page: DomSnapshot) -> list[str]:
    """What the selector's own words point at, for a person to consider."""
    match = find_by_intent(intent_of(parse_selector(original.text)), PageNames(page))
    likely = [*([match.found] if match.found else []), *match.suggestions]
    return _spelled(adapter, original, (one.element for one in likely))


def _spelled(adapter: WebAdapter, original: OriginalSelector, elements: Iterable[int]) -> list[str]:
    """Selectors for the first of these elements, as the test would spell them."""
    shown = [adapter.suggestion(number, original.text) for number in list(elements)[:MOST_SUGGESTIONS]]
    return [text for text in dict.fromkeys(shown) if text]


def _refusal(record: FailureRecord, module: str, refused: NotHealed) -> HealEntry:
    heal = SelectorHeal(
        record.selector,
        HealOutcome.SUGGEST if refused.suggestions else HealOutcome.ABSTAIN,
        refused.reason,
        refused.explanation,
        site=record.stack[0] if record.stack else None,
        probability=refused.probability,
        suggestions=tuple(HealSuggestion(selector) for selector in refused.suggestions),
    )
    status = HealStatus.SUGGESTED if refused.suggestions else HealStatus.REFUSED
    return HealEntry(record.case, module, status, heal)


def decision_evidence(
    seen: Sighting, chain: ChainResult, decision: HealDecision, found: Element, run: RunId
) -> tuple[Evidence, ...]:
    """What found it, what is remembered of it, what agrees, and how far behind the next best is."""
    tried = ", ".join(f"{strategy}: {outcome}" for strategy, outcome in chain.tried)
    lost = seen.page.elements[seen.elements[0]]
    told = [
        Evidence(f"{chain.strategy} finds exactly one element: {describe_element(found)}", tried, f"run {run}"),
        Evidence(f"last seen as {describe_element(lost)}", seen.selector, f"run {seen.run}"),
    ]
    best = next((one for one in decision.candidates if one.element == decision.element), None)
    if best is not None:
        agreed, single = ", ".join(best.agreed) or "nothing", ", ".join(best.singled_out_by)
        told.append(Evidence(f"agree: {agreed}", f"only here: {single}"))
        if best.contradicted:
            told.append(Evidence(f"differ: {', '.join(best.contradicted)}"))
    second = next((one for one in decision.candidates if one.element != decision.element), None)
    if second is not None:
        told.append(Evidence(f"the next best scores {second.score:.2f}", f"agree: {', '.join(second.agreed)}"))
    return tuple(told)
