"""A proposal is tied to the file as it is, and says what it would do to it."""

from pathlib import Path

import pytest

from testwright.model.errors import BaseChanged, NotARegularFile, PathNotAllowed, UsageError
from testwright.model.proposal import Evidence, Proposal, ProposalKind, ProposalStatus
from testwright.review.atomic_writer import sha256
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal, new_proposal_id

OLD, NEW = b"def test_a():\n    assert True\n", b"def test_a():\n    assert 1 + 1 == 2\n"


def _proposal(root: ConfinedRoot, file: str, content: bytes = NEW, *, made_from: bytes | None = None) -> Proposal:
    return make_proposal(
        root, ProposalKind.REWRITTEN_TEST, "Check the sum", file, content, "engine", made_from=made_from
    )


def test_a_change_to_a_file_carries_its_hash_and_a_diff(root: ConfinedRoot) -> None:
    seen = Evidence("it passed", source="run 7")
    proposal = make_proposal(
        root, ProposalKind.SELECTOR_PATCH, "Follow the button", "./tests/test_a.py", NEW, "engine", [seen], 0.93
    )
    assert proposal.file == "tests/test_a.py"
    assert proposal.base_sha256 == sha256(OLD)
    assert proposal.content == NEW
    assert "-    assert True\n+    assert 1 + 1 == 2\n" in proposal.diff
    assert (proposal.status, proposal.decisions) == (ProposalStatus.PENDING, ())
    assert (proposal.evidence, proposal.confidence, proposal.origin) == ((seen,), 0.93, "engine")
    assert proposal.created_at.tzinfo is not None


def test_a_new_file_has_no_base(root: ConfinedRoot) -> None:
    proposal = _proposal(root, "tests/unit/test_new.py")
    assert proposal.base_sha256 is None
    assert proposal.diff.startswith("--- /dev/null\n+++ b/tests/unit/test_new.py\n@@ -0,0 +1,2 @@\n")


def test_bytes_that_are_not_text_are_kept_and_described(root: ConfinedRoot) -> None:
    proposal = _proposal(root, "tests/page.png", b"\x89PNG\xff")
    assert proposal.content == b"\x89PNG\xff"
    assert "not UTF-8" in proposal.diff


def test_a_file_saved_while_the_change_was_worked_out_is_not_silently_reverted(
    root: ConfinedRoot, project: Path
) -> None:
    made_from = root.read("tests/test_a.py")
    assert _proposal(root, "tests/test_a.py", made_from=made_from).base_sha256 == sha256(made_from)
    (project / "tests" / "test_a.py").write_bytes(OLD + b"# somebody's work\n")
    with pytest.raises(BaseChanged):
        _proposal(root, "tests/test_a.py", made_from=made_from)
    with pytest.raises(BaseChanged):
        _proposal(root, "tests/test_gone.py", made_from=made_from)


def test_what_could_never_be_written_cannot_be_proposed(root: ConfinedRoot) -> None:
    for path in ("src/app.py", ".git/hooks/pre-commit", "tests/evil.pth", "../test_a.py"):
        with pytest.raises(PathNotAllowed):
            _proposal(root, path)
    with pytest.raises(NotARegularFile):
        _proposal(root, ".")
    assert _proposal(root, "tests/conftest.py").file == "tests/conftest.py"  # may be, and needs a confirmation later


def test_a_change_that_changes_nothing_is_no_proposal(root: ConfinedRoot) -> None:
    with pytest.raises(UsageError, match="already reads as proposed"):
        _proposal(root, "tests/test_a.py", OLD)


def test_ids_are_short_never_repeat_and_sort_by_age() -> None:
    ids = [new_proposal_id() for _ in range(10_000)]
    assert len(set(ids)) == len(ids)
    assert sorted(ids) == ids
    assert {len(id_) for id_ in ids} == {14}
    assert set("".join(ids)) <= set("0123456789abcdefghjkmnpqrstvwxyz")
