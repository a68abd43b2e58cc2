"""Python environments that hold pytest and nothing else: it starts in half the time that ours takes."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from filelock import FileLock

_PURE_PYTHON = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")  # the same for every Python


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of such an environment, which all workers share."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with FileLock(place / "bare-python.lock"):
        python = place / "bare-python" / "bin" / "python"
        return python if python.exists() else python_with_pytest(sys.executable, place / "bare-python")


def python_with_pytest(program: str, place: Path) -> Path:
    """The interpreter of a new environment at a place."""
    subprocess.run([program, "-m", "venv", "--without-pip", place], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    for name in _PURE_PYTHON:
        _copy(name, packages)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "compileall", "-q", packages], check=True)
    return python


def _copy(name: str, packages: Path) -> None:
    found = distribution(name)
    for file in found.files or ():
        if ".." not in file.parts and file.suffix not in (".pyc", ".so"):
            place = packages / file
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(str(file.locate())), place)
