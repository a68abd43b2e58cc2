"""Healing, as values: a failure that may be a lost element, what was decided about it, and what became of its selector.

Every pass that heals selectors ends in `SelectorHeal`: the one in a run, `test_heal` and `heal flutter`.
"""

from dataclasses import dataclass
from enum import StrEnum

from testwright.model.case import TestCase, TestId
from testwright.model.dom import DomSnapshot
from testwright.model.proposal import Evidence


class HealOutcome(StrEnum):
    HEAL = "heal"  # sure enough to be tried, and proposed if the test then passes
    SUGGEST = "suggest"  # shown to a person; the test still fails
    ABSTAIN = "abstain"  # the element is gone, or looks like others


class Strategy(StrEnum):
    """How the element was found again, in the order they are tried."""

    BY_TEXT = "byText"
    BY_ROLE = "byRole"
    BY_TOOLTIP = "byTooltip"
    BY_COORDINATES = "byCoordinates"


@dataclass(frozen=True, slots=True)
class CallSite:
    """A place in a source file: where a selector was used or written."""

    file: str  # from the project's root, with forward slashes
    line: int  # from 1
    column: int = 0  # from 1; 0: not known


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a selector of a test found on a run that passed."""

    test: TestId
    site: CallSite  # where it was used
    selector: str  # in its one canonical spelling
    page: DomSnapshot
    elements: tuple[int, ...]  # their numbers on the page: several for a list
    action: str = ""
    run: str = ""  # the id of the run it was last seen in


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """What is known of one failed attempt, in any framework."""

    case: TestCase
    message: str  # as the runner gave it, escape codes and all
    stack: tuple[CallSite, ...] = ()  # the user's own files only, innermost first
    selector: str = ""  # as the runner spelled it, when it said; adapters read it from the message otherwise
    action: str = ""  # click, fill, toBeVisible, to_have_text, ...
    page: DomSnapshot | None = None  # at the moment of failure


@dataclass(frozen=True, slots=True)
class OriginalSelector:
    """The selector that found nothing."""

    text: str  # as the test spells it, or as the runner does
    action: str = ""
    sites: tuple[CallSite, ...] = ()  # innermost first
    is_list: bool = False  # it was meant to match several elements


@dataclass(frozen=True, slots=True)
class ElementCandidate:
    """An element that may be the lost one."""

    element: int  # its number on the new page
    score: float  # 0 to 1: how much of what is remembered it has
    agreed: tuple[str, ...] = ()  # keys with the same value, such as `text` or `href`
    singled_out_by: tuple[str, ...] = ()  # those of them that no other element of the page has
    contradicted: tuple[str, ...] = ()  # keys that both have, with different values


@dataclass(frozen=True, slots=True)
class HealDecision:
    """What the engine says about one lost element."""

    outcome: HealOutcome
    element: int | None  # on the new page; may be given when abstaining too: the best guess
    confidence: float  # the probability that `element` is the lost one
    candidates: tuple[ElementCandidate, ...] = ()  # best first
    reason: str = ""  # a stable code: healed, too_few_keys, ambiguous, contradiction, gone, other_page, ...
    explanation: str = ""  # one sentence for a person


@dataclass(frozen=True, slots=True)
class HealSuggestion:
    """A selector that may be what was meant, for a person to consider."""

    selector: str
    confidence: float | None = None  # by the formula of `test_heal`; None: it was not asked
    why: str = ""


@dataclass(frozen=True, slots=True)
class SelectorHeal:
    """What a lost selector became, or why it stays as it is."""

    old: str  # as a reader of the test calls it
    outcome: HealOutcome
    reason: str  # a stable code: healed, found, ambiguous, gone, no_fingerprint, ...
    explanation: str = ""  # one sentence for a person
    new: str = ""
    site: CallSite | None = None  # where it is written; None: not known, or not in the file that was asked about
    found_by: str = ""  # the strategy, or the kind of match in the words of `test_heal`
    # Two measures that must not be compared. The engine's probability is that of the right element. The confidence is
    # that of the formula of `test_heal`, for which a selector's words are enough. None: that one was not asked.
    probability: float | None = None
    confidence: float | None = None
    is_sure: bool = False  # sure enough to be written without a person; only `test_heal` does so
    is_remembered: bool = False  # compared with the element as it was on a passing run
    evidence: tuple[Evidence, ...] = ()
    suggestions: tuple[HealSuggestion, ...] = ()  # best first

    @property
    def line(self) -> int:
        """Where it is written; 0: not known."""
        return self.site.line if self.site is not None else 0
