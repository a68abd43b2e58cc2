"""What the heal pass of a run has to say: one entry for each failure it looked at."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from testwright.model.case import TestCase
from testwright.model.heal import SelectorHeal
from testwright.model.untrusted_text import visible_line

APPLIED = "SELF_HEAL_APPLIED"
EXHAUSTED = "HEAL_BUDGET_EXHAUSTED"


class HealStatus(StrEnum):
    """What became of the heal that was decided on: `SelectorHeal.outcome` is the decision, this is what was seen."""

    HEALED = "healed"  # the test passed with the new selector
    WITHDRAWN = "withdrawn"  # it was tried, and the test failed all the same
    SUGGESTED = "suggested"  # something is worth showing, nothing was tried
    REFUSED = "refused"
    NOT_TRIED = "not_tried"  # the run's budget was used up


@dataclass(frozen=True, slots=True)
class HealEntry:
    """One failure and what came of it."""

    case: TestCase
    module: str  # the root of its suite
    status: HealStatus
    heal: SelectorHeal
    patch: str = ""  # from the project's root
    proposal: str = ""

    def line(self) -> str:
        """The row that stands in the report."""
        heal, test = self.heal, visible_line(self.case.id)
        if self.status is HealStatus.HEALED:
            probability = f", confidence {heal.probability:.3f}" if heal.probability is not None else ""
            proposal = f", testwright review show {self.proposal}" if self.proposal else ""
            return (
                f"{APPLIED} {test}: {visible_line(heal.old)} -> {visible_line(heal.new)} "
                f"({heal.found_by}{probability}), patch {visible_line(self.patch)}{proposal}"
            )
        if self.status is HealStatus.NOT_TRIED:
            return f"{EXHAUSTED} {test}: {visible_line(heal.explanation)}"
        hint = f" Perhaps {visible_line(heal.suggestions[0].selector)}." if heal.suggestions else ""
        return f"Not healed, {heal.reason}: {test}: {visible_line(heal.explanation or heal.old)}{hint}"

    def as_dict(self) -> dict[str, Any]:
        heal = self.heal
        return {
            "decision": str(self.status),
            "reason": heal.reason,
            "explanation": heal.explanation,
            "old": heal.old,
            "new": heal.new or None,
            "place": f"{heal.site.file}:{heal.site.line}" if heal.site is not None else None,
            "strategy": heal.found_by or None,
            "confidence": heal.probability,
            "evidence": [{"summary": seen.summary, "detail": seen.detail} for seen in heal.evidence],
            "suggestions": [one.selector for one in heal.suggestions],
            "patch": self.patch or None,
            "proposal": self.proposal or None,
        }


@dataclass(slots=True)
class HealReport:
    """All of a run. Filled while the pass goes on."""

    entries: list[HealEntry] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)  # what kept the pass from doing its work

    def of(self, test_id: str) -> list[HealEntry]:
        return [entry for entry in self.entries if entry.case.id == test_id]
