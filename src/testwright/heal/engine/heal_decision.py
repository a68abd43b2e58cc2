"""Decide about one lost element: heal, suggest or abstain, and say why.

A score alone cannot decide. A heal needs two independent keys that single out the same element on both pages, no veto,
and a probability beyond every wrong answer that was seen when the weights were fitted. `thresholds` has the numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from testwright.heal.engine.candidate_evidence import CandidateEvidence, HealQuestion, gather_evidence, kind_of
from testwright.heal.engine.candidate_ranking import LostElement, RankedCandidate, rank_candidates
from testwright.heal.engine.match_probability import probability
from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.shared_keys import SharedKeys, contradictions, shared_keys
from testwright.heal.engine.traits import caseless, speaks_for_itself, traits_of
from testwright.heal.engine.tree_match import TreeMatch, match_trees
from testwright.heal.thresholds import (
    FEW_SPEAKING,
    HEAL_AT,
    LEAD_NEEDED,
    MOST_CANDIDATES,
    STILL_THE_PAGE,
    STRONG_KEYS,
    SUGGEST_AT,
    WEAK_BESIDE_ONE_STRONG,
    WEAK_BESIDE_ONE_STRONG_IN_ROWS,
    WEAK_IN_A_KNOWN_PLACE,
)
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.heal import ElementCandidate, HealDecision, HealOutcome
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE

_REPEATED = frozenset({"td", "th", "tr", "li", "option", "dd", "dt"})  # these come in rows, with the same words in each

_NEEDS = {
    **dict.fromkeys(("fill", "type", "press_sequentially", "presssequentially", "clear"), ("type", "choose")),
    **dict.fromkeys(("check", "uncheck", "set_checked", "setchecked", "tobechecked", "to_be_checked"), ("tick",)),
    **dict.fromkeys(("selectoption", "select_option"), ("choose",)),
}
_NEEDS_ENABLED = frozenset({"click", "dblclick", "tap", *_NEEDS})


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision with what it rests on, for those who want to see the numbers."""

    decision: HealDecision
    findings: CandidateEvidence | None = None  # None: there was no candidate
    veto: str = ""


def decide(
    fingerprint: Fingerprint, page: DomSnapshot, *, action: str = "", taken: Collection[int] = ()
) -> HealDecision:
    """Where the element of the fingerprint is on the page. `taken` are what other locators of the same test find."""
    return judge(fingerprint, page, action=action, taken=taken).decision


def judge(
    fingerprint: Fingerprint,
    page: DomSnapshot,
    *,
    action: str = "",
    taken: Collection[int] = (),
    near: Mapping[int, str] | None = None,
    paths: Sequence[str] | None = None,
) -> Judgement:
    """`decide`, in full. `near` and `paths` are given for pages that were recorded in part only (see `PageView`)."""
    asked = _question(fingerprint, PageView(page, near, paths))
    ranked = rank_candidates(asked.lost, asked.view, asked.match)
    if not ranked:
        return Judgement(
            HealDecision(HealOutcome.ABSTAIN, None, 0.0, (), "gone", "The page has no visible element."), veto="gone"
        )
    best = ranked[0]
    rival = next((each for each in ranked[1:] if not asked.view.are_one(best.traits.number, each.traits.number)), None)
    found = gather_evidence(asked, best, rival)
    sure = probability(found.numbers)
    veto = _veto(asked, found, best, action.casefold(), taken)
    reason = veto or ("" if sure >= HEAL_AT else "unsure")
    outcome = _outcome(reason, sure)
    if outcome is HealOutcome.ABSTAIN and reason in ("unsure", "too_few_keys", "contradiction") and not found.strong:
        reason = "gone"
    candidates = tuple(_candidate(asked, each) for each in ranked[:MOST_CANDIDATES])
    words = _explained(asked, found, best, rival, reason)
    decision = HealDecision(outcome, best.traits.number, sure, candidates, reason or "healed", words)
    return Judgement(decision, found, veto)


def _question(fingerprint: Fingerprint, view: PageView) -> HealQuestion:
    old_page, element = fingerprint.page, fingerprint.element
    before: SharedKeys | None = None
    match: TreeMatch | None = None
    number: int | None = None
    if old_page is not None:
        number = element.number
        old_view = PageView(old_page)
        match = match_trees(old_view, view)
        near = old_view.near(number)
    else:
        near = frozenset(caseless(fingerprint.neighbours).split())
    if fingerprint.shared_by:
        before = SharedKeys({}, dict(fingerprint.shared_by))
    elif old_page is not None:
        before = shared_keys(element, old_view)
    lost = LostElement(traits_of(element, fingerprint.path), near, number)
    return HealQuestion(element, lost, view, shared_keys(element, view), before, match)


def _outcome(reason: str, sure: float) -> HealOutcome:
    if not reason:
        return HealOutcome.HEAL
    if reason in ("still_loading", "other_page", "stranger"):
        return HealOutcome.ABSTAIN
    return HealOutcome.SUGGEST if sure >= SUGGEST_AT else HealOutcome.ABSTAIN


def _veto(
    asked: HealQuestion, found: CandidateEvidence, best: RankedCandidate, action: str, taken: Collection[int]
) -> str:
    """Why not to heal, even with a high score; empty where nothing forbids it."""
    page, number = asked.view.page, best.traits.number
    new = page.elements[number]
    if not page.is_loaded:
        return "still_loading"
    if _is_another_page(asked):
        return "other_page"
    if found.tree == "other":
        return "stranger"
    if number in taken:
        return "taken"
    if found.is_opposed or (action in _NEEDS and kind_of(new) not in _NEEDS[action]):
        return "other_kind"
    if not new.enabled and asked.element.enabled and action in _NEEDS_ENABLED:
        return "disabled"
    if found.lead < LEAD_NEEDED:
        return "ambiguous"
    return _too_little(asked, found)


def _too_little(asked: HealQuestion, found: CandidateEvidence) -> str:
    if not _enough_keys(asked, found):
        return "too_few_keys"
    strong = len(found.strong)
    against = {"text", "label", "placeholder", "aria_label", "alt"} & set(found.contradicted)
    if against and strong < STRONG_KEYS and (found.numbers["text contradicts"] or against != {"text"} or not strong):
        return "contradiction"
    if found.is_elsewhere and not found.tree:
        return (
            "elsewhere"  # a twin in the footer: where the old page is known, we would know whether it was there before
        )
    return ""


def _enough_keys(asked: HealQuestion, found: CandidateEvidence) -> bool:
    """Two that are independent. Where it is unknown whether they were unique before, the place must agree as well."""
    strong, weak = len(found.strong), len(found.weak)
    if asked.before is not None:
        if strong >= STRONG_KEYS or (strong == 1 and weak >= WEAK_BESIDE_ONE_STRONG):
            return True
        return _is_known_by_place(asked, found) and weak >= WEAK_IN_A_KNOWN_PLACE
    if strong >= STRONG_KEYS:
        return found.is_in_place
    in_rows = asked.element.tag in _REPEATED
    needed = WEAK_BESIDE_ONE_STRONG_IN_ROWS if in_rows else WEAK_BESIDE_ONE_STRONG
    return strong == 1 and found.is_in_place and weak >= needed


def _is_known_by_place(asked: HealQuestion, found: CandidateEvidence) -> bool:
    """Where an element has no words of its own, its place speaks for it. Where it has, they would have to."""
    return found.tree == "same" and not (asked.element.text and speaks_for_itself(asked.element))


def _is_another_page(asked: HealQuestion) -> bool:
    """Whether next to nothing of the old page is there: a login, an error, another address. Then nothing was moved."""
    if asked.match is None or asked.lost.number is None:
        return False
    speaking = len(asked.match.certain) + asked.match.lost_for_certain
    return speaking >= FEW_SPEAKING and len(asked.match.certain) < STILL_THE_PAGE * speaking


# --- explaining ------------------------------------------------------------------------------


def _candidate(asked: HealQuestion, ranked: RankedCandidate) -> ElementCandidate:
    number = ranked.traits.number
    return ElementCandidate(
        number,
        round(ranked.score, 4),
        asked.keys.agreed(number),
        asked.keys.singled_out(number),
        contradictions(asked.lost.traits, ranked.traits),
    )


_WORDS = {
    "": "healed",
    "still_loading": "the page was still being loaded",
    "other_page": "this is another page: next to nothing of the old one is on it",
    "stranger": "the best candidate was on the old page too, and was another element",
    "taken": "the best candidate is already what another locator of this test finds",
    "other_kind": "the best candidate is for something else (a button is not a text field)",
    "disabled": "the best candidate cannot be used: it is disabled",
    "ambiguous": "two candidates are equally good",
    "too_few_keys": "fewer than two independent keys point at the same element",
    "contradiction": "the best candidate says something else",
    "elsewhere": "the best candidate is in another part of the page, and may be a twin",
    "unsure": "the evidence is not strong enough",
    "gone": "nothing on the page is like it: it is probably gone",
}


def _explained(
    asked: HealQuestion, found: CandidateEvidence, best: RankedCandidate, rival: RankedCandidate | None, reason: str
) -> str:
    page = asked.view.page
    parts = [f"Best: {describe_element(page.elements[best.traits.number])} (score {best.score:.2f})"]
    if found.agreed:
        parts.append(f"agrees in {_listed(found.agreed)}")
    if found.strong:
        parts.append(f"told from all others by {_listed(found.strong)}")
    if found.contradicted:
        parts.append(f"differs in {_listed(found.contradicted)}")
    if rival is not None:
        parts.append(f"second: {describe_element(page.elements[rival.traits.number])} ({rival.score:.2f})")
    return f"{'; '.join(parts)}. Verdict: {_WORDS[reason]}."


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(key.replace("_", " ") for key in keys)


def describe_element(element: Element) -> str:
    """An element in a few words: `<button id="pay"> "Pay now"`."""
    named = next(
        (
            f' {key}="{element.attributes[key][:40]}"'
            for key in (DEFAULT_TEST_ID_ATTRIBUTE, "id", "name", "class")
            if element.get(key)
        ),
        "",
    )
    words = element.name or element.text or element.label
    return f"<{element.tag}{named}>" + (f' "{words[:40]}"' if words else "")
