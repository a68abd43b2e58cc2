"""`pytest --testwright`, as a user has it: pytest in a process of its own, real pages in a real browser."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.faces.pytest_plugin.shop import CONFTEST, SHOP
from testwright.faces.pytest_plugin.healed_session import rerun_arguments

PLUGIN = "testwright.faces.pytest_plugin.plugin"
TESTS = """
from playwright.sync_api import expect

def test_pays(shop):
    shop.locator("#pay-button").click(timeout=2000)
    expect(shop.locator("#said")).to_have_text("Paid")
"""


@dataclass(frozen=True)
class Ended:
    code: int
    out: str


Pytest = Callable[..., Ended]


@pytest.fixture
def run_pytest(tmp_path: Path) -> Pytest:
    def run(*arguments: str, env: dict[str, str] | None = None) -> Ended:
        around = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True, check=False)
        return Ended(done.returncode, done.stdout + done.stderr)

    return run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p pytest_playwright.pytest_playwright\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "shop.html").write_text(SHOP)
    (tmp_path / "test_shop.py").write_text(TESTS)
    return tmp_path


def test_without_the_option_nothing_of_ours_is_loaded(tmp_path: Path, run_pytest: Pytest) -> None:
    (tmp_path / "test_a.py").write_text(
        "import sys\ndef test_a():\n"
        f"    ours = [name for name in sys.modules if name.startswith('testwright.')]\n"
        f"    assert set(ours) <= {{'testwright.faces', 'testwright.faces.pytest_plugin', {PLUGIN!r}}}\n"
    )

    ended = run_pytest()

    assert ended.code == 0, ended.out
    assert not (tmp_path / ".testwright").exists()


def test_the_session_is_pytests_own_and_its_results_are_kept(
    tmp_path: Path, run_pytest: Pytest, testwright: CommandLine
) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\ndef test_good(): pass\ndef test_bad(): assert 1 == 2\n@pytest.mark.skip\ndef test_not(): pass\n"
    )

    ended = run_pytest("--testwright")

    assert ended.code == 1
    assert "1 failed, 1 passed, 1 skipped" in ended.out
    [run] = testwright("report", "runs", "--json").json
    assert f"testwright report run {run['id']}" in ended.out
    results = testwright("report", "run", run["id"], "--json").json["suites"][0]["results"]
    assert {result["id"].rpartition("::")[2]: result["outcome"] for result in results} == {
        "test_good": "passed",
        "test_bad": "failed",
        "test_not": "skipped",
    }


def test_settings_that_are_wrong_are_a_usage_error(tmp_path: Path, run_pytest: Pytest) -> None:
    (tmp_path / "testwright.toml").write_text("heal = 7\n")

    ended = run_pytest("--testwright")

    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "heal" in ended.out
    assert "Traceback" not in ended.out


def test_who_opts_out_gets_the_failure_and_nothing_else(tmp_path: Path, run_pytest: Pytest) -> None:
    said = 'Locator.click: Timeout 9ms exceeded.\nCall log:\n  - waiting for locator("#pay")'
    (tmp_path / "test_a.py").write_text(
        f"class TimeoutError(Exception): pass\ndef test_a(): raise TimeoutError({said!r})\n"
    )

    looked = run_pytest("--testwright")
    plain = [
        run_pytest("--testwright", "--no-auto-heal"),
        run_pytest("--testwright", env={"TESTWRIGHT_AUTO_HEAL": "0"}),
    ]

    assert "Not healed, no_page: pytest:test_a.py::test_a" in looked.out
    assert [(ended.code, "Not healed" in ended.out) for ended in plain] == [(1, False), (1, False)]


@pytest.mark.needs_chromium
def test_an_element_that_is_gone_still_fails(shop: Path, run_pytest: Pytest, chromium: str) -> None:
    env = {"CHROMIUM": chromium}
    run_pytest("--testwright", env=env)
    button = SHOP.partition("<button")[2].partition("</button>")[0]
    (shop / "shop.html").write_text(SHOP.replace(f"<button{button}</button>", ""))

    ended = run_pytest("--testwright", env=env)

    assert ended.code == 1
    assert "SELF_HEAL_APPLIED" not in ended.out
    assert "Not healed" in ended.out


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["--testwright", "tests/test_a.py::test_x", "--browser", "firefox"], ("--browser", "firefox")),
        (["-k", "shop", "--base-url=http://x", "-x", "--junitxml=/reports/out.xml"], ("--base-url=http://x",)),
        (["--junitxml", "out.xml", "--headed", "-n", "4", "--lf", "--pdb"], ("--headed",)),
        ([], ()),
    ],
)
def test_options_that_chose_or_reported_tests_are_left_out_of_a_rerun(
    arguments: list[str], kept: tuple[str, ...]
) -> None:
    assert rerun_arguments(arguments, ["tests/test_a.py::test_x"]) == kept
