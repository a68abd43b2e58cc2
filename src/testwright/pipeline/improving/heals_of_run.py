"""The heals that came of a run: tests that passed with a new selector, and what was proposed for those that did not."""

from collections.abc import Iterator, Sequence

from testwright.model.outcome import Outcome
from testwright.model.proposal import Proposal, ProposalStatus
from testwright.model.result import RunResult
from testwright.pipeline.improving.loop_report import Healed

_LOOK_AGAIN = "Healing found nothing it was sure of: `testwright heal repair FILE --url ADDRESS` looks again."


def heal_of(test: str, heals: Sequence[Proposal]) -> Proposal | None:
    return next((heal for heal in heals if any(f"{test} passes" in seen.summary for seen in heal.evidence)), None)


def healed_in(run: RunResult, heals: Sequence[Proposal]) -> Iterator[Healed]:
    for result in run.results:
        if result.outcome is Outcome.PASSED_WITH_HEAL:
            proposal = heal_of(result.case.id, heals)
            yield Healed(result.case.id, result.last.message, proposal.id if proposal is not None else "")


def heal_advice(run: RunResult, heal: Proposal | None) -> str:
    """What the heal pass of a run proposed, or how to look again."""
    if heal is None:
        return _LOOK_AGAIN
    of_this_run = any(seen.source == f"run {run.id}" for seen in heal.evidence)
    when = "" if of_this_run else " by another run"
    waits = heal.status is ProposalStatus.PENDING
    state = f"waits{when}" if waits else f"was proposed{when}, and is {heal.status}"
    return f"A new selector {state}: testwright review show {heal.id}"
