"""A web test as a proposal: the file as it would lie in the project, with what was seen when it ran."""

from collections.abc import Iterator

from testwright.model.proposal import Evidence, ProposalKind
from testwright.pipeline.web.answer import WebTestAnswer
from testwright.pipeline.web.proof import ProofVerdict
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

ORIGIN = "test_from_context"


def propose(answer: WebTestAnswer, root: ConfinedRoot, queue: ReviewQueue) -> str:
    """Queue the test; empty where the project has it already, word for word."""
    content = answer.written.content.encode()
    if root.sha256(answer.file) is not None and root.read(answer.file) == content:
        return ""
    kind = ProposalKind.BUG_REPORT if answer.source_error else ProposalKind.NEW_TEST
    about = "proof of " if answer.proof.verdict is ProofVerdict.REPRODUCED else "about "
    title = f"{answer.written.filename}: {about + answer.source_error if answer.source_error else 'what was done'}"
    evidence, confidence = tuple(_evidence(answer)), answer.written.confidence
    proposal = make_proposal(root, kind, title, answer.file, content, ORIGIN, evidence, confidence)
    return str(queue.submit(proposal).id)


def _evidence(answer: WebTestAnswer) -> Iterator[Evidence]:
    source = f"session {answer.session}"
    proof = answer.proof
    if proof.verdict is ProofVerdict.NOT_RUN:
        yield Evidence(f"The test has not been run. {proof.told}".strip(), source=source)
    else:
        yield Evidence(proof.told, source=source)
    for note in (*answer.notes, *answer.written.notes):
        yield Evidence(note, source=source)
