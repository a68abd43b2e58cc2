"""The review queue: what waits for a person, and what becomes of it once they decide.

An accepted proposal is written in four steps: the decision is recorded, the write is recorded as
begun, the file is changed, the end is recorded. A process may die after any of them; `recover` then
looks at the file, which holds the old content or the new one, and records which.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from testwright.model.errors import (
    BaseChanged,
    NotARegularFile,
    PathNotAllowed,
    PathNotFound,
    PathUnreadable,
    TestwrightError,
    TooLarge,
    WriteUncertain,
    WrongStatus,
)
from testwright.model.proposal import Decision, Proposal, ProposalStatus
from testwright.review.atomic_writer import new_temp_name, sha256
from testwright.review.confined_root import ConfinedRoot
from testwright.review.path_rules import normalised_for_writing
from testwright.review.proposal_builder import new_proposal_id

if TYPE_CHECKING:  # the store brings SQLAlchemy with it, and the caller who makes a queue has loaded it already
    from testwright.store.proposal_store import ProposalStore, UnfinishedApply

OURSELVES = "testwright"  # decides nothing, but records what came of a decision
_INTERRUPTED = "interrupted: the file was not changed; the change may be proposed again"
_CHANGED = "base_changed: the file is neither what it was nor what was proposed"
_NO_LONGER_THE_FILE = (NotARegularFile, PathNotAllowed, PathNotFound, TooLarge)


class ReviewQueue:
    """The proposals for one project, and the only hand that writes them into its files."""

    def __init__(self, root: ConfinedRoot, store: "ProposalStore") -> None:
        self._root = root
        self._store = store

    def submit(self, proposal: Proposal) -> Proposal:
        """Put a proposal into the queue; the store lets older pending ones for the same purpose give way to it."""
        normalised_for_writing(proposal.file, confirmed_support_file=True)
        if proposal.status is not ProposalStatus.PENDING or proposal.decisions:
            raise WrongStatus(
                f"The proposal {proposal.id} is {proposal.status} already.",
                next_step="Submit only what nobody decided.",
            )
        self._store.add(proposal)
        return proposal

    def list(self, *, status: ProposalStatus | None = None, limit: int = 100) -> tuple[Proposal, ...]:
        """The newest first."""
        return tuple(self._store.list(status=status, limit=limit))

    def show(self, id_or_prefix: str) -> Proposal:
        return self._store.get(id_or_prefix)

    def reject(self, id_or_prefix: str, by: str, reason: str = "") -> Proposal:
        proposal = self._store.get(id_or_prefix)
        decision = _decision(ProposalStatus.REJECTED, by, reason)
        return self._store.transition(proposal.id, allowed={ProposalStatus.PENDING}, decision=decision)

    def accept(self, id_or_prefix: str, by: str, reason: str = "", *, confirm_support_file: bool = False) -> Proposal:
        """Say yes to a pending proposal and write it. Whatever is raised, the file is whole, and the status true.

        A support file (see `testwright.review.path_rules`) is refused, and stays pending, until it is confirmed.
        """
        proposal = self._store.get(id_or_prefix)
        if proposal.status is ProposalStatus.PENDING:  # of any other, the status is the news
            normalised_for_writing(proposal.file, confirmed_support_file=confirm_support_file)
        with self._root.exclusive():
            self._settle_interrupted()
            decision = _decision(ProposalStatus.ACCEPTED, by, reason)
            proposal = self._store.transition(proposal.id, allowed={ProposalStatus.PENDING}, decision=decision)
            return self._apply(proposal, by, confirm_support_file=confirm_support_file)

    def propose_again(self, id_or_prefix: str) -> Proposal:
        """A new pending proposal like one that failed, if the file still is what it was made for."""
        failed = self._store.get(id_or_prefix)
        if failed.status is not ProposalStatus.FAILED:
            raise WrongStatus(
                f"The proposal {failed.id} is {failed.status}.", next_step="Only a failed one can be proposed again."
            )
        if self._root.sha256(failed.file) != failed.base_sha256:
            raise BaseChanged(
                f"'{failed.file}' has changed since this proposal was made.",
                next_step="Ask for a new proposal for the file as it is now.",
            )
        again = replace(
            failed, id=new_proposal_id(), created_at=datetime.now(UTC), status=ProposalStatus.PENDING, decisions=()
        )
        return self.submit(again)

    def recover(self) -> tuple[Proposal, ...]:
        """Settle every write whose end was never seen, and remove what it left. Call it before anything else.

        Returns the proposals whose fate it found out. One whose file cannot be looked at now stays as it is.
        """
        with self._root.exclusive():  # a process that writes at this moment is not interrupted
            return self._settle_interrupted()

    def _apply(self, proposal: Proposal, by: str, *, confirm_support_file: bool) -> Proposal:
        temp_name = new_temp_name()
        with _noting(proposal):
            self._store.begin_apply(
                proposal.id, base_sha256=proposal.base_sha256, new_sha256=sha256(proposal.content), temp_name=temp_name
            )
        try:
            self._write(proposal, temp_name, confirm_support_file=confirm_support_file)
        except WriteUncertain:
            raise  # the write stays on record as begun; the next look at the file settles it
        except TestwrightError as error:
            with _noting(proposal):
                self._store.finish_apply(proposal.id, _decision(ProposalStatus.FAILED, OURSELVES, _because(error)))
            raise
        with _noting(proposal):
            return self._store.finish_apply(proposal.id, _decision(ProposalStatus.APPLIED, by))

    def _write(self, proposal: Proposal, temp_name: str, *, confirm_support_file: bool) -> None:
        if proposal.base_sha256 is None:
            self._root.create(
                proposal.file, proposal.content, temp_name=temp_name, confirmed_support_file=confirm_support_file
            )
        else:
            self._root.replace(
                proposal.file,
                proposal.content,
                base_sha256=proposal.base_sha256,
                temp_name=temp_name,
                confirmed_support_file=confirm_support_file,
            )

    def _settle_interrupted(self) -> tuple[Proposal, ...]:
        """Only under the lock: then all that is unfinished belongs to processes that have ended."""
        unfinished = self._store.unfinished_applies()
        settled = [self._settled(apply) for apply in unfinished]
        begun = {apply.id for apply in unfinished}
        for proposal in self._store.list(status=ProposalStatus.ACCEPTED):
            if proposal.id not in begun:  # accepted, and then not even begun: its file was never touched
                failed = _decision(ProposalStatus.FAILED, OURSELVES, _INTERRUPTED)
                settled.append(self._store.transition(proposal.id, allowed={ProposalStatus.ACCEPTED}, decision=failed))
        return tuple(proposal for proposal in settled if proposal is not None)

    def _settled(self, apply: "UnfinishedApply") -> Proposal | None:
        """Look at the file, and record what the look says; None where looking was not possible."""
        try:
            decision = self._found(apply)
            self._root.remove_leftover(apply.file, apply.temp_name)
        except (PathUnreadable, WriteUncertain):
            return None
        return self._store.finish_apply(apply.id, decision)

    def _found(self, apply: "UnfinishedApply") -> Decision:
        try:
            now = self._root.sha256(apply.file)
            if now == apply.new_sha256:
                self._root.flush(apply.file)  # we read it from memory; who died may not have reached the disk
                return _decision(ProposalStatus.APPLIED, OURSELVES, "interrupted after the file was complete")
        except _NO_LONGER_THE_FILE:
            return _decision(ProposalStatus.FAILED, OURSELVES, _CHANGED)
        reason = _INTERRUPTED if now == apply.base_sha256 else _CHANGED
        return _decision(ProposalStatus.FAILED, OURSELVES, reason)


@contextmanager
def _noting(proposal: Proposal) -> Iterator[None]:
    """A store that fails now leaves the proposal accepted and its end unknown: say so, in any state of the file."""
    try:
        yield
    except WrongStatus:
        raise
    except TestwrightError as error:
        raise WriteUncertain(
            f"The store could not note what became of '{proposal.file}': {error.message}",
            next_step="Once the store works again, any `testwright review` command looks at the file and notes it.",
        ) from error


def _decision(status: ProposalStatus, by: str, reason: str = "") -> Decision:
    return Decision(status=status, by=by, at=datetime.now(UTC), reason=reason)


def _because(error: TestwrightError) -> str:
    return f"{error.code}: {error.message}"
