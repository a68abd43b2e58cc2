"""A person names files, folders and functions; what is meant by it is found in a fixed order."""

from pathlib import Path

import pytest

from testwright.generate.target_files import ModuleTarget, find_targets

FILES = (
    "pkg/__init__.py", "pkg/core.py", "pkg/sub/deep.py", "pkg/tests/test_core.py", "pkg/test_inline.py",
    "pkg/conftest.py", "pkg/__main__.py", "setup.py", "pkg/.hidden/secret.py", "pkg/speedups.so", "notes.txt",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "pkg" / "core.py").write_text("def total(): ...\nclass Basket:\n    def add(self): ...\n")
    return tmp_path


def test_a_folder_stands_for_its_modules_but_not_for_its_tests_or_set_up(project: Path) -> None:
    found = find_targets(["."], project)

    names = [target.file.relative_to(project).as_posix() for target in found.files]
    assert names == ["pkg/__init__.py", "pkg/core.py", "pkg/sub/deep.py"]
    assert found.unusable == ()


def test_a_file_that_is_named_is_taken_whatever_its_name(project: Path) -> None:
    assert find_targets(["pkg/__main__.py"], project).files == (ModuleTarget(project / "pkg" / "__main__.py"),)


def test_names_in_one_file_are_gathered(project: Path) -> None:
    found = find_targets(["pkg/core.py::total", "pkg/core.py::Basket.add", "pkg/core.py::total"], project)

    assert found.files == (ModuleTarget(project / "pkg" / "core.py", ("total", "Basket.add")),)


def test_a_whole_file_includes_what_is_named_in_it(project: Path) -> None:
    found = find_targets(["pkg/core.py::total", "pkg", "pkg/core.py::Basket"], project)

    assert ModuleTarget(project / "pkg" / "core.py") in found.files
    assert len([target for target in found.files if target.file.name == "core.py"]) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("gone.py", "There is no file gone.py", id="missing"),
        pytest.param("pkg/speedups.so", "compiled", id="an extension module"),
        pytest.param("notes.txt", "not a Python file", id="another kind of file"),
        pytest.param("pkg::total", "is a folder", id="a function of a folder"),
        pytest.param("pkg/core.py::totl", "Near it: total", id="a name that is not there"),
        pytest.param("pkg/tests", "no Python module in it", id="nothing but tests"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_reason_and_the_rest_is_found(
    project: Path, text: str, reason: str
) -> None:
    found = find_targets([text, "pkg/core.py"], project)

    assert [skipped.name for skipped in found.unusable] == [text]
    assert reason in found.unusable[0].reason
    assert found.files == (ModuleTarget(project / "pkg" / "core.py"),)
