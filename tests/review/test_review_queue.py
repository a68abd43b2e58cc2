"""A person decides, once; then the file becomes what they saw, or stays as it was, and the record says which."""

import errno
import os
import random
import stat
import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.errors import (
    BaseChanged,
    DiskFull,
    InvalidPath,
    NotFound,
    PathNotAllowed,
    WriteUncertain,
    WrongStatus,
)
from testwright.model.proposal import Decision, Proposal, ProposalKind, ProposalStatus
from testwright.review.atomic_writer import new_temp_name, sha256
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue
from testwright.store.proposal_store import ProposalStore

OLD, NEW = b"def test_a():\n    assert True\n", b"\xef\xbb\xbfdef test_a():\r\n    assert 1 + 1 == 2"


def _submitted(
    queue: ReviewQueue, project: Path, file: str = "tests/test_a.py", content: bytes = NEW, title: str = "Check the sum"
) -> Proposal:
    with ConfinedRoot(project) as root:
        return queue.submit(make_proposal(root, ProposalKind.REWRITTEN_TEST, title, file, content, "engine"))


def _history(proposal: Proposal) -> list[ProposalStatus]:
    return [decision.status for decision in proposal.decisions]


def test_an_accepted_change_is_in_the_file_byte_for_byte_and_the_record_says_who(
    queue: ReviewQueue, project: Path
) -> None:
    proposal = _submitted(queue, project)
    applied = queue.accept(proposal.id, "ada", "looks right")
    assert (project / "tests" / "test_a.py").read_bytes() == NEW
    assert applied.status is ProposalStatus.APPLIED
    accepted, written = applied.decisions
    assert (accepted.status, accepted.by, accepted.reason) == (ProposalStatus.ACCEPTED, "ada", "looks right")
    assert (written.status, written.by) == (ProposalStatus.APPLIED, "ada")
    assert proposal.created_at <= accepted.at <= written.at
    assert queue.show(proposal.id) == applied


def test_a_new_file_is_made_where_there_was_none(queue: ReviewQueue, project: Path) -> None:
    proposal = _submitted(queue, project, "tests/unit/test_new.py")
    assert queue.accept(proposal.id, "ada").status is ProposalStatus.APPLIED
    assert (project / "tests" / "unit" / "test_new.py").read_bytes() == NEW


def test_nothing_is_written_before_somebody_accepts(queue: ReviewQueue, project: Path) -> None:
    proposal = _submitted(queue, project)
    assert queue.show(proposal.id[:-1]).status is ProposalStatus.PENDING
    assert (project / "tests" / "test_a.py").read_bytes() == OLD
    rejected = queue.reject(proposal.id, "ada", "the old one was better")
    assert rejected.status is ProposalStatus.REJECTED
    assert [(decision.by, decision.reason) for decision in rejected.decisions] == [("ada", "the old one was better")]
    assert (project / "tests" / "test_a.py").read_bytes() == OLD


def test_a_decision_is_made_once(queue: ReviewQueue, project: Path) -> None:
    applied, rejected = _submitted(queue, project), _submitted(queue, project, "tests/test_b.py")
    queue.accept(applied.id, "ada")
    queue.reject(rejected.id, "ada")
    for proposal in (applied, rejected):
        with pytest.raises(WrongStatus):
            queue.accept(proposal.id, "bob")
        with pytest.raises(WrongStatus):
            queue.reject(proposal.id, "bob")
    assert not (project / "tests" / "test_b.py").exists()
    with pytest.raises(NotFound):
        queue.accept("zzzz", "bob")


def test_a_file_that_changed_since_is_left_alone_and_the_proposal_fails(queue: ReviewQueue, project: Path) -> None:
    proposal = _submitted(queue, project)
    (project / "tests" / "test_a.py").write_bytes(b"somebody's work")
    with pytest.raises(BaseChanged):
        queue.accept(proposal.id, "ada")
    failed = queue.show(proposal.id)
    assert failed.status is ProposalStatus.FAILED
    assert failed.decisions[-1].reason.startswith("base_changed: ")
    assert (project / "tests" / "test_a.py").read_bytes() == b"somebody's work"
    with pytest.raises(WrongStatus):
        queue.accept(proposal.id, "ada")


def test_a_file_that_went_or_came_since_fails_too(queue: ReviewQueue, project: Path) -> None:
    gone, came = _submitted(queue, project), _submitted(queue, project, "tests/test_b.py")
    (project / "tests" / "test_a.py").unlink()
    (project / "tests" / "test_b.py").write_bytes(b"somebody's work")
    for proposal in (gone, came):
        with pytest.raises(BaseChanged):
            queue.accept(proposal.id, "ada")
        assert queue.show(proposal.id).status is ProposalStatus.FAILED
    assert [path.name for path in (project / "tests").iterdir()] == ["test_b.py"]
    assert (project / "tests" / "test_b.py").read_bytes() == b"somebody's work"


def test_a_newer_proposal_for_the_same_purpose_takes_the_place_of_the_older(queue: ReviewQueue, project: Path) -> None:
    older = _submitted(queue, project, content=b"first")
    newer = _submitted(queue, project, content=b"second")
    assert queue.show(older.id).status is ProposalStatus.SUPERSEDED
    with pytest.raises(WrongStatus):
        queue.accept(older.id, "ada")
    assert [proposal.id for proposal in queue.list(status=ProposalStatus.PENDING)] == [newer.id]
    assert {proposal.id for proposal in queue.list()} == {older.id, newer.id}


def test_a_support_file_waits_until_it_is_confirmed(queue: ReviewQueue, project: Path) -> None:
    proposal = _submitted(queue, project, "tests/conftest.py")
    with pytest.raises(PathNotAllowed, match="support file"):
        queue.accept(proposal.id, "ada")
    assert queue.show(proposal.id).status is ProposalStatus.PENDING
    queue.accept(proposal.id, "ada", confirm_support_file=True)
    assert (project / "tests" / "conftest.py").read_bytes() == NEW


def test_a_path_that_may_not_be_written_does_not_enter_the_queue(queue: ReviewQueue, project: Path) -> None:
    with ConfinedRoot(project) as root:
        proposal = make_proposal(root, ProposalKind.NEW_TEST, "", "tests/test_b.py", NEW, "engine")
    with pytest.raises(PathNotAllowed):
        queue.submit(replace(proposal, file="../outside/test_b.py"))
    with pytest.raises(InvalidPath):
        queue.submit(replace(proposal, file="tests/test_b.py\n"))
    with pytest.raises(WrongStatus):
        queue.submit(replace(proposal, status=ProposalStatus.ACCEPTED))
    assert queue.list() == ()


def test_a_folder_that_became_a_link_is_not_written_through(queue: ReviewQueue, project: Path, outside: Path) -> None:
    proposal = _submitted(queue, project)
    (outside / "test_a.py").write_bytes(OLD)
    (project / "tests").rename(project / "moved")
    (project / "tests").symlink_to(outside)
    with pytest.raises(PathNotAllowed):
        queue.accept(proposal.id, "ada")
    assert queue.show(proposal.id).decisions[-1].reason.startswith("path_not_allowed: ")
    assert (outside / "test_a.py").read_bytes() == OLD


# --- what a crash leaves ---------------------------------------------------------------------


def _accepted(queue: ReviewQueue, store: ProposalStore, project: Path) -> Proposal:
    """A proposal whose accepting process died before it could begin to write."""
    proposal = _submitted(queue, project)
    decision = Decision(ProposalStatus.ACCEPTED, "ada", datetime.now(UTC))
    return store.transition(proposal.id, allowed={ProposalStatus.PENDING}, decision=decision)


def _begun(queue: ReviewQueue, store: ProposalStore, project: Path) -> tuple[Proposal, Path]:
    """A proposal whose write was begun by a process that is no more, and the temporary file it left."""
    proposal = _accepted(queue, store, project)
    temp_name = new_temp_name()
    store.begin_apply(
        proposal.id, base_sha256=proposal.base_sha256, new_sha256=sha256(proposal.content), temp_name=temp_name
    )
    left = project / "tests" / temp_name
    left.write_bytes(NEW[:3])
    return proposal, left


@pytest.mark.parametrize(
    ("found", "status", "reason"),
    [
        (OLD, ProposalStatus.FAILED, "interrupted"),
        (NEW, ProposalStatus.APPLIED, "interrupted"),
        (b"somebody's work", ProposalStatus.FAILED, "base_changed"),
        (None, ProposalStatus.FAILED, "base_changed"),
    ],
)
def test_an_interrupted_write_is_settled_by_what_the_file_holds(
    queue: ReviewQueue,
    proposal_store: ProposalStore,
    project: Path,
    found: bytes | None,
    status: ProposalStatus,
    reason: str,
) -> None:
    proposal, left = _begun(queue, proposal_store, project)
    file, unrelated = project / "tests" / "test_a.py", project / "tests" / new_temp_name()
    unrelated.write_bytes(b"not in our journal")
    file.unlink() if found is None else file.write_bytes(found)
    (settled,) = queue.recover()
    assert (settled.id, settled.status) == (proposal.id, status)
    assert settled.decisions[-1].reason.startswith(reason)
    assert settled.decisions[0].by == "ada"
    assert not left.exists()
    assert unrelated.exists()
    assert (file.read_bytes() if file.exists() else None) == found
    assert queue.recover() == ()


def test_a_proposal_accepted_and_never_begun_is_settled_too(
    queue: ReviewQueue, proposal_store: ProposalStore, project: Path
) -> None:
    proposal = _accepted(queue, proposal_store, project)
    (settled,) = queue.recover()
    assert settled.id == proposal.id
    assert _history(settled) == [ProposalStatus.ACCEPTED, ProposalStatus.FAILED]
    assert settled.decisions[-1].reason.startswith("interrupted")


def test_what_failed_by_an_interruption_can_be_proposed_again(
    queue: ReviewQueue, proposal_store: ProposalStore, project: Path
) -> None:
    proposal, _ = _begun(queue, proposal_store, project)
    with pytest.raises(WrongStatus):
        queue.propose_again(proposal.id)
    queue.recover()
    again = queue.propose_again(proposal.id)
    assert again.id > proposal.id
    assert queue.accept(again.id, "ada").status is ProposalStatus.APPLIED
    assert queue.show(proposal.id).status is ProposalStatus.FAILED
    assert (project / "tests" / "test_a.py").read_bytes() == NEW


def test_what_failed_because_the_file_changed_cannot_simply_be_proposed_again(
    queue: ReviewQueue, project: Path
) -> None:
    proposal = _submitted(queue, project)
    (project / "tests" / "test_a.py").write_bytes(b"somebody's work")
    with pytest.raises(BaseChanged):
        queue.accept(proposal.id, "ada")
    with pytest.raises(BaseChanged):
        queue.propose_again(proposal.id)


def test_a_disk_without_room_is_on_record_and_a_second_try_works(
    queue: ReviewQueue, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    proposal = _submitted(queue, project)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(DiskFull):
            queue.accept(proposal.id, "ada")
    assert queue.show(proposal.id).decisions[-1].reason.startswith("disk_full: ")
    assert (project / "tests" / "test_a.py").read_bytes() == OLD
    assert queue.accept(queue.propose_again(proposal.id).id, "ada").status is ProposalStatus.APPLIED


def test_a_write_the_disk_did_not_confirm_stays_open_until_it_does(
    queue: ReviewQueue, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def failing(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(descriptor)

    proposal = _submitted(queue, project)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(WriteUncertain):
            queue.accept(proposal.id, "ada")
        assert queue.recover() == ()
        assert queue.show(proposal.id).status is ProposalStatus.ACCEPTED
    other = _submitted(queue, project, "tests/test_b.py")
    queue.accept(other.id, "ada")  # every accept settles what is open first
    assert queue.show(proposal.id).status is ProposalStatus.APPLIED


def test_of_many_who_decide_at_once_one_is_heard_and_the_file_agrees(queue: ReviewQueue, project: Path) -> None:
    chance = random.Random(11)
    proposals = [
        _submitted(queue, project, f"tests/test_{number % 30}.py", b"%d" % number, title=f"change {number}")
        for number in range(40)  # ten files have two rival proposals, of which one at most can fit
    ]
    said: Counter[tuple[str, str]] = Counter()
    lock = threading.Lock()

    def client(name: str, order: list[Proposal], wishes: list[str]) -> None:
        for proposal, wish in zip(order, wishes, strict=True):
            try:
                getattr(queue, wish)(proposal.id, name)
                answer = wish
            except (WrongStatus, BaseChanged) as error:
                answer = error.code
            with lock:
                said[proposal.id, answer] += 1

    threads = [
        threading.Thread(
            target=client,
            args=(
                f"client {number}",
                chance.sample(proposals, len(proposals)),
                chance.choices(["accept", "reject"], k=len(proposals)),
            ),
        )
        for number in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(said.values()) == 6 * len(proposals)
    endings: Counter[ProposalStatus] = Counter()
    for before in proposals:
        after = queue.show(before.id)
        endings[after.status] += 1
        assert _history(after) in (
            [ProposalStatus.ACCEPTED, ProposalStatus.APPLIED],
            [ProposalStatus.ACCEPTED, ProposalStatus.FAILED],
            [ProposalStatus.REJECTED],
        )
        assert said[before.id, "accept"] == (after.status is ProposalStatus.APPLIED)
        assert said[before.id, "reject"] == (after.status is ProposalStatus.REJECTED)
        assert said[before.id, "base_changed"] == (after.status is ProposalStatus.FAILED)
    applied = {after.file: after.content for after in queue.list(status=ProposalStatus.APPLIED)}
    found = {f"tests/{path.name}": path.read_bytes() for path in (project / "tests").iterdir()}
    assert found == applied | {"tests/test_a.py": OLD}
    assert endings[ProposalStatus.APPLIED] > 0
    assert endings[ProposalStatus.REJECTED] > 0
