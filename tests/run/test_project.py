"""The folder that tests are looked for in."""

from pathlib import Path

import pytest

from testwright.model.errors import NotARegularFile, PathNotFound
from testwright.run.project import Project, folder_of, is_below, nearest


def lay_out(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    return root


def test_names_are_sorted_and_leave_out_what_is_not_the_projects_own(tmp_path: Path) -> None:
    lay_out(
        tmp_path, "b.py", "a/c.py", ".hidden/x.py", ".AchillesSkills/s.md", "node_modules/m.js", "my-env/pyvenv.cfg",
        "my-env/lib/x.py", "pkg.egg-info/PKG-INFO", "__pycache__/b.pyc", ".dotfile",
    )  # fmt: skip
    assert Project.at(tmp_path).names == (".AchillesSkills/s.md", ".dotfile", "a/c.py", "b.py")


def test_what_is_excluded_is_not_looked_into(tmp_path: Path) -> None:
    lay_out(tmp_path, "a/b.py", "a/skip/c.py", "d_old.py")
    assert Project.at(tmp_path, exclude=("a/skip", "*_old.py")).names == ("a/b.py",)


def test_links_to_folders_are_not_followed_in_circles(tmp_path: Path) -> None:
    lay_out(tmp_path, "a/b.py")
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    assert Project.at(tmp_path).names == ("a/b.py",)


def test_a_path_has_a_name_from_the_root_if_it_lies_inside(tmp_path: Path) -> None:
    project = Project.at(lay_out(tmp_path / "root", "a/b.py"))
    assert project.name_of(tmp_path / "root/a/../a/b.py") == "a/b.py"
    assert project.name_of("a/b.py") == "a/b.py"
    assert project.name_of(project.root) == "."
    assert project.name_of(tmp_path / "root-evil/x.py") == str(tmp_path / "root-evil/x.py")
    assert project.path("a/b.py") == project.root / "a/b.py"


def test_a_root_behind_a_link_knows_its_files_by_either_path(tmp_path: Path) -> None:
    real = lay_out(tmp_path / "real", "a.py")
    (tmp_path / "link").symlink_to(real)
    project = Project.at(tmp_path / "link")
    assert project.name_of(real / "a.py") == project.name_of(tmp_path / "link/a.py") == "a.py"


def test_a_root_that_is_not_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound):
        Project.at(tmp_path / "gone")
    with pytest.raises(NotARegularFile):
        Project.at(lay_out(tmp_path, "file") / "file")


def test_a_name_lies_below_a_folder_by_whole_parts() -> None:
    assert is_below("a/b.py", "a")
    assert is_below("a/b.py", "")
    assert not is_below("ab/c.py", "a")
    assert nearest("a/b/c.py", ("", "a", "a/b", "a/bc")) == "a/b"
    assert nearest("x.py", ("a",)) is None
    assert (folder_of("a/b.py"), folder_of("b.py")) == ("a", "")
