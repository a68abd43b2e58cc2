"""Small repositories, written where a test says, and pytest as their users start it."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

Write = Callable[[Mapping[str, str]], Path]
RunPytest = Callable[[Path], subprocess.CompletedProcess[str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files, each named by its path, into a fresh repository; gives its root."""

    def write(files: Mapping[str, str]) -> Path:
        root = tmp_path / "repository"
        root.mkdir(exist_ok=True)
        for name, text in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dedent(text), encoding="utf-8")
        return root

    return write


@pytest.fixture
def run_pytest(bare_python: Path) -> RunPytest:
    """Run pytest on a folder, from the folder above, with nothing on the search path that pytest does not put there."""

    def run(tests_dir: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [bare_python, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", tests_dir.name],
            cwd=tests_dir.parent,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
