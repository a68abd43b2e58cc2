"""A heal needs the chain and the engine to mean the same element."""

import pytest

from testwright.heal.strategy_chain import ChainResult, agreed_element
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import HealDecision, HealOutcome, Strategy

PAGE = DomSnapshot(
    (
        Element(0, None, "body"),
        Element(1, 0, "button", text="Pay"),
        Element(2, 1, "span", text="Pay"),
        Element(3, 0, "button", text="Cancel"),
    )
)


def chain(found: int | None) -> ChainResult:
    return ChainResult(Strategy.BY_TEXT, None if found is None else PAGE.elements[found])


def decision(element: int | None, outcome: HealOutcome = HealOutcome.HEAL) -> HealDecision:
    return HealDecision(outcome, element, 0.99)


def test_what_both_mean_is_the_engines_element() -> None:
    assert agreed_element(PAGE, chain(1), decision(1)) == PAGE.elements[1]


@pytest.mark.parametrize(
    ("found", "judged"),
    [
        (None, decision(1)),
        (1, decision(None)),
        (1, decision(3)),
        (1, decision(1, HealOutcome.SUGGEST)),
        (1, decision(1, HealOutcome.ABSTAIN)),
    ],
)
def test_either_can_say_no(found: int | None, judged: HealDecision) -> None:
    assert agreed_element(PAGE, chain(found), judged, nested_is_same=True) is None


def test_an_element_around_it_that_reads_the_same_will_do_only_where_that_is_asked_for() -> None:
    assert agreed_element(PAGE, chain(2), decision(1)) is None
    assert agreed_element(PAGE, chain(2), decision(1), nested_is_same=True) == PAGE.elements[1]
    assert agreed_element(PAGE, chain(0), decision(1), nested_is_same=True) is None
