"""Generated tests run with bare `pytest`, from the root of a repository of whatever layout."""

import os
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from tests.conftest import CommandLine
from tests.repo.layouts import CODE, LAYOUTS, Layout

CHOSEN = (
    "src layout, PEP 621",
    "flat layout, PEP 621",
    "setuptools package-dir",
    "Poetry packages from",
    "Hatch wheel packages",
    "PDM package-dir",
    "Flit single module",
    "setup.cfg package_dir",
    "setup.py find_packages",
    "namespace package in src",
    "uv workspace with two members",
    "loose module",
    "loose module named as one of the standard library",
)
TWO_SMALL_FUNCTIONS = """\
def is_even(number):
    if number % 2:
        return False
    return True
"""


@pytest.fixture(params=CHOSEN)
def layout(request: pytest.FixtureRequest) -> Layout:
    return LAYOUTS[str(request.param)]


@pytest.fixture
def repository(layout: Layout, tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name, text in layout.files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text))
    target = root / layout.target
    assert CODE in target.read_text()
    target.write_text(f"{target.read_text()}\n\n{TWO_SMALL_FUNCTIONS}")
    return root


def test_what_is_generated_imports_the_module_by_its_own_name_and_passes_with_bare_pytest(
    testwright: CommandLine, layout: Layout, repository: Path, bare_python: Path
) -> None:
    said = testwright(
        "generate", layout.target, "--budget", "1", "--accept", "--json", "--python", bare_python, cwd=repository
    )

    assert said.code == 0, said.out + said.err
    [module] = said.json["modules"]
    assert module["covered"] == 1.0
    [suite] = [repository / file["path"] for file in module["files"] if Path(file["path"]).name.startswith("test_")]
    assert suite.parent == repository / layout.tests
    assert first_import_of(suite) == layout.imported.splitlines()[0]
    assert "src." not in suite.read_text()

    done = pytest_alone(bare_python, repository)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def first_import_of(file: Path) -> str:
    return next(line for line in file.read_text().splitlines() if line.startswith(("import ", "from ")))


def pytest_alone(python: Path, root: Path) -> subprocess.CompletedProcess[str]:
    """As a person types it, with nothing on the import path that is not the project's own doing."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    return subprocess.run(
        [python, "-P", "-m", "pytest"], cwd=root, env=env, capture_output=True, text=True, check=False
    )
