"""`python -m bench generating`: without its folder it says how to give it; with one it generates, scores and judges."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import generating

ROOT = Path(__file__).parents[2]
# Judges as a scorer does, by a rule of its own: it shows that what was generated reaches it and what it says is told.
SCORER = """
import json, pathlib, sys
tests = list(pathlib.Path(sys.argv[2]).glob("test_*.py"))
print(json.dumps({"module": sys.argv[1], "both": 97.0, "mutation": 81.0, "tests": len(tests), "null_ok": True,
                  "test_defs": sum(text.read_text().count("def test_") for text in tests)}))
"""


MODULE = "markupsafe._native"  # small, and installed with what development needs


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    generating.configure(parser.add_argument_group())
    return parser.parse_args(arguments)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", "generating", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_without_the_folder_it_says_how_to_give_it() -> None:
    done = bench()

    assert done.returncode == 0
    assert "make bench PYGEN=DIR" in done.stdout


def test_a_folder_without_a_scorer_is_refused(tmp_path: Path) -> None:
    done = bench("--pygen", str(tmp_path))

    assert done.returncode == 1
    assert "has no score.py" in done.stderr


def test_a_module_is_generated_scored_and_written_into_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.focal_packages.OLDEST", (3, 11))  # nothing here needs a newer one
    pygen, page, kept = tmp_path / "pygen", tmp_path / "page.md", tmp_path / "kept"
    pygen.mkdir()
    (pygen / "score.py").write_text(SCORER)
    (pygen / "modules-dev.txt").write_text(f"{MODULE}\n")
    (pygen / "requirements.txt").write_text("pytest\n")
    (pygen / "focal-packages.txt").write_text("markupsafe\n")
    page.write_text("# Benchmarks\n\n## Testwright\n\n## Others\n")
    options = ["--pygen", str(pygen), "--venv", sys.prefix, "--keep", str(kept), "--write", str(page)]

    told = list(generating.figures(tmp_path, parsed(*options)))

    assert [figure.what for figure in told if not figure.holds] == []
    assert json.loads((kept / MODULE / "score.json").read_text())["tests"] == 1
    assert f"| {MODULE} | 97.0 | 81.0 |" in capsys.readouterr().out
    assert f"| {MODULE} | 97.0 | 81.0 |" in page.read_text()
