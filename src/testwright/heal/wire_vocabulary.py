"""The wire vocabulary of `test_heal`: the kinds of match, and the formula of their confidence.

They are the tool's contract with the programs that ask it. They explain an element that was found; they do not find
it. Each number of the formula is said in `thresholds`.
"""

from dataclasses import dataclass
from enum import StrEnum

from testwright.heal import thresholds


class MatchKind(StrEnum):
    """How an element was found again, best first."""

    TEST_ID = "testid_match"
    ARIA = "aria_match"
    TEXT = "text_match"
    ATTRIBUTE = "attribute_match"
    STRUCTURE = "structural_match"


MODIFIERS = {
    MatchKind.TEST_ID: thresholds.BY_TEST_ID,
    MatchKind.ARIA: thresholds.BY_ROLE_AND_NAME,
    MatchKind.TEXT: thresholds.BY_TEXT,
    MatchKind.ATTRIBUTE: thresholds.BY_ATTRIBUTE,
    MatchKind.STRUCTURE: thresholds.BY_STRUCTURE,
}


@dataclass(frozen=True, slots=True)
class ExplainedMatch:
    """An element that may be the lost one, and why."""

    element: int
    kind: MatchKind
    confidence: float
    agreed: tuple[str, ...]
    why: str

    @property
    def is_sure(self) -> bool:
        """Sure enough to be written without a person looking at it first."""
        return self.confidence >= thresholds.AUTO_APPLY_FROM


def match_confidence(kind: MatchKind, *, uniqueness: float, overlap: float, depth_change: int = 0) -> float:
    """From 0 to 1: a base, the kind's share, and what is known of the element."""
    value = thresholds.CONFIDENCE_BASE + MODIFIERS[kind]
    value += thresholds.UNIQUE_BONUS if uniqueness > thresholds.UNIQUE_ABOVE else 0.0
    value += thresholds.OVERLAP_BONUS if overlap > thresholds.OVERLAP_ABOVE else 0.0
    value -= thresholds.DEPTH_PENALTY if depth_change > thresholds.DEPTH_CHANGE_ABOVE else 0.0
    return round(min(max(value, 0.0), 1.0), 2)
