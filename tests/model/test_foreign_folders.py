"""Folders that hold no work of the project's own."""

from pathlib import Path

import pytest

from testwright.model import foreign_folders
from testwright.model.foreign_folders import BUILD_OUTPUT, is_environment, is_foreign, is_in_packages


@pytest.mark.parametrize("name", [".git", ".cache", "shop.egg-info", "dist", "myenv"])
def test_a_walk_passes_by_what_is_hidden_built_or_an_environment(tmp_path: Path, name: str) -> None:
    (tmp_path / "myenv").mkdir()
    (tmp_path / "myenv" / "pyvenv.cfg").touch()

    assert is_foreign(tmp_path, name, BUILD_OUTPUT)
    assert is_environment(tmp_path / name) == (name == "myenv")


@pytest.mark.parametrize("name", ["src", "distribution", "env"])
def test_a_walk_looks_into_what_it_has_not_left_out(tmp_path: Path, name: str) -> None:
    assert not is_foreign(tmp_path, name, BUILD_OUTPUT)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("node_modules/left-pad/index.js", True),
        ("mine/lib/python3.12/site-packages/tool.py", True),
        ("tests/test_site_packages.py", False),
    ],
)
def test_a_file_of_a_package_is_told_by_its_folders(name: str, *, expected: bool) -> None:
    assert is_in_packages(name) is expected


def test_no_folder_means_two_things() -> None:
    sets = [value for value in vars(foreign_folders).values() if isinstance(value, frozenset)]
    public = [names for names in sets if names is not foreign_folders._PACKAGES]
    assert len(frozenset[str]().union(*public)) == sum(len(names) for names in public)
