"""The layout of a repository is seen from its packaging files first, its folders second."""

from pathlib import Path

import pytest

from tests.repo.conftest import Write
from tests.repo.layouts import CODE, LAYOUTS, project
from testwright.repo import placement
from testwright.repo.layout import RepoLayout, detect_layout, find_repo_root


def _roots(layout: RepoLayout) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(root for member in layout.members for root in member.roots))


@pytest.mark.parametrize(
    ("name", "roots", "packages"),
    [
        ("src layout, PEP 621", ("src",), ("shop",)),
        ("flat layout, PEP 621", ("",), ("shop",)),
        ("Poetry packages from", ("code",), ("shop",)),
        ("Hatch wheel packages", ("backend",), ("shop",)),
        ("setup.py find_packages", ("lib",), ("shop",)),
        ("namespace package in src", ("src",), ("company",)),
    ],
)
def test_roots_and_packages_are_found(
    name: str, roots: tuple[str, ...], packages: tuple[str, ...], write: Write
) -> None:
    root = write(LAYOUTS[name].files)

    layout = detect_layout(root)

    assert _roots(layout) == tuple(root / folder for folder in roots)
    assert layout.packages == packages
    assert len(layout.members) == 1


def test_a_monorepo_has_a_workspace_root_and_members(write: Write) -> None:
    root = write(LAYOUTS["uv workspace with two members"].files)
    module = root / "libs/a/src/pkg_a/mod.py"

    layout = detect_layout(root)

    assert find_repo_root(module) == root
    assert [member.folder for member in layout.members] == [root, root / "libs/a", root / "libs/b", root / "libs/c"]
    member = layout.member_of(module)
    assert member is not None
    assert (member.folder, member.name) == (root / "libs/a", "pkg-a")


def test_projects_inside_a_test_suite_are_no_members(write: Write) -> None:
    root = write({**LAYOUTS["src layout, PEP 621"].files, "tests/data/sample/pyproject.toml": project("sample")})

    assert [member.name for member in detect_layout(root).members] == ["shop"]


def test_version_control_marks_the_root(write: Write) -> None:
    root = write({".git/HEAD": "", "services/api/pyproject.toml": project("api"), "services/api/api.py": CODE})

    assert find_repo_root(root / "services/api/api.py") == root


def test_the_build_backend_is_named(write: Write) -> None:
    backend = '[build-system]\nrequires = []\nbuild-backend = "poetry.core.masonry.api"\n'
    root = write({"pyproject.toml": project("shop", backend), "shop.py": CODE})

    assert detect_layout(root).members[0].backend == "poetry"


@pytest.mark.parametrize("content", ["[project\n", "\xff", "[tool.setuptools]\npackages = 3\npackage-dir = 'x'\n"])
def test_a_packaging_file_that_makes_no_sense_leaves_the_folders_to_speak(content: str, write: Write) -> None:
    root = write({"src/shop/__init__.py": "", "setup.cfg": "[options\n"})
    (root / "pyproject.toml").write_bytes(content.encode("latin-1"))

    assert _roots(detect_layout(root)) == (root / "src",)


def test_tests_go_where_the_project_keeps_them(write: Write) -> None:
    root = write(
        {
            "pyproject.toml": project("shop", '[tool.pytest.ini_options]\ntestpaths = ["checks"]\n'),
            "checks/test_a.py": "",
            "shop/__init__.py": "",
            "shop/mod.py": CODE,
        }
    )

    assert placement.tests_folder(detect_layout(root), root / "shop/mod.py") == root / "checks"


def test_a_package_that_carries_its_tests_keeps_them(write: Write) -> None:
    root = write(
        {"pyproject.toml": project("shop"), "shop/__init__.py": "", "shop/mod.py": CODE, "shop/tests/a.py": ""}
    )

    assert placement.tests_folder(detect_layout(root), root / "shop/mod.py") == root / "shop/tests"


def new_name(root: Path) -> str:
    return placement.new_test_file(root / "tests", "shop.sub.mod", detect_layout(root)).name


def test_a_new_test_file_is_named_after_the_module(write: Write) -> None:
    assert new_name(write({"tests/test_other.py": ""})) == "test_mod.py"


def test_a_taken_name_is_made_longer_and_then_numbered(write: Write) -> None:
    root = write({"tests/test_mod.py": ""})

    assert new_name(root) == "test_sub_mod.py"
    write({"tests/test_sub_mod.py": "", "tests/test_shop_sub_mod.py": ""})
    assert new_name(root) == "test_mod_2.py"


def test_a_basename_in_another_folder_counts_where_pytest_imports_by_it(write: Write) -> None:
    root = write({"tests/unit/test_mod.py": ""})

    assert new_name(root) == "test_sub_mod.py"
    write({"pytest.ini": "[pytest]\naddopts = --import-mode importlib\n"})
    assert new_name(root) == "test_mod.py"


@pytest.mark.parametrize("foreign", ["node_modules", "build", "myenv"])
def test_a_folder_whose_modules_are_of_others_is_no_package(foreign: str, write: Write) -> None:
    root = write(
        {
            **LAYOUTS["namespace package in src"].files,
            f"src/{foreign}/some/tool.py": CODE,
            "src/myenv/pyvenv.cfg": "home = /usr/bin",
            "src/data/node_modules/gyp/main.py": CODE,
        }
    )

    assert detect_layout(root).packages == ("company",)
