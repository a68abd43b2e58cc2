"""The element that both judges mean: the chain must find exactly one, and the engine must be sure of the same."""

from testwright.heal.page_strategies import reads_as
from testwright.heal.strategy_chain import ChainResult
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import HealDecision, HealOutcome


def agreed_element(
    page: DomSnapshot, chain: ChainResult, decision: HealDecision, *, nested_is_same: bool = False
) -> Element | None:
    """The engine's element, where the chain found the same one; None: they do not agree.

    `nested_is_same`: an element around the other that reads the same will do. On a web page a reader cannot tell the
    two apart; a Flutter test may ask a widget for its type, so there it must be the widget itself.
    """
    if chain.element is None or decision.outcome is not HealOutcome.HEAL or decision.element is None:
        return None
    one, other = chain.element.number, decision.element
    if one == other or (nested_is_same and _are_nested_and_read_the_same(page, one, other)):
        return page.elements[other]
    return None


def _are_nested_and_read_the_same(page: DomSnapshot, one: int, other: int) -> bool:
    nested = one in page.ancestors(other) or other in page.ancestors(one)
    return nested and reads_as(page.elements[one]) == reads_as(page.elements[other])
