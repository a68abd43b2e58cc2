"""Patches wait in a folder of their own, hidden from git, and nothing leads a write out of the module."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import TestId
from testwright.model.errors import WriteFailed
from testwright.pipeline.healing.heal_proposals import PatchFolder, safe_name

AT = datetime(2024, 5, 1, 12, 30, 15, tzinfo=UTC)
TEST = TestId("playwright:tests/cart.spec.ts::cart › buys")


@pytest.mark.parametrize("module", ["", ".", "packages/shop"])
def test_the_newest_patch_and_a_log_of_all_are_kept_below_the_module(tmp_path: Path, module: str) -> None:
    (tmp_path / module).mkdir(parents=True, exist_ok=True)
    folder = PatchFolder(tmp_path, module)

    folder.write(TEST, AT, b"--- a\n", "SELF_HEAL_APPLIED it")
    folder.write(TEST, AT.replace(minute=31), b"--- b\n", "SELF_HEAL_APPLIED it again")

    place = tmp_path / module / "tests" / "auto-heal-patches"
    assert (tmp_path / folder.name_of(TEST, AT.replace(minute=31))).read_bytes() == b"--- b\n"
    assert sorted(file.suffix for file in place.iterdir() if file.name != ".gitignore") == [".log", ".patch"]
    assert (place / f"{safe_name(TEST)}.log").read_text().splitlines() == [
        "2024-05-01T12:30:15Z SELF_HEAL_APPLIED it",
        "2024-05-01T12:31:15Z SELF_HEAL_APPLIED it again",
    ]


def test_git_does_not_see_the_folder(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)

    PatchFolder(tmp_path, "").write(TEST, AT, b"", "row")

    status = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, check=True)
    assert status.stdout == b""


@pytest.mark.parametrize("name", ["tests", "tests/auto-heal-patches"])
def test_a_link_in_the_way_is_not_followed(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    project = tmp_path / "project"
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).symlink_to(outside)

    with pytest.raises(WriteFailed, match="auto-heal-patches"):
        PatchFolder(project, "").write(TEST, AT, b"", "row")

    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "test_id",
    ["../../../etc/passwd", "a/b\\c", "x" * 5000, "nul \x00 and \x1b[31m", "::", ".hidden", "日本語", "half \ud83d"],
)
def test_any_name_of_a_test_becomes_a_plain_file_name(tmp_path: Path, test_id: str) -> None:
    folder = PatchFolder(tmp_path, "")

    folder.write(TestId(test_id), AT, b"", "row")

    [patch] = (tmp_path / "tests" / "auto-heal-patches").glob("*.patch")
    assert patch.name.isascii()
    assert not patch.name.startswith(".")


def test_tests_whose_names_look_alike_do_not_share_files() -> None:
    assert safe_name(TestId("a b")) != safe_name(TestId("a-b"))
