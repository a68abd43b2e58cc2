"""A heal that is worth a try: where the new selector would be written, and what speaks for it."""

from dataclasses import dataclass, replace

from testwright.heal.selector_draft import SelectorDraft
from testwright.model.case import TestCase
from testwright.model.heal import HealSuggestion, SelectorHeal, Strategy
from testwright.pipeline.healing.heal_report import HealEntry, HealStatus

_PASSES = "The test passes with the new selector."


@dataclass(frozen=True, slots=True)
class HealCandidate:
    """A heal that one test needs."""

    case: TestCase
    module: str
    selector: str  # the old one, in its canonical spelling
    heal: SelectorHeal
    draft: SelectorDraft

    @property
    def strategy(self) -> Strategy:
        return Strategy(self.heal.found_by)

    def healed(self, *, patch: str = "", proposal: str = "") -> HealEntry:
        """What to say where the test passes with it."""
        heal = replace(self.heal, reason="healed", explanation=_PASSES)
        return HealEntry(self.case, self.module, HealStatus.HEALED, heal, patch, proposal)

    def withdrawn(self, reason: str, explanation: str) -> HealEntry:
        """What to say where it does not stand. The new selector may still be what a person wants."""
        suggestions = (HealSuggestion(self.heal.new, why=explanation),)
        heal = replace(self.heal, reason=reason, explanation=explanation, suggestions=suggestions)
        return HealEntry(self.case, self.module, HealStatus.WITHDRAWN, heal)
