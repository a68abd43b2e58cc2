"""`testwright review`: nothing enters a file until a person says yes."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine
from testwright.model.proposal import Evidence, Proposal, ProposalKind
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.settings import Settings
from testwright.wiring import open_review

FILE = "tests/test_sums.py"


@pytest.fixture
def proposal(project: Path) -> Proposal:
    """A pending change to a test."""
    content = (project / FILE).read_bytes().replace(b"== 3", b"== 2")
    with ConfinedRoot(project) as root:
        made = make_proposal(
            root,
            ProposalKind.REWRITTEN_TEST,
            "Expect the right sum",
            FILE,
            content,
            "engine",
            evidence=(Evidence("1 + 1 was 2 in every run", source="run 1"),),
            confidence=0.93,
        )
    with open_review(project, Settings()) as queue:
        return queue.submit(made)


def test_what_waits_is_listed(testwright: CommandLine, proposal: Proposal) -> None:
    said = testwright("review", "list")

    assert proposal.id in said.out
    assert "93%" in said.out
    assert "Expect the right sum" in said.out


def test_an_empty_queue_says_so(testwright: CommandLine, project: Path) -> None:
    assert testwright("review", "list").out == "Nothing waits for you.\n"


def test_a_proposal_is_shown_with_its_diff_and_its_evidence(testwright: CommandLine, proposal: Proposal) -> None:
    said = testwright("review", "show", proposal.id)

    assert "-    assert 1 + 1 == 3" in said.out
    assert "+    assert 1 + 1 == 2" in said.out
    assert "1 + 1 was 2 in every run (run 1)" in said.out


def test_accepting_writes_the_file_and_records_who_decided(
    testwright: CommandLine, project: Path, proposal: Proposal
) -> None:
    said = testwright("review", "accept", proposal.id, "--by", "ada", "--reason", "obviously")

    assert said.code == 0
    assert (project / FILE).read_bytes() == proposal.content
    shown = testwright("review", "show", proposal.id, "--json").json
    assert shown["status"] == "applied"
    first = shown["decisions"][0]
    assert (first["status"], first["by"], first["reason"]) == ("accepted", "ada", "obviously")


def test_rejecting_leaves_the_file_alone_and_keeps_the_reason(
    testwright: CommandLine, project: Path, proposal: Proposal
) -> None:
    before = (project / FILE).read_bytes()

    testwright("review", "reject", proposal.id, "--reason", "the code is wrong, not the test")

    assert (project / FILE).read_bytes() == before
    assert "the code is wrong, not the test" in testwright("review", "show", proposal.id).out


def test_a_file_that_changed_by_one_byte_makes_the_proposal_stale(
    testwright: CommandLine, project: Path, proposal: Proposal
) -> None:
    changed = (project / FILE).read_bytes() + b"\n"
    (project / FILE).write_bytes(changed)

    said = testwright("review", "accept", proposal.id)

    assert said.code == 1
    assert "[base_changed]" in said.err
    assert (project / FILE).read_bytes() == changed
    assert testwright("review", "show", proposal.id, "--json").json["status"] == "failed"


def test_a_proposal_is_accepted_once(testwright: CommandLine, proposal: Proposal) -> None:
    testwright("review", "accept", proposal.id)

    assert "[wrong_status]" in testwright("review", "accept", proposal.id).err


def test_a_proposal_that_does_not_exist_is_not_found(testwright: CommandLine, project: Path) -> None:
    said = testwright("review", "show", "nobody")

    assert said.code == 2
    assert "[not_found]" in said.err
