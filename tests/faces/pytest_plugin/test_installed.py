"""Healing of pytest-playwright tests, through both doors: `testwright run`, and pytest with the plugin as installed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT
from tests.faces.pytest_plugin.shop import CONFTEST, SHOP

pytestmark = pytest.mark.needs_chromium

SHOP_PAGE = """
class ShopPage:
    def __init__(self, page):
        self.page = page

    def pay(self):
        self.page.locator("#pay-button").click(timeout=3000)
"""
TESTS = """
from playwright.sync_api import expect
from shop_page import ShopPage

def test_pays(shop):
    ShopPage(shop).pay()
    expect(shop.locator("#said")).to_have_text("Paid")

def test_pays_by_name(shop):
    shop.get_by_label("Name").fill("Ann")
    ShopPage(shop).pay()
    expect(shop.locator("#said")).to_have_text("Paid")
"""
FILES = {
    "pytest.ini": "[pytest]\npythonpath = tests/pages\n",
    "conftest.py": CONFTEST,
    "tests/pages/shop_page.py": SHOP_PAGE,
    "tests/test_shop.py": TESTS,
}

Call = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Call:
    """Run a command in a project whose button has a new id, since a green session of pytest was recorded."""
    root = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "shop.html").write_text(SHOP)
    ours = ("CI", "FORCE_COLOR", "TESTWRIGHT_AUTO_HEAL", "KODER_TEST_AUTO_HEAL", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")
    around = {name: value for name, value in os.environ.items() if name not in ours}
    around |= {"CHROMIUM": chromium, "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=root, env={**around, **env}, capture_output=True, text=True, check=False)

    green = run(sys.executable, "-m", "pytest", "--testwright")
    assert green.returncode == 0, green.stdout
    (root / "shop.html").write_text(SHOP.replace('id="pay-button"', 'id="submit-order"'))
    return run


def pending(call: Call) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(call(str(TESTWRIGHT), "review", "list", "--json").stdout)
    return listed


def test_T4_who_opts_out_gets_the_failure_and_nothing_else(call: Call) -> None:  # noqa: N802  its id
    done = call(str(TESTWRIGHT), "run", "-k", "test_pays_by_name", KODER_TEST_AUTO_HEAL="0")

    assert done.returncode == 1
    assert "SELF_HEAL_APPLIED" not in done.stdout
    assert 'waiting for locator("#pay-button")' in done.stdout
    assert pending(call) == []


def test_a_page_object_is_healed_once_for_both_of_its_tests(call: Call) -> None:
    done = call(str(TESTWRIGHT), "run")

    assert done.returncode == 0, done.stdout
    assert done.stdout.count("SELF_HEAL_APPLIED pytest:tests/test_shop.py::") == 2
    [proposal] = pending(call)
    assert proposal["file"] == "tests/pages/shop_page.py"


def test_the_plugin_that_is_installed_heals_the_session_the_same_way(call: Call) -> None:
    done = call(sys.executable, "-m", "pytest", "--testwright", "-k", "test_pays_by_name")

    assert done.returncode == 0, done.stdout
    assert "1 failed, 1 deselected" in done.stdout
    assert "SELF_HEAL_APPLIED pytest:tests/test_shop.py::test_pays_by_name" in done.stdout
    [proposal] = pending(call)
    assert proposal["file"] == "tests/pages/shop_page.py"
