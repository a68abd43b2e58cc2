"""What a heal of a run rests on, in sentences for the person who decides about it."""

from testwright.heal.engine.heal_decision import describe_element
from testwright.heal.strategy_chain import ChainResult
from testwright.model.dom import Element
from testwright.model.heal import HealDecision, Sighting
from testwright.model.proposal import Evidence
from testwright.model.result import RunId


def decision_evidence(
    seen: Sighting, chain: ChainResult, decision: HealDecision, found: Element, run: RunId
) -> tuple[Evidence, ...]:
    """What found it, what is remembered of it, what agrees, and how far behind the next best is."""
    tried = ", ".join(f"{strategy}: {outcome}" for strategy, outcome in chain.tried)
    lost = seen.page.elements[seen.elements[0]]
    told = [
        Evidence(f"{chain.strategy} finds exactly one element: {describe_element(found)}", tried, f"run {run}"),
        Evidence(f"last seen as {describe_element(lost)}", seen.selector, f"run {seen.run}"),
    ]
    best = next((one for one in decision.candidates if one.element == decision.element), None)
    if best is not None:
        agreed, single = ", ".join(best.agreed) or "nothing", ", ".join(best.singled_out_by)
        told.append(Evidence(f"agree: {agreed}", f"only here: {single}"))
        if best.contradicted:
            told.append(Evidence(f"differ: {', '.join(best.contradicted)}"))
    second = next((one for one in decision.candidates if one.element != decision.element), None)
    if second is not None:
        told.append(Evidence(f"the next best scores {second.score:.2f}", f"agree: {', '.join(second.agreed)}"))
    return tuple(told)
