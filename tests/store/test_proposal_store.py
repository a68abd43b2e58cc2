"""Proposals are kept until a person decides, and every decision is kept with them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from testwright.model.errors import NotFound, WrongStatus
from testwright.model.proposal import Decision, Evidence, Proposal, ProposalId, ProposalKind, ProposalStatus
from testwright.store.proposal_store import ProposalStore, UnfinishedApply

MakeProposal = Callable[..., Proposal]
PENDING, ACCEPTED, REJECTED = ProposalStatus.PENDING, ProposalStatus.ACCEPTED, ProposalStatus.REJECTED
APPLIED, FAILED, SUPERSEDED = ProposalStatus.APPLIED, ProposalStatus.FAILED, ProposalStatus.SUPERSEDED
LATER = datetime(2024, 5, 2, 8, tzinfo=UTC)


def decision(status: ProposalStatus, reason: str = "") -> Decision:
    return Decision(status, "ann", LATER, reason)


def accepted(store: ProposalStore, proposal: Proposal) -> Proposal:
    store.add(proposal)
    return store.transition(proposal.id, allowed=[PENDING], decision=decision(ACCEPTED))


def begin(store: ProposalStore, proposal: Proposal, *, base: str | None = "ab" * 32) -> None:
    store.begin_apply(proposal.id, base_sha256=base, new_sha256="cd" * 32, temp_name=".tw-\udcff")


def test_a_proposal_comes_back_exactly_as_it_was_added(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    proposal = make_proposal(
        kind=ProposalKind.SELECTOR_PATCH,
        title="nul \x00 and half a pair \ud83d",
        file="tests/caf\u00e9'); DROP TABLE proposals;--.py",
        base_sha256=None,
        content=bytes(range(256)),
        diff="-\x1b[31mred\r\n+\x00",
        confidence=0.75,
        evidence=(Evidence("seen", "in \ud800", "run-1"), Evidence("again")),
        decisions=(decision(REJECTED, "no"), decision(PENDING, "yes after all")),
    )

    proposal_store.add(proposal)

    assert proposal_store.get(proposal.id) == proposal


def test_a_proposal_is_found_by_the_start_of_its_id_if_no_other_starts_so(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    for name in ("abc-1", "abd-2", "abd"):
        proposal_store.add(make_proposal(id=ProposalId(name)))

    assert proposal_store.get("abc").id == "abc-1"
    assert proposal_store.get("abd").id == "abd"
    with pytest.raises(NotFound, match=r"several proposals' ids: .*abc-1"):
        proposal_store.get("ab")
    for unknown in ("x", "", "a%"):
        with pytest.raises(NotFound, match="No proposal"):
            proposal_store.get(unknown)


def test_an_id_is_used_once(proposal_store: ProposalStore, make_proposal: MakeProposal) -> None:
    proposal = make_proposal()
    proposal_store.add(proposal)

    with pytest.raises(WrongStatus, match="already"):
        proposal_store.add(replace(proposal, content=b"other"))

    assert proposal_store.list() == [proposal]


def test_proposals_are_listed_newest_first_and_by_status(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    one, two, three = (make_proposal() for _ in range(3))
    for proposal in (two, one, three):
        proposal_store.add(proposal)
    proposal_store.transition(two.id, allowed=[PENDING], decision=decision(REJECTED))

    assert [proposal.id for proposal in proposal_store.list()] == [three.id, two.id, one.id]
    assert proposal_store.list(status=PENDING) == [three, one]
    assert proposal_store.list(status=PENDING, limit=1) == [three]
    assert proposal_store.list(status=APPLIED) == []


def test_a_newer_proposal_for_the_same_purpose_takes_the_place_of_a_pending_one(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    old, other_title, other_file, decided = (
        make_proposal(title="same"),
        make_proposal(title="another"),
        make_proposal(title="same", file="tests/test_other.py"),
        make_proposal(title="decided"),
    )
    for proposal in (old, other_title, other_file, decided):
        proposal_store.add(proposal)
    proposal_store.transition(decided.id, allowed=[PENDING], decision=decision(REJECTED))
    new, again = make_proposal(title="same"), make_proposal(title="decided")

    proposal_store.add(new)
    proposal_store.add(again)

    superseded = proposal_store.get(old.id)
    assert superseded.status is SUPERSEDED
    assert [(made.status, made.at, made.reason) for made in superseded.decisions] == [
        (SUPERSEDED, new.created_at, f"replaced by {new.id}")
    ]
    assert proposal_store.get(decided.id).status is REJECTED
    assert {proposal.id for proposal in proposal_store.list(status=PENDING)} == {
        other_title.id,
        other_file.id,
        new.id,
        again.id,
    }


def test_a_decision_is_recorded_with_who_when_and_why(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    proposal = make_proposal()
    proposal_store.add(proposal)
    no = decision(REJECTED, "tests nothing \x00")

    decided = proposal_store.transition(proposal.id, allowed=[PENDING], decision=no)

    assert (decided.status, decided.decisions) == (REJECTED, (no,))
    assert proposal_store.get(proposal.id) == decided


def test_a_decision_that_comes_too_late_is_refused_and_changes_nothing(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    decided = accepted(proposal_store, make_proposal())

    with pytest.raises(WrongStatus, match=f"{decided.id} is accepted. To become rejected it must be failed or pending"):
        proposal_store.transition(decided.id, allowed=[PENDING, FAILED], decision=decision(REJECTED))
    with pytest.raises(NotFound):
        proposal_store.transition(ProposalId("nobody"), allowed=[PENDING], decision=decision(REJECTED))

    assert proposal_store.get(decided.id) == decided


@pytest.mark.parametrize("outcome", [APPLIED, FAILED])
def test_an_apply_is_on_record_from_its_beginning_to_its_end(
    proposal_store: ProposalStore, make_proposal: MakeProposal, outcome: ProposalStatus
) -> None:
    proposal = accepted(proposal_store, make_proposal())

    begin(proposal_store, proposal)
    assert proposal_store.unfinished_applies() == [
        UnfinishedApply(proposal.id, proposal.file, "ab" * 32, "cd" * 32, ".tw-\udcff")
    ]
    done = proposal_store.finish_apply(proposal.id, decision(outcome, "because"))

    assert (done.status, done.decisions[-1]) == (outcome, decision(outcome, "because"))
    assert proposal_store.unfinished_applies() == []


def test_an_apply_to_a_file_that_did_not_exist_says_so(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    begin(proposal_store, accepted(proposal_store, make_proposal(base_sha256=None)), base=None)

    assert [apply.base_sha256 for apply in proposal_store.unfinished_applies()] == [None]


def test_a_second_apply_to_the_same_state_of_the_file_is_refused(
    proposal_store: ProposalStore, make_proposal: MakeProposal
) -> None:
    for base in (None, "ab" * 32):
        proposal = accepted(proposal_store, make_proposal())
        begin(proposal_store, proposal, base=base)

        with pytest.raises(WrongStatus, match="begun before"):
            begin(proposal_store, proposal, base=base)

    assert len(proposal_store.unfinished_applies()) == 2


def test_only_an_accepted_proposal_is_applied(proposal_store: ProposalStore, make_proposal: MakeProposal) -> None:
    pending, refused = make_proposal(), make_proposal()
    proposal_store.add(pending)
    proposal_store.add(refused)
    proposal_store.transition(refused.id, allowed=[PENDING], decision=decision(REJECTED))

    for proposal in (pending, refused):
        with pytest.raises(WrongStatus, match="Only an accepted proposal"):
            begin(proposal_store, proposal)
    with pytest.raises(NotFound):
        begin(proposal_store, make_proposal())

    assert proposal_store.unfinished_applies() == []


def test_an_apply_that_was_not_begun_cannot_end(proposal_store: ProposalStore, make_proposal: MakeProposal) -> None:
    proposal = accepted(proposal_store, make_proposal())

    with pytest.raises(WrongStatus, match="No apply of it is under way"):
        proposal_store.finish_apply(proposal.id, decision(APPLIED))

    assert proposal_store.get(proposal.id) == proposal


def test_an_apply_ends_once(proposal_store: ProposalStore, make_proposal: MakeProposal) -> None:
    proposal = accepted(proposal_store, make_proposal())
    begin(proposal_store, proposal)
    done = proposal_store.finish_apply(proposal.id, decision(APPLIED))

    with pytest.raises(WrongStatus):
        proposal_store.finish_apply(proposal.id, decision(FAILED))

    assert proposal_store.get(proposal.id) == done


def test_an_apply_ends_as_applied_or_failed_only(proposal_store: ProposalStore, make_proposal: MakeProposal) -> None:
    with pytest.raises(ValueError, match="not as rejected"):
        proposal_store.finish_apply(make_proposal().id, decision(REJECTED))
