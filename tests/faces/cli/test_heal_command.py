"""`testwright heal` as a user has it, up to real tests that pass again."""

import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.conftest import CommandLine

PAGE = """<!doctype html><title>Checkout</title><main><h1>Checkout</h1>
<form onsubmit="document.querySelector('h1').textContent = 'Thank you'; return false">
<label>Email <input name="email"></label>
<button data-testid="submit-button">Place order</button>
<button type="button" id="cancel">Cancel</button></form></main>"""

SPEC = """\
import { test, expect } from '@playwright/test';

test('a customer can order', async ({ page }) => {
  await page.goto('ADDRESS/checkout.html');
  await page.getByLabel('Email').fill('a@b.example');
  await page.getByTestId('submit-btn').click();
  await expect(page.getByRole('heading')).toHaveText('Thank you');
});
"""

PYTHON = """\
from playwright.sync_api import Page, expect


def test_a_customer_can_order(page: Page) -> None:
    page.set_default_timeout(1000)
    page.goto("ADDRESS/checkout.html")
    page.get_by_label("Email").fill("a@b.example")
    page.click("#submit-btn")
    expect(page.get_by_role("heading")).to_have_text("Thank you")
"""

CONFIG = """\
import { defineConfig } from '@playwright/test';
export default defineConfig({ workers: 1, use: { actionTimeout: 1000,
  launchOptions: { executablePath: process.env.TESTWRIGHT_CHROMIUM } } });
"""

CONFTEST = """\
import os
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": os.environ["TESTWRIGHT_CHROMIUM"]}
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "checkout.html").write_text(PAGE)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "order.spec.ts").write_text(SPEC)
    (root / "page.html").write_text(PAGE)
    return root


def test_repair_shows_what_was_healed_and_the_change_and_writes_nothing(testwright: CommandLine, project: Path) -> None:
    said = testwright("heal", "repair", "tests/order.spec.ts", "--html", "page.html", cwd=project)
    assert said.code == 1, said.err
    assert "getByTestId('submit-button')" in said.out
    assert "testid_match" in said.out
    assert "+  await page.getByTestId('submit-button').click();" in said.out
    assert "Healed 1/1 selectors in tests/order.spec.ts." in said.out
    assert (project / "tests" / "order.spec.ts").read_text() == SPEC
    assert testwright("review", "list", cwd=project).out == "Nothing waits for you.\n"


def test_the_answer_as_json_has_a_summary_and_data(testwright: CommandLine, project: Path) -> None:
    said = testwright("heal", "analyze", "tests/order.spec.ts", "--html", "page.html", "--json", cwd=project)
    assert said.json["summary"] == "Healed 1/1 selectors in tests/order.spec.ts"
    assert said.json["data"]["summary"] == {
        "total_broken": 1, "healed_auto": 0, "healed_manual": 1, "unhealed": 0
    }  # fmt: skip
    assert said.json["data"]["healed"][0]["line_number"] == 6


def test_a_file_is_named_from_where_the_user_stands(testwright: CommandLine, project: Path) -> None:
    said = testwright(
        "heal", "analyze", "order.spec.ts", "--html", "../page.html", "--project", "..", cwd=project / "tests"
    )
    assert "Healed 1/1" in said.out


def test_nothing_broken_is_exit_code_0(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "order.spec.ts").write_text(SPEC.replace("submit-btn", "submit-button"))
    said = testwright("heal", "repair", "tests/order.spec.ts", "--html", "page.html", cwd=project)
    assert (said.code, said.out) == (0, "No broken selectors in tests/order.spec.ts.\n")


def test_what_is_proposed_waits_for_review_with_its_evidence(testwright: CommandLine, project: Path) -> None:
    said = testwright(
        "heal", "repair", "tests/order.spec.ts", "--html", "page.html", "--propose", "--json", cwd=project
    )
    shown = testwright("review", "show", said.json["data"]["proposal"], "--json", cwd=project).json
    assert (shown["kind"], shown["status"], shown["file"]) == ("selector_patch", "pending", "tests/order.spec.ts")
    assert "getByTestId('submit-btn') → getByTestId('submit-button')" in shown["evidence"][0]["summary"]
    assert "has not been run" in shown["evidence"][-1]["summary"]


def test_a_batch_tells_of_each_file_as_it_is_done(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "test_bad.py").write_text("def test_x(:\n")
    said = testwright("heal", "batch", "tests", "--html", "page.html", cwd=project)
    assert said.code == 1
    assert "[1/2] tests/order.spec.ts: 1 broken, 0 of them unhealed" in said.err
    assert "[invalid_test_syntax]" in said.out
    assert "Healed 1/1 selectors in 2 files." in said.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("repair", "../secret.py", "--html", "page.html"), "path_not_allowed"),
        (("repair", "/etc/passwd", "--html", "page.html"), "path_not_allowed"),
        (("repair", "tests/none.spec.ts", "--html", "page.html"), "test_file_not_found"),
        (("repair", "tests/order.spec.ts", "--html", "none.html"), "test_file_not_found"),
        (("repair", "tests/order.spec.ts", "--html", "."), "not_a_regular_file"),
        (("repair", "tests/order.spec.ts", "--trace", "page.html"), "archive_invalid"),
        (("repair", "tests/order.spec.ts", "--url", "javascript:alert(1)"), "usage"),
        (("repair", "tests/order.spec.ts", "--html", "page.html", "--selector", "  "), "selector_not_parseable"),
        (("repair", "tests/order.spec.ts", "--html", "page.html", "--auto-apply"), "ai_web_pilot_disabled"),
    ],
)
def test_what_cannot_be_done_is_told_with_a_code(
    testwright: CommandLine, project: Path, arguments: tuple[str, ...], code: str
) -> None:
    said = testwright("heal", *arguments, cwd=project)
    assert said.code in (2, 3), said.err
    assert f"[{code}]" in said.err
    assert "Traceback" not in said.err
    assert (project / "tests" / "order.spec.ts").read_text() == SPEC


def test_escape_codes_in_a_selector_reach_no_terminal(testwright: CommandLine, project: Path) -> None:
    said = testwright(
        "heal",
        "repair",
        "tests/order.spec.ts",
        "--html",
        "page.html",
        "--selector",
        "a\x1b[2J\x1b]0;pwn\x07",
        cwd=project,
    )
    assert "\x1b" not in said.out + said.err


@pytest.mark.needs_chromium
def test_the_page_may_be_that_of_a_trace_when_the_test_failed(
    testwright: CommandLine, project: Path, chromium: str
) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        context = browser.new_context()
        context.tracing.start(snapshots=True)
        page = context.new_page()
        page.goto((project / "page.html").as_uri())
        with pytest.raises(Error):
            page.get_by_test_id("submit-btn").click(timeout=100)
        context.tracing.stop(path=project / "trace.zip")
        browser.close()
    said = testwright("heal", "repair", "tests/order.spec.ts", "--trace", "trace.zip", "--json", cwd=project)
    assert said.json["data"]["healed"][0]["new_selector"] == "getByTestId('submit-button')"


@pytest.mark.needs_chromium
@pytest.mark.needs_node
def test_TG_INT_002_heal_broken_selector_in_real_test(  # noqa: N802  the spec's name
    testwright: CommandLine, project: Path, site: str, node_modules: Path, chromium: str
) -> None:
    (project / "node_modules").symlink_to(node_modules)
    (project / "playwright.config.ts").write_text(CONFIG)
    (project / "tests" / "order.spec.ts").write_text(SPEC.replace("ADDRESS", site))
    env = {"TESTWRIGHT_CHROMIUM": chromium}
    assert testwright("run", "--no-auto-heal", cwd=project, env=env).code == 1
    said = testwright(
        "heal", "repair", "tests/order.spec.ts", "--url", f"{site}/checkout.html", "--propose", "--json",
        cwd=project, env=env,
    )  # fmt: skip
    testwright("review", "accept", said.json["data"]["proposal"], cwd=project)
    after = testwright("run", cwd=project, env=env)
    assert after.code == 0, after.out + after.err


@pytest.mark.needs_chromium
def test_TG_INT_002_heal_broken_selector_in_real_test_in_python_applied_at_once(  # noqa: N802  the spec's name
    testwright: CommandLine, project: Path, site: str, chromium: str
) -> None:
    (project / "tests" / "order.spec.ts").unlink()
    (project / "testwright.toml").write_text(f"pilot = true\npython = {sys.executable!r}\n")
    (project / "tests" / "conftest.py").write_text(CONFTEST)
    test = project / "tests" / "test_order.py"
    test.write_text(PYTHON.replace("ADDRESS", site))
    env = {"TESTWRIGHT_CHROMIUM": chromium}
    said = testwright(
        "heal", "repair", "tests/test_order.py", "--url", f"{site}/checkout.html", "--auto-apply", "--json",
        cwd=project, env=env,
    )  # fmt: skip
    assert said.code == 0, said.out + said.err
    data = said.json["data"]
    assert data["summary"] == {"total_broken": 1, "healed_auto": 1, "healed_manual": 0, "unhealed": 0}
    assert data["updated_content"] == test.read_text() != PYTHON.replace("ADDRESS", site)
    shown = testwright("review", "show", data["proposal"], "--json", cwd=project).json
    assert shown["status"] == "applied"
    assert "pass with this change: 1 of 1 passed" in shown["evidence"][-1]["summary"]


@pytest.mark.needs_chromium
def test_auto_apply_writes_nothing_when_the_test_does_not_pass_with_it(
    testwright: CommandLine, project: Path, site: str, chromium: str
) -> None:
    (project / "tests" / "order.spec.ts").unlink()
    (project / "testwright.toml").write_text(f"pilot = true\npython = {sys.executable!r}\n")
    (project / "tests" / "conftest.py").write_text(CONFTEST)
    test = project / "tests" / "test_order.py"
    test.write_text(PYTHON.replace("ADDRESS", site).replace('"Thank you"', '"Goodbye", timeout=300'))
    before = test.read_text()
    said = testwright(
        "heal", "repair", "tests/test_order.py", "--html", "page.html", "--auto-apply", "--json",
        cwd=project, env={"TESTWRIGHT_CHROMIUM": chromium},
    )  # fmt: skip
    assert said.code == 1
    assert test.read_text() == before
    assert "updated_content" not in said.json["data"]
    assert any("do not pass" in note for note in said.json["data"]["notes"])
