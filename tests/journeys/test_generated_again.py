"""A generated test loses its import: the engine writes it again, a person decides, and no check is lost on the way."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine

CLAMP = """\
def clamp(value: int, low: int, high: int) -> int:
    if value < low:
        return low
    if value > high:
        return high
    return value
"""
FILE = "tests/test_sums.py"


@pytest.fixture
def broken(tmp_path: Path, testwright: CommandLine, bare_python: Path) -> Path:
    """A project with a generated test whose import is wrong, and a run that says so."""
    python = f'[project]\nname = "pkg"\nversion = "0"\n\n[tool.testwright]\npython = "{bare_python}"\n'
    (tmp_path / "pyproject.toml").write_text(python)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "pkg" / "sums.py").write_text(CLAMP)
    assert testwright("generate", "pkg/sums.py", "--accept", "--budget", "2").code == 0
    source = (tmp_path / FILE).read_text()
    assert "from pkg import sums" in source
    (tmp_path / FILE).write_text(source.replace("from pkg import sums", "from pgk import sums"))
    assert testwright("run").code == 1
    return tmp_path


def test_it_waits_as_a_draft_and_works_once_a_person_has_said_yes(broken: Path, testwright: CommandLine) -> None:
    before = (broken / FILE).read_bytes()

    [step] = testwright("report", "improvements", "--propose", "--json").json["steps"]

    assert step["route"] == "refine"
    assert step["proposal"], step["said"]
    assert (broken / FILE).read_bytes() == before
    assert testwright("review", "accept", step["proposal"]).code == 0
    assert testwright("run").code == 0


def test_where_the_code_behaves_differently_by_now_the_old_checks_are_not_written_away(
    broken: Path, testwright: CommandLine
) -> None:
    (broken / "pkg" / "sums.py").write_text(CLAMP.replace("return high", "return low"))

    [step] = testwright("report", "improvements", "--propose", "--json").json["steps"]

    assert step["proposal"] is None
    assert "that was refused: A check is gone or is another one" in step["said"]
    assert testwright("review", "list", "--json").json == []
