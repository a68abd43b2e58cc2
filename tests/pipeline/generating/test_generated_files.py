"""Generated files are written where a person said, or wait in the review queue, and never half."""

from pathlib import Path

import pytest

from testwright.model.errors import WriteFailed
from testwright.model.proposal import ProposalKind, ProposalStatus
from testwright.pipeline.generating.generated_files import KeptFile, OutputFolder, Proposals, write_whole
from testwright.pipeline.generating.module_outcome import ModuleOutcome, NewFile, Status
from testwright.review.confined_root import ConfinedRoot
from testwright.settings import Settings
from testwright.wiring import open_review

SUITE = "def test_one():\n    assert True\n"


def outcome(folder: Path, name: str = "test_one.py", *, conftest: str | None = None) -> ModuleOutcome:
    return ModuleOutcome(
        "one.py",
        Status.TESTED,
        suite=NewFile(folder / name, SUITE, "Tests for one"),
        conftest=NewFile(folder / "conftest.py", conftest, "Let the tests find the code") if conftest else None,
    )


def proposed(root: Path, *outcomes: ModuleOutcome, accepted_by: str = "") -> list[KeptFile]:
    with open_review(root, Settings()) as queue, ConfinedRoot(root) as confined:
        keeper = Proposals(queue, confined, accepted_by=accepted_by)
        return [kept for each in outcomes for kept in keeper.keep(each)]


def test_the_folder_is_made_and_every_file_written(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"

    kept = OutputFolder(folder).keep(outcome(folder, conftest="# roots\n"))

    assert [(Path(each.path).name, each.state) for each in kept] == [
        ("conftest.py", "written"),
        ("test_one.py", "written"),
    ]
    assert (folder / "test_one.py").read_text() == SUITE


def test_the_same_again_is_unchanged(tmp_path: Path) -> None:
    OutputFolder(tmp_path).keep(outcome(tmp_path))

    [kept] = OutputFolder(tmp_path).keep(outcome(tmp_path))

    assert kept.state == "unchanged"


def test_a_file_that_cannot_be_written_leaves_nothing_behind_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").mkdir()

    [kept] = OutputFolder(tmp_path).keep(outcome(tmp_path))

    assert kept.state == "failed"
    assert "test_one.py could not be written" in kept.reason
    assert [path.name for path in tmp_path.iterdir()] == ["test_one.py"]


def test_a_place_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(WriteFailed):
        write_whole(tmp_path / "file" / "test_one.py", SUITE)


def test_proposals_wait_and_the_files_do_not_exist_yet(tmp_path: Path) -> None:
    kept = proposed(tmp_path, outcome(tmp_path / "tests", conftest="# roots\n"))

    assert [each.state for each in kept] == ["proposed", "proposed"]
    assert [each.proposal.kind for each in kept if each.proposal] == [ProposalKind.SUPPORT_FILE, ProposalKind.NEW_TEST]
    assert not (tmp_path / "tests").exists()
    with open_review(tmp_path, Settings()) as queue:
        assert len(queue.list(status=ProposalStatus.PENDING)) == 2


def test_two_modules_propose_their_shared_conftest_once(tmp_path: Path) -> None:
    tests = tmp_path / "tests"

    kept = proposed(tmp_path, outcome(tests, conftest="# roots\n"), outcome(tests, "test_two.py", conftest="# roots\n"))

    assert len({each.proposal.id for each in kept if each.proposal}) == 3


def test_what_was_accepted_in_advance_is_in_place_and_on_record(tmp_path: Path) -> None:
    kept = proposed(tmp_path, outcome(tmp_path / "tests", conftest="# roots\n"), accepted_by="ada")

    assert [each.state for each in kept] == ["applied", "applied"]
    assert (tmp_path / "tests" / "test_one.py").read_text() == SUITE
    assert (tmp_path / "tests" / "conftest.py").read_text() == "# roots\n"
    assert kept[1].proposal is not None
    assert kept[1].proposal.decisions[0].by == "ada"


def test_a_file_that_reads_so_already_is_not_proposed_again(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_one.py").write_text(SUITE)

    [kept] = proposed(tmp_path, outcome(tmp_path / "tests"))

    assert (kept.state, kept.proposal) == ("unchanged", None)


def test_a_place_that_may_not_be_written_is_refused_and_the_rest_is_proposed(tmp_path: Path) -> None:
    refused = ModuleOutcome("a.py", Status.TESTED, suite=NewFile(tmp_path / ".git" / "test_a.py", SUITE, "Tests"))

    kept = proposed(tmp_path, refused, outcome(tmp_path / "tests"))

    assert [each.state for each in kept] == ["failed", "proposed"]
    assert "protected" in kept[0].reason
