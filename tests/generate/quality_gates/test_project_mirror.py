"""A stage looks like the project with the new tests in it, and the project does not change."""

from pathlib import Path

import pytest

from testwright.generate.quality_gates.project_mirror import build_mirror


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src" / "shop").mkdir(parents=True)
    (root / "tests" / "unit").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "tests" / "conftest.py").write_text("# theirs\n")
    (root / "tests" / "unit" / "test_old.py").write_text("# old\n")
    return root


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "stage").mkdir()
    return tmp_path / "stage"


def test_everything_of_the_project_is_beside_the_new_file(project: Path, place: Path) -> None:
    stage = build_mirror(place, project / "tests" / "unit", project, {"test_new.py": "# new\n"})

    assert stage.root == place
    assert stage.folder == place / "tests" / "unit"
    assert (stage.folder / "test_new.py").read_text() == "# new\n"
    assert (stage.folder / "test_old.py").read_text() == "# old\n"
    assert (place / "tests" / "conftest.py").read_text() == "# theirs\n"
    assert (place / "src" / "shop").is_dir()


def test_a_file_that_is_replaced_on_the_stage_stays_as_it_is_in_the_project(project: Path, place: Path) -> None:
    stage = build_mirror(place, project / "tests", project, {"conftest.py": "# ours\n"})

    assert (stage.folder / "conftest.py").read_text() == "# ours\n"
    assert (project / "tests" / "conftest.py").read_text() == "# theirs\n"


def test_a_tests_folder_that_does_not_exist_yet_is_there_on_the_stage(project: Path, place: Path) -> None:
    stage = build_mirror(place, project / "checks" / "new", project, {"test_new.py": ""})

    assert (stage.folder / "test_new.py").is_file()
    assert (place / "pyproject.toml").is_file()
    assert not (project / "checks").exists()


def test_a_folder_outside_the_project_stands_alone(project: Path, place: Path, tmp_path: Path) -> None:
    stage = build_mirror(place, tmp_path / "elsewhere", project, {"test_new.py": ""})

    assert [path.name for path in stage.root.iterdir()] == ["test_new.py"]


def test_caches_and_histories_are_left_out(project: Path, place: Path) -> None:
    for name in (".git", ".testwright", "__pycache__"):
        (project / name).mkdir()

    build_mirror(place, project / "tests", project, {})

    assert sorted(path.name for path in place.iterdir()) == ["pyproject.toml", "src", "tests"]
