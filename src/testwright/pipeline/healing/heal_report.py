"""What the heal pass has to say: one entry for each failure it looked at."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from testwright.model.case import TestCase
from testwright.model.heal import Strategy
from testwright.model.proposal import Evidence
from testwright.model.untrusted_text import visible_line

APPLIED = "SELF_HEAL_APPLIED"
EXHAUSTED = "HEAL_BUDGET_EXHAUSTED"


class HealStatus(StrEnum):
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
    reason: str  # a stable code
    explanation: str = ""  # a sentence for a person
    old: str = ""
    new: str = ""
    place: str = ""  # file:line of the selector
    strategy: Strategy | None = None
    confidence: float | None = None
    evidence: tuple[Evidence, ...] = ()
    suggestions: tuple[str, ...] = ()  # selectors for elements that may be it, best first
    patch: str = ""  # from the project's root
    proposal: str = ""

    def line(self) -> str:
        """The row that stands in the report."""
        test = visible_line(self.case.id)
        if self.status is HealStatus.HEALED:
            confidence = f", confidence {self.confidence:.3f}" if self.confidence is not None else ""
            proposal = f", testwright review show {self.proposal}" if self.proposal else ""
            return (
                f"{APPLIED} {test}: {visible_line(self.old)} -> {visible_line(self.new)} "
                f"({self.strategy}{confidence}), patch {visible_line(self.patch)}{proposal}"
            )
        if self.status is HealStatus.NOT_TRIED:
            return f"{EXHAUSTED} {test}: {visible_line(self.explanation)}"
        hint = f" Perhaps {visible_line(self.suggestions[0])}." if self.suggestions else ""
        return f"Not healed, {self.reason}: {test}: {visible_line(self.explanation or self.old)}{hint}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "decision": str(self.status),
            "reason": self.reason,
            "explanation": self.explanation,
            "old": self.old,
            "new": self.new or None,
            "place": self.place or None,
            "strategy": None if self.strategy is None else str(self.strategy),
            "confidence": self.confidence,
            "evidence": [{"summary": seen.summary, "detail": seen.detail} for seen in self.evidence],
            "suggestions": list(self.suggestions),
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
