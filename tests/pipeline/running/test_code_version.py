"""Where the code of a run came from."""

import subprocess
from pathlib import Path

import pytest

from testwright.pipeline.running.code_version import commit_of


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.txt").write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_a_clean_work_tree_is_at_its_commit(repository: Path) -> None:
    assert commit_of(repository) == (git(repository, "rev-parse", "HEAD"), False)


def test_a_changed_file_makes_it_dirty_and_a_new_one_does_not(repository: Path) -> None:
    (repository / "new.txt").touch()
    assert commit_of(repository)[1] is False

    (repository / "a.txt").write_text("two\n")
    assert commit_of(repository)[1] is True


def test_a_folder_of_a_repository_is_at_the_repositorys_commit(repository: Path) -> None:
    (repository / "sub").mkdir()

    assert commit_of(repository / "sub")[0] == git(repository, "rev-parse", "HEAD")


def test_a_repository_without_a_commit_has_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")

    assert commit_of(tmp_path) == ("", False)


def test_a_folder_without_git_has_none(tmp_path: Path) -> None:
    assert commit_of(tmp_path) == ("", False)


def test_a_files_monitor_that_the_repository_names_is_not_started(repository: Path) -> None:
    git(repository, "config", "core.fsmonitor", f"touch {repository}/PWNED; false")

    commit_of(repository)

    assert not (repository / "PWNED").exists()
