"""Which Python a project's tests run with."""

import sys
from pathlib import Path

import pytest

from testwright.model.errors import RunnerMissing
from testwright.run.project_interpreter import project_python


def environment(folder: Path) -> Path:
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    return python


def test_the_nearest_environment_wins_and_stays_a_link(tmp_path: Path) -> None:
    outer, inner = environment(tmp_path / ".venv"), environment(tmp_path / "sub" / ".venv")
    (tmp_path / "sub" / "deep").mkdir()
    assert project_python(tmp_path / "sub" / "deep", {}, stop_at=tmp_path) == inner
    assert project_python(tmp_path, {}, stop_at=tmp_path) == outer


def test_an_environment_above_the_project_is_somebody_elses(tmp_path: Path) -> None:
    environment(tmp_path / ".venv")
    (tmp_path / "project").mkdir()
    active = environment(tmp_path / "active")
    found = project_python(
        tmp_path / "project", {"VIRTUAL_ENV": str(tmp_path / "active")}, stop_at=tmp_path / "project"
    )
    assert found == active


def test_the_one_given_wins_as_interpreter_or_folder(tmp_path: Path) -> None:
    environment(tmp_path / ".venv")
    given = environment(tmp_path / "given")
    assert project_python(tmp_path, {}, given=given) == given
    assert project_python(tmp_path, {}, given=tmp_path / "given") == given


def test_uv_may_name_the_environment_from_the_root(tmp_path: Path) -> None:
    environment(tmp_path / ".venv")
    named = environment(tmp_path / "elsewhere")
    assert project_python(tmp_path, {"UV_PROJECT_ENVIRONMENT": "elsewhere"}, stop_at=tmp_path) == named


def test_without_any_environment_it_is_ours_which_has_pytest(tmp_path: Path) -> None:
    assert project_python(tmp_path, {}) == Path(sys.executable)


def test_what_was_given_and_cannot_be_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("")
    for given in (tmp_path / "python", tmp_path / "gone", tmp_path, Path("no-such-python-anywhere")):
        with pytest.raises(RunnerMissing) as caught:
            project_python(tmp_path, {}, given=given)
        assert str(given) in caught.value.message


def test_a_broken_environment_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(tmp_path / "gone")
    assert project_python(tmp_path, {}) == Path(sys.executable)
