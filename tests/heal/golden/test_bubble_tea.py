"""A real Bubble Tea program with golden files: its looks are changed, and what is healed makes its tests pass."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from testwright.heal.golden.golden_heals import GoldenHeal, golden_heals
from testwright.heal.golden.screen_comparison import ChangeKind
from testwright.model.heal import HealOutcome

_PROGRAM = Path(__file__).parents[2] / "go" / "menu"
_GO_SOURCES = Path("/usr/share/gocode")  # where Debian keeps the sources of Go packages


def _missing(what: str) -> str:
    if os.environ.get("CI"):
        pytest.fail(f"{what}, and on CI nothing may be left out")
    pytest.skip(what)


@dataclass(frozen=True)
class Program:
    """The program before its redesign is tested, and the report of its tests after it."""

    root: Path
    report: str
    test: Callable[..., "subprocess.CompletedProcess[str]"]

    def read(self, name: str) -> bytes | None:
        file = self.root / name
        return file.read_bytes() if file.is_file() else None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    go = shutil.which("go") or _missing("there is no go on the PATH")
    if not (_GO_SOURCES / "src/github.com/charmbracelet/bubbletea").is_dir():
        _missing("the sources of Bubble Tea are not installed")
    path = tmp_path_factory.mktemp("gopath")
    root = path / "src" / "cafe"
    shutil.copytree(_PROGRAM, root / "menu")
    env = {**os.environ, "GO111MODULE": "off", "GOPATH": f"{path}:{_GO_SOURCES}", "GOFLAGS": "", "CGO_ENABLED": "0"}

    def test(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [go, "test", *arguments]
        return subprocess.run(command, cwd=root / "menu", env=env, capture_output=True, text=True, check=False)

    kept = test("-update")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    shutil.copy(root / "menu" / "look_redesigned.go.txt", root / "menu" / "look.go")
    return Program(root, test("-json").stdout, test)


@pytest.fixture(scope="module")
def heals(program: Program) -> dict[str, GoldenHeal]:
    return {heal.test: heal for heal in golden_heals(program.report.splitlines(), program.read)}


@pytest.mark.parametrize("kept", ["TestView", "TestFinalOutput"])
@pytest.mark.parametrize(
    ("name", "outcome", "kind", "reason"),
    [
        ("moved", HealOutcome.HEAL, ChangeKind.MOVE, "healed"),
        ("restyled", HealOutcome.HEAL, ChangeKind.RESTYLE, "healed"),
        ("reworded", HealOutcome.ABSTAIN, ChangeKind.TEXT_CHANGED, "text_changed"),
        ("misled", HealOutcome.SUGGEST, ChangeKind.MOVE, "reordered"),
    ],
)
def test_only_looks_are_healed(
    heals: dict[str, GoldenHeal], kept: str, name: str, outcome: HealOutcome, kind: ChangeKind, reason: str
) -> None:
    heal = heals[f"{kept}/{name}"]

    assert heal.change is not None
    assert (heal.outcome, heal.change.kind, heal.reason) == (outcome, kind, reason)
    assert heal.file == f"menu/testdata/{kept}/{name}.golden"


def test_tests_that_pass_or_fail_for_other_reasons_are_left_alone(heals: dict[str, GoldenHeal]) -> None:
    assert len(heals) == 8


def test_a_heal_says_on_what_it_rests(heals: dict[str, GoldenHeal]) -> None:
    summary, cells = heals["TestView/moved"].evidence

    assert "13 of 17 words stand elsewhere" in summary.summary
    assert cells.summary == "101 of 328 cells differ (31%)"
    assert cells.detail.startswith("'Black' from line 3, column 3 to 3, 5; ")


def test_with_the_healed_files_those_tests_pass_and_the_others_still_fail(
    program: Program, heals: dict[str, GoldenHeal]
) -> None:
    """Last in this file: it changes the golden files."""
    for heal in heals.values():
        if heal.outcome is HealOutcome.HEAL:
            (program.root / heal.file).write_bytes(heal.after)

    again = {heal.test for heal in golden_heals(program.test("-json").stdout.splitlines(), program.read)}

    assert again == {f"{kept}/{name}" for kept in ("TestView", "TestFinalOutput") for name in ("reworded", "misled")}
