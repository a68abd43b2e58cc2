"""A small project with a `tests` folder, and a way to put test files into it."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write `source` to a file of the project and say where it is."""

    def write(name: str, source: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(source))
        return file

    return write
