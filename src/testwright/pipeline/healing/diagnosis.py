"""One failure: is its element still there, which one is it, and how would the test be written for it?

A heal needs two voices that agree. The chain must find exactly one element by its strategies, and the engine, which
weighs everything that is remembered of the lost one, must be sure of the same element. Either can say no.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide, describe_element
from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import reads_as
from testwright.heal.strategy_chain import DEFAULT_ORDER, ChainResult, walk_chain
from testwright.heal.web_adapter import SelectorDraft, WebAdapter
from testwright.model.case import TestCase, TestId
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.errors import TestwrightError
from testwright.model.heal import (
    FailureRecord,
    HealDecision,
    HealOutcome,
    OriginalSelector,
    Sighting,
    Strategy,
)
from testwright.model.proposal import Evidence
from testwright.model.result import RunId
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus
from testwright.pipeline.healing.remembered_elements import Memory, claimed_by_others, remembered, works_elsewhere
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

_SUGGESTIONS = 3
_WORTH_SHOWING = 0.6  # of the best score; what is less like the lost element would only mislead


@dataclass(frozen=True, slots=True)
class HealCandidate:
    """A heal that is worth a try."""

    case: TestCase
    module: str
    draft: SelectorDraft
    selector: str  # the old one, in its canonical spelling
    strategy: Strategy
    confidence: float
    evidence: tuple[Evidence, ...]

    @property
    def place(self) -> str:
        return f"{self.draft.file}:{self.draft.edit.line}"

    def entry(
        self, status: HealStatus, reason: str, explanation: str, *, patch: str = "", proposal: str = ""
    ) -> HealEntry:
        return HealEntry(
            self.case,
            self.module,
            status,
            reason,
            explanation,
            old=self.draft.old_text,
            new=self.draft.edit.new,
            place=self.place,
            strategy=self.strategy,
            confidence=self.confidence,
            evidence=self.evidence,
            suggestions=() if status is HealStatus.HEALED else (self.draft.edit.new,),
            patch=patch,
            proposal=proposal,
        )


class NotHealed(Exception):
    """Why a failure is not healed."""

    def __init__(
        self,
        reason: str,
        explanation: str,
        *,
        suggestions: Iterable[str] = (),
        ambiguous: bool = False,
        confidence: float | None = None,
    ) -> None:
        super().__init__(explanation)
        self.reason, self.explanation = reason, explanation
        self.suggestions = tuple(suggestions)
        self.ambiguous, self.confidence = ambiguous, confidence


class Diagnosis:
    """Looks at the failures of one run."""

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
        self, record: FailureRecord, module: str, test_id_attribute: str = "data-testid"
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
        return HealEntry(case, module, HealStatus.REFUSED, reason, explanation)

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
        found, strategy = _agreed(adapter, original, page, chain, decision)
        other = claimed_by_others(
            self._memory.of_test(record.case.id),
            selector,
            (seen.page, seen.elements[0]),
            (page, found.number),
            test_ids,
        )
        if other:
            raise NotHealed("taken", f"The only candidate is what {other} of the same test finds.")
        draft = adapter.draft(original, found)
        user = works_elsewhere(self._files, self._memory, draft, selector, self._passed - {record.case.id})
        if user:
            raise NotHealed("works_elsewhere", f"The same selector works in {user}, which passed in this run.")
        return HealCandidate(
            record.case,
            module,
            draft,
            selector,
            strategy,
            decision.confidence,
            self._evidence(seen, chain, decision, found),
        )

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
        from testwright.heal.source.languages import language_of
        from testwright.heal.source.strategy_comment import UnknownStrategy, strategy_order

        case, language = record.case, language_of(record.case.file)
        data = self._files.get(case.file)
        if case.line is None or data is None or language is None:
            return DEFAULT_ORDER
        asked = strategy_order(data, language, case.line)
        if isinstance(asked, UnknownStrategy):
            raise NotHealed("unknown_strategy", asked.complaint)
        return asked or DEFAULT_ORDER

    def _evidence(
        self, seen: Sighting, chain: ChainResult, decision: HealDecision, found: Element
    ) -> tuple[Evidence, ...]:
        tried = ", ".join(f"{strategy}: {outcome}" for strategy, outcome in chain.tried)
        told = [
            Evidence(
                f"{chain.strategy} finds exactly one element: {describe_element(found)}", tried, f"run {self._run}"
            ),
            Evidence(
                f"last seen as {describe_element(seen.page.elements[seen.elements[0]])}",
                seen.selector,
                f"run {seen.run}",
            ),
        ]
        best = next((one for one in decision.candidates if one.element == decision.element), None)
        if best is not None:
            told.append(
                Evidence(
                    f"agree: {', '.join(best.agreed) or 'nothing'}", f"only here: {', '.join(best.singled_out_by)}"
                )
            )
            if best.contradicted:
                told.append(Evidence(f"differ: {', '.join(best.contradicted)}"))
        second = next((one for one in decision.candidates if one.element != decision.element), None)
        if second is not None:
            told.append(Evidence(f"the next best scores {second.score:.2f}", f"agree: {', '.join(second.agreed)}"))
        return tuple(told)


def _refuse_wrong_page(page: DomSnapshot, fingerprint: Fingerprint) -> None:
    from testwright.observe.page_trouble import page_trouble, trouble_in_words

    trouble = page_trouble(page, fingerprint)
    if trouble:
        raise NotHealed(trouble, trouble_in_words(trouble))


def _agreed(
    adapter: WebAdapter, original: OriginalSelector, page: DomSnapshot, chain: ChainResult, decision: HealDecision
) -> tuple[Element, Strategy]:
    """The element that both the chain and the engine mean. Raises Refused."""

    def suggestions(elements: Iterable[int] | None = None) -> list[str]:
        if elements is None:
            worth = _WORTH_SHOWING * max((one.score for one in decision.candidates), default=0.0)
            elements = [one.element for one in decision.candidates if one.score >= worth]
        ranked = [adapter.suggestion(number, original.text) for number in list(elements)[:_SUGGESTIONS]]
        return [text for text in dict.fromkeys(ranked) if text]

    if chain.ambiguous:
        count = len(chain.several)
        shown = suggestions(one.number for one in chain.several)
        raise NotHealed("ambiguous", f"{chain.strategy} finds {count} elements.", suggestions=shown, ambiguous=True)
    if decision.outcome is not HealOutcome.HEAL or decision.element is None:
        shown = suggestions() if decision.outcome is not HealOutcome.ABSTAIN else []
        raise NotHealed(
            decision.reason or "unsure",
            decision.explanation or "It cannot be told which element it is.",
            suggestions=shown,
            confidence=decision.confidence,
        )
    if chain.element is None or chain.strategy is None:
        raise NotHealed("no_strategy", "No strategy finds the element by itself.", suggestions=suggestions())
    if not _is_same(page, chain.element.number, decision.element):
        raise NotHealed(
            "vetoed", f"{chain.strategy} and what is remembered of the element disagree.", suggestions=suggestions()
        )
    return page.elements[decision.element], chain.strategy


def _is_same(page: DomSnapshot, one: int, other: int) -> bool:
    """The same element, or one around the other that reads the same."""
    if one == other:
        return True
    nested = one in page.ancestors(other) or other in page.ancestors(one)
    return nested and reads_as(page.elements[one]) == reads_as(page.elements[other])


def _by_its_words(adapter: WebAdapter, original: OriginalSelector, page: DomSnapshot) -> list[str]:
    """What the selector's own words point at, for a person to consider."""
    from testwright.heal.intent_matcher import find_by_intent
    from testwright.heal.page_names import PageNames
    from testwright.heal.selector_intent import intent_of

    finding = find_by_intent(intent_of(parse_selector(original.text)), PageNames(page))
    likely = [*([finding.found] if finding.found else []), *finding.suggestions]
    shown = [adapter.suggestion(one.element, original.text) for one in likely[:_SUGGESTIONS]]
    return [text for text in dict.fromkeys(shown) if text]


def _refusal(record: FailureRecord, module: str, refused: NotHealed) -> HealEntry:
    site = record.stack[0] if record.stack else None
    return HealEntry(
        record.case,
        module,
        HealStatus.SUGGESTED if refused.suggestions else HealStatus.REFUSED,
        refused.reason,
        refused.explanation,
        old=record.selector,
        place=f"{site.file}:{site.line}" if site is not None else "",
        confidence=refused.confidence,
        suggestions=refused.suggestions,
    )
