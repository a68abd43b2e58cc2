"""What `test_from_context` answers, one summary line and data for a program, and what it needs of the project."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from testwright.generate.web.targets.web_targets import target_of
from testwright.generate.web.web_plan import WrittenTest
from testwright.model.proposal import Evidence, ProposalKind
from testwright.pipeline.web.proof import Proof, ProofVerdict, Trial
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

Progress = Callable[[str], None]
ORIGIN = "test_from_context"


@dataclass(frozen=True, slots=True)
class WebTestAnswer:
    written: WrittenTest
    proof: Proof
    generated_at: datetime
    context_used: tuple[str, ...]
    session: str
    source_error: str = ""
    file: str = ""  # where it would lie, from the project's root
    proposal: str = ""  # the id it waits under in the review queue
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        test = self.written
        count = f"{test.assertions} assertion{'s' if test.assertions != 1 else ''}"
        return f"Generated {target_of(test.framework).label} test '{test.filename}' ({count})"

    def shape(self) -> dict[str, Any]:
        """The data of the answer. The first two are the contract; `proof` says what the figures rest on."""
        test = self.written
        metadata: dict[str, Any] = {
            "generated_at": self.generated_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "context_used": list(self.context_used),
        }
        if self.source_error:
            metadata = {"source_error": self.source_error, **metadata}
        return {
            "test": {
                "framework": str(test.framework),
                "filename": test.filename,
                "content": test.content,
                "selectors": list(test.selectors),
                "assertions": test.assertions,
                "coverage": {
                    "error_reproduced": self.proof.reproduced if self.source_error else None,
                    "network_mocked": self.proof.proven(emitted=test.uses_mocks),
                    "state_captured": self.proof.proven(emitted=test.uses_state),
                },
            },
            "metadata": metadata,
            "session": self.session,
            "proof": self.proof.shape,
            "level": test.level,
            "confidence": test.confidence,
            "notes": list(dict.fromkeys((*self.notes, *test.notes))),
            **({"file": self.file} if self.file else {}),
            **({"proposal": self.proposal} if self.proposal else {}),
        }


Propose = Callable[[WebTestAnswer], str]
"""Queues a test for review; the proposal's id."""


@dataclass(frozen=True)
class WebTestTools:
    root: Path
    folder: str = ""  # what the settings say; empty: found
    base_url: str = ""  # what the settings say
    trial: Callable[[str], Trial] | None = None  # runs tests that lie in the folder given; None: nothing is run
    is_reachable: Callable[[str], bool] = lambda _: False
    propose: Propose | None = None
    progress: Progress = lambda _: None


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
