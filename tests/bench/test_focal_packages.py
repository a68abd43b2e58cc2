"""The benchmark's environment is made once, holds what the lists name, and says what is missing."""

import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from bench.focal_packages import NotReady, module_file, newest_enough, ready_environment, required, version_of, wanting

HERE = Path(sys.executable)


def test_a_list_is_read_without_its_comments(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text("# what the scorer needs\npytest==8.4.2  # not newer\n\nsetuptools<81\n")

    assert required(file) == ["pytest==8.4.2", "setuptools<81"]


def test_only_what_is_missing_or_of_another_version_is_wanting() -> None:
    there = f"pytest=={version('pytest')}"

    assert wanting(HERE, [there, "pytest==0.1", "no-such-package-at-all", "pytest"]) == [
        "pytest==0.1",
        "no-such-package-at-all",
    ]


def test_an_environment_that_has_everything_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.focal_packages.OLDEST", (3, 11))
    (tmp_path / "requirements.txt").write_text(f"pytest=={version('pytest')}\n")
    (tmp_path / "focal-packages.txt").write_text("# none\n")

    assert ready_environment(Path(sys.prefix), tmp_path) == Path(sys.prefix) / "bin" / "python"


def test_an_environment_that_is_too_old_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.focal_packages.OLDEST", (99, 0))

    with pytest.raises(NotReady, match=r"older than 99\.0"):
        ready_environment(Path(sys.prefix), tmp_path)


def test_without_an_interpreter_that_is_new_enough_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.focal_packages.OLDEST", (99, 0))

    with pytest.raises(NotReady, match=r"CPython 99\.0 or newer.*\n.*--venv DIR"):
        newest_enough()


def test_a_program_that_is_no_python_is_older_than_any() -> None:
    assert version_of("false") == ()


def test_a_module_is_found_where_its_interpreter_finds_it() -> None:
    assert module_file(HERE, "json.decoder").name == "decoder.py"


def test_a_module_that_is_not_installed_is_named() -> None:
    with pytest.raises(NotReady, match="no module no_such_module_at_all"):
        module_file(HERE, "no_such_module_at_all")
