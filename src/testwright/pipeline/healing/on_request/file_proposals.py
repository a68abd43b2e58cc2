"""Heals of a file as a proposal: waiting for a person, or applied at once after a rerun that passed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from testwright.model.heal import SelectorHeal
from testwright.model.proposal import Evidence, Proposal, ProposalKind
from testwright.pipeline.healing.on_request.answer import FileAnswer
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal

if TYPE_CHECKING:
    from testwright.review.review_queue import ReviewQueue

ORIGIN = "test_heal"
_NOT_TRIED = Evidence("The test has not been run with this change.")


@dataclass(frozen=True, slots=True)
class Rerun:
    """How the tests of a file went with a change in place."""

    passed: bool
    told: str  # how many ran, or what went wrong
    run: str = ""


Rerunner = Callable[[str, bytes], Rerun]
"""Runs the tests of a file, given by its name, as if it had this content. The file itself is not touched."""


def propose(answer: FileAnswer, root: ConfinedRoot, queue: "ReviewQueue") -> FileAnswer:
    """Queue the file with every heal in it for a person's decision."""
    if not answer.after:
        return answer
    proposal = queue.submit(_proposal(answer, root, answer.after, answer.healed, _NOT_TRIED))
    return replace(answer, proposal=proposal.id)


def apply_sure(answer: FileAnswer, root: ConfinedRoot, queue: "ReviewQueue", *, rerun: Rerunner, by: str) -> FileAnswer:
    """Write those heals that are sure enough, if the file's tests pass with them. A proposal stays on record."""
    sure = tuple(one for one in answer.healed if one.is_sure and one.line)
    if not answer.sure or not sure:
        return answer
    tried = rerun(answer.file, answer.sure)
    if not tried.passed:
        note = f"Nothing was written: the tests do not pass with the change ({tried.told})."
        return replace(answer, notes=(*answer.notes, note))
    evidence = Evidence(f"The tests of the file pass with this change: {tried.told}.", source=tried.run)
    proposal = queue.submit(_proposal(answer, root, answer.sure, sure, evidence))
    applied = queue.accept(proposal.id, by, "auto_apply: sure enough, and the tests pass with it")
    return replace(answer, proposal=applied.id, applied=True)


def _proposal(
    answer: FileAnswer, root: ConfinedRoot, content: bytes, heals: tuple[SelectorHeal, ...], proof: Evidence
) -> Proposal:
    written = [one for one in heals if one.line]
    count = f"{len(written)} selector{'s' if len(written) != 1 else ''}"
    return make_proposal(
        root,
        ProposalKind.SELECTOR_PATCH,
        f"Heal {count} in {answer.file}",
        answer.file,
        content,
        ORIGIN,
        evidence=(*map(_evidence, written), proof),
        confidence=min(one.confidence for one in written if one.confidence is not None),
        made_from=answer.before,
    )


def _evidence(one: SelectorHeal) -> Evidence:
    how = "compared with a passing run" if one.is_remembered else "by the selector's own words"
    return Evidence(
        f"{one.old} → {one.new} ({one.found_by}, {one.confidence:.0%}, {how}): {one.explanation}",
        source=f"line {one.line}",
    )
