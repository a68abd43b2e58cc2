"""Changes of files that a heal leads to, put into the review queue."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import NamedTuple

from testwright.model.proposal import Evidence, ProposalKind
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

OpenQueue = Callable[[], AbstractContextManager[ReviewQueue]]
"""Opens the project's review queue. It is opened only where something is to be put into it."""


class FileChange(NamedTuple):
    """A file as it is and as it should become."""

    kind: ProposalKind
    title: str
    file: str
    before: bytes
    after: bytes
    evidence: tuple[Evidence, ...]
    confidence: float | None = None


def queue_changes(
    open_queue: OpenQueue, confined: ConfinedRoot, changes: Iterable[FileChange], origin: str
) -> dict[str, str]:
    """The ids they wait under, by file. Of several for one file only the first: the others were made without it."""
    made: dict[str, str] = {}
    with open_queue() as queue:
        for change in changes:
            if change.file in made:
                continue
            proposal = make_proposal(
                confined,
                change.kind,
                change.title,
                change.file,
                change.after,
                origin,
                change.evidence,
                change.confidence,
                made_from=change.before,
            )
            made[change.file] = queue.submit(proposal).id
    return made
