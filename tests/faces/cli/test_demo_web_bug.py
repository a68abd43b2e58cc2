"""The demo's chapter on recording tells of a bug that was really proven, or why it could not be."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from testwright.faces.cli.demo_web_bug import show_web_bug

SHOP = Path(__file__).parents[3] / "examples" / "web-bugs"
TELL = "import sys, pathlib, testwright.faces.cli.demo_web_bug as demo; "
TELL += "sys.exit(demo.show_web_bug(pathlib.Path(sys.argv[1])))"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    shutil.copytree(SHOP, tmp_path / "examples" / "web-bugs", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (tmp_path / "examples" / "web-shop").mkdir()
    return tmp_path / "examples"


@pytest.mark.needs_node
@pytest.mark.needs_chromium
def test_a_bug_that_a_script_meets_becomes_a_guard_that_is_red_there_and_green_on_the_fixed_shop(
    examples: Path, node_modules: Path, chromium: str
) -> None:
    (examples / "web-shop" / "node_modules").symlink_to(node_modules)
    env = {**os.environ, "TESTWRIGHT_CHROMIUM": chromium, "BASE_URL": "http://127.0.0.1:9/"}

    done = subprocess.run([sys.executable, "-c", TELL, str(examples)], env=env, capture_output=True, check=False)

    said = done.stdout.decode()
    assert done.returncode == 0, said + done.stderr.decode()
    assert "The guard was red for the recorded error 3 times of 3, the repro green 3 times of 3." in said
    assert 'Asked once more, the backend says {"profile": {"name": ' in said
    assert "1 passed" in said
    assert said.endswith("Red while the bug was there, green now; the test is the same.\n")
    (guard,) = (examples / "web-bugs" / "tests").iterdir()
    assert f"tests/{guard.name}, without what stands around the test:" in said
    assert '  test(\'clicking "Show my profile" does not throw TypeError' in said


def test_without_a_browser_the_chapter_is_left_out_with_the_reason(
    examples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TESTWRIGHT_CHROMIUM", str(examples / "no-such-browser"))

    assert show_web_bug(examples) == 0
    assert "Not shown here: no Chromium was found" in capsys.readouterr().out


@pytest.mark.needs_chromium
def test_without_playwrights_test_runner_it_says_how_to_get_it(
    examples: Path, chromium: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TESTWRIGHT_CHROMIUM", chromium)

    assert show_web_bug(examples) == 0
    assert "Not shown here: Playwright Test is not installed" in capsys.readouterr().out
