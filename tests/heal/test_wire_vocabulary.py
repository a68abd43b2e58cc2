"""The words and the formula that `test_heal` answers with."""

import pytest

from testwright.heal.thresholds import ONLY_WORDS, REWORDED
from testwright.heal.wire_vocabulary import ExplainedMatch, MatchKind, match_confidence


@pytest.mark.parametrize(
    ("kind", "uniqueness", "overlap", "depth", "expected"),
    [
        (MatchKind.TEST_ID, 1.0, 1.0, 0, 1.0),
        (MatchKind.TEST_ID, 0.5, 0.0, 0, 0.8),
        (MatchKind.ARIA, 1.0, 0.0, 0, 0.9),
        (MatchKind.ARIA, 0.8, 0.71, 0, 0.8),
        (MatchKind.TEXT, 0.81, 0.7, 0, 0.8),
        (MatchKind.ATTRIBUTE, 0.0, 0.0, 0, 0.5),
        (MatchKind.STRUCTURE, 0.0, 0.0, 4, 0.1),
        (MatchKind.STRUCTURE, 0.0, 0.0, 3, 0.3),
    ],
)
def test_the_confidence_formula(
    kind: MatchKind, uniqueness: float, overlap: float, depth: int, expected: float
) -> None:
    assert match_confidence(kind, uniqueness=uniqueness, overlap=overlap, depth_change=depth) == expected


@pytest.mark.parametrize(("confidence", "is_sure"), [(0.9, True), (0.89, False)])
def test_what_is_sure_enough_may_be_written_without_a_person(confidence: float, is_sure: bool) -> None:
    assert ExplainedMatch(1, MatchKind.ARIA, confidence, (), "").is_sure is is_sure


@pytest.mark.parametrize("uniqueness", [REWORDED, ONLY_WORDS])
def test_a_name_alone_or_a_reworded_one_never_counts_as_unique(uniqueness: float) -> None:
    assert match_confidence(MatchKind.ARIA, uniqueness=uniqueness, overlap=1.0) < match_confidence(
        MatchKind.ARIA, uniqueness=1.0, overlap=1.0
    )
