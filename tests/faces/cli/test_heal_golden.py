"""`testwright heal golden`: golden screens that moved wait for review, those that say something else do not."""

import difflib
import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine

GOLDEN = "  Menu\n\n  > Open\n    Save\n    Quit\n"


def report(test: str, golden: str, drawn: str) -> str:
    """As the usual Go helper for golden files prints it."""

    def quoted(screen: str) -> str:
        return "\n".join(json.dumps(line)[1:-1] for line in screen.split("\n"))

    diff = "".join(difflib.unified_diff(golden.splitlines(True), drawn.splitlines(True), "golden", "run"))
    rest = f"\n{quoted(golden)}\n\ngot:\n\n{quoted(drawn)}\n\ndiff:\n\n{diff}"
    indented = "".join(f"        {line}\n" for line in rest.split("\n"))
    text = f"    menu_test.go:12: output does not match, expected:\n{indented}"
    where = {"Package": "example.com/menu", "Test": test}
    events = [{"Action": "run", **where}]
    events += [{"Action": "output", **where, "Output": line} for line in text.splitlines(keepends=True)]
    return "".join(json.dumps(event) + "\n" for event in [*events, {"Action": "fail", **where}])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "testdata").mkdir()
    (tmp_path / "testdata" / "TestMenu.golden").write_text(GOLDEN)
    (tmp_path / "go.mod").write_text("module example.com/menu\n")
    return tmp_path


def test_a_screen_that_moved_is_proposed(testwright: CommandLine, project: Path) -> None:
    moved = "".join(f"  {line}\n" if line else "\n" for line in GOLDEN.splitlines())
    (project / "report.jsonl").write_text(report("TestMenu", GOLDEN, moved))
    said = testwright("heal", "golden", "report.jsonl", "--propose", "--json", cwd=project)
    (heal,) = said.json["golden"]
    assert (said.code, heal["decision"], heal["file"]) == (1, "heal", "testdata/TestMenu.golden"), heal
    shown = testwright("review", "show", heal["proposal"], "--json", cwd=project).json
    assert (shown["kind"], shown["content"]) == ("golden_update", moved)
    assert (project / "testdata" / "TestMenu.golden").read_text() == GOLDEN


def test_a_screen_that_says_something_else_is_not(testwright: CommandLine, project: Path) -> None:
    (project / "report.jsonl").write_text(report("TestMenu", GOLDEN, GOLDEN.replace("Quit", "Exit")))
    said = testwright("heal", "golden", "report.jsonl", "--propose", cwd=project)
    assert said.code == 1
    assert "abstain" in said.out
    assert testwright("review", "list", cwd=project).out == "Nothing waits for you.\n"


def test_a_report_without_golden_files_and_a_missing_one(testwright: CommandLine, project: Path) -> None:
    (project / "report.jsonl").write_text('{"Action":"pass","Package":"example.com/menu"}\n')
    assert testwright("heal", "golden", "report.jsonl", cwd=project).out == "No golden file differs.\n"
    assert "[test_file_not_found]" in testwright("heal", "golden", "none.jsonl", cwd=project).err
