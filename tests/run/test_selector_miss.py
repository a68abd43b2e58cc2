"""What a failure says: texts that real Playwrights produced, in both languages, and what is read from them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from testwright.isolate.limits import Limits
from testwright.model.artifact_names import FAILED_CALL
from testwright.model.case import Framework, TestCase
from testwright.model.events import AttemptFinished
from testwright.model.heal import CallSite
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.playwright_test import PlaywrightAdapter
from testwright.run.project import Project
from testwright.run.selector_miss import failure_of, is_list_miss, is_selector_miss

pytestmark = [pytest.mark.needs_node, pytest.mark.needs_chromium]

PAGE = (
    "<h1>Checkout</h1><h2 hidden>Later</h2><button disabled>Wait</button><ul><li>a</li><li>b</li></ul>"
    '<iframe srcdoc="<p>inside</p>"></iframe>'
)
# What a test does, in both languages; whether the selector was lost; the selector and action that are named.
CASES = {
    "an action": (
        "page.locator('#pay').click()", 'page.locator("#pay").click()',
        True, ("locator('#pay')", 'locator("#pay")'), ("click", "click"),
    ),
    "an action of the page": (
        "page.fill('#pay', 'x')", 'page.fill("#pay", "x")',
        True, ("locator('#pay')", 'locator("#pay")'), ("fill", "fill"),
    ),
    "waiting for a selector": (
        "page.waitForSelector('#pay')", 'page.wait_for_selector("#pay")',
        True, ("locator('#pay')", 'locator("#pay")'), ("waitForSelector", "wait_for_selector"),
    ),
    "reading by role": (
        "page.getByRole('button', { name: 'Pay' }).textContent()",
        'page.get_by_role("button", name="Pay").text_content()',
        True, ("getByRole('button', { name: 'Pay' })", 'get_by_role("button", name="Pay")'),
        ("textContent", "text_content"),
    ),
    "a chain": (
        "page.locator('ul').getByText('c (d)').nth(1).click()",
        'page.locator("ul").get_by_text("c (d)").nth(1).click()',
        True, ("locator('ul').getByText('c (d)').nth(1)", 'locator("ul").get_by_text("c (d)").nth(1)'),
        ("click", "click"),
    ),
    "an element in a frame": (
        "page.frameLocator('iframe').getByText('gone').click()",
        'page.frame_locator("iframe").get_by_text("gone").click()',
        True,
        ("locator('iframe').contentFrame().getByText('gone')", 'locator("iframe").content_frame.get_by_text("gone")'),
        ("click", "click"),
    ),
    "evaluating on a selector": (
        "page.$eval('#pay', (e) => e.id)", 'page.eval_on_selector("#pay", "e => e.id")',
        True, ("#pay", "#pay"), ("$eval", "eval_on_selector"),
    ),
    "an expectation to see it": (
        "expect(page.getByTestId('pay')).toBeVisible()", 'expect(page.get_by_test_id("pay")).to_be_visible()',
        True, ("getByTestId('pay')", 'get_by_test_id("pay")'), ("toBeVisible", "to_be_visible"),
    ),
    "an expectation with words of its own": (
        "expect(page.getByTestId('pay'), 'the pay button').toBeVisible()",
        'expect(page.get_by_test_id("pay"), "the pay button").to_be_visible()',
        True, ("getByTestId('pay')", 'get_by_test_id("pay")'), ("toBeVisible", "to_be_visible"),
    ),
    "a text expected of nothing": (
        "expect(page.locator('#total')).toHaveText('5')", 'expect(page.locator("#total")).to_have_text("5")',
        True, ("locator('#total')", 'locator("#total")'), ("toHaveText", "to_have_text"),
    ),
    "a number of elements, and there is none": (
        "expect(page.locator('.item')).toHaveCount(2)", 'expect(page.locator(".item")).to_have_count(2)',
        True, ("locator('.item')", 'locator(".item")'), ("toHaveCount", "to_have_count"),
    ),
    "texts of a list, and there is none": (
        "expect(page.locator('.item')).toHaveText(['a', 'b'])",
        'expect(page.locator(".item")).to_have_text(["a", "b"])',
        True, ("locator('.item')", 'locator(".item")'), ("toHaveText", "to_have_text"),
    ),
    "a disabled button": (
        "page.getByRole('button').click()", 'page.get_by_role("button").click()',
        False, ("getByRole('button')", 'get_by_role("button")'), ("click", "click"),
    ),
    "something that cannot be filled": (
        "page.locator('h1').fill('x')", 'page.locator("h1").fill("x")',
        False, ("locator('h1')", 'locator("h1")'), ("fill", "fill"),
    ),
    "waiting for it to go": (
        "page.locator('h1').waitFor({ state: 'hidden' })", 'page.locator("h1").wait_for(state="hidden")',
        False, ("locator('h1')", 'locator("h1")'), ("waitFor", "wait_for"),
    ),
    "a hidden element": (
        "expect(page.locator('h2')).toBeVisible()", 'expect(page.locator("h2")).to_be_visible()',
        False, ("locator('h2')", 'locator("h2")'), ("toBeVisible", "to_be_visible"),
    ),
    "another text": (
        "expect(page.locator('h1')).toHaveText('Payment')", 'expect(page.locator("h1")).to_have_text("Payment")',
        False, ("locator('h1')", 'locator("h1")'), ("toHaveText", "to_have_text"),
    ),
    "another number of elements": (
        "expect(page.locator('li')).toHaveCount(3)", 'expect(page.locator("li")).to_have_count(3)',
        False, ("locator('li')", 'locator("li")'), ("toHaveCount", "to_have_count"),
    ),
    "elements where none should be": (
        "expect(page.locator('li')).toHaveCount(0)", 'expect(page.locator("li")).to_have_count(0)',
        False, ("locator('li')", 'locator("li")'), ("toHaveCount", "to_have_count"),
    ),
    "an element that should be hidden": (
        "expect(page.locator('h1')).toBeHidden()", 'expect(page.locator("h1")).to_be_hidden()',
        False, ("locator('h1')", 'locator("h1")'), ("toBeHidden", "to_be_hidden"),
    ),
    "an element that should not be visible": (
        "expect(page.locator('h1')).not.toBeVisible()", 'expect(page.locator("h1")).not_to_be_visible()',
        False, ("locator('h1')", 'locator("h1")'), ("toBeVisible", "to_be_visible"),
    ),
    "a text that nothing should have": (
        "expect(page.locator('#none')).not.toHaveText('x')", 'expect(page.locator("#none")).not_to_have_text("x")',
        False, ("locator('#none')", 'locator("#none")'), ("toHaveText", "to_have_text"),
    ),
    "two elements where one was meant": (
        "page.locator('li').click()", 'page.locator("li").click()',
        False, ("locator('li')", 'locator("li")'), ("", ""),
    ),
    "two elements where one was expected": (
        "expect(page.locator('li')).toBeVisible()", 'expect(page.locator("li")).to_be_visible()',
        False, ("locator('li')", 'locator("li")'), ("", ""),
    ),
    "a server that is not there": (
        "page.goto('http://127.0.0.1:9/')", 'page.goto("http://127.0.0.1:9/")', False, ("", ""), ("goto", "goto"),
    ),
    "another address": (
        "expect(page).toHaveURL('http://x/')", 'expect(page).to_have_url("http://x/")',
        False, ("", ""), ("toHaveURL", "to_have_url"),
    ),
    "a selector that is none": (
        "page.locator('###').click()", 'page.locator("###").click()', False, ("", ""), ("click", "click"),
    ),
    "a page that says what Playwright says": (
        "expect(page.locator('h1')).toHaveText(/Error: element\\(s\\) not found/)",
        'expect(page.locator("h1")).to_have_text("Error: element(s) not found")',
        False, ("locator('h1')", 'locator("h1")'), ("toHaveText", "to_have_text"),
    ),
    "a closed page": (
        "page.close().then(() => page.locator('#x').click())", 'closed(page)',
        False, ("", ""), ("click", "click"),
    ),
}  # fmt: skip
LISTS = {"a number of elements, and there is none", "texts of a list, and there is none"}

ALONE = {"a server that is not there", "a closed page"}  # they take the page away from the others

COLLECT = """
import { test, expect as plain } from '@playwright/test';
const expect = plain.configure({ timeout: 1500 });
test('collect', async ({ page }) => {
  page.setDefaultTimeout(1500);
  await page.setContent(%(page)s);
  const said: Record<string, string> = {};
  const attempt = async (name: string, act: () => Promise<unknown>) => {
    try { await act(); said[name] = 'it did not fail'; }
    catch (error) { said[name] = error.stack.split('\\n    at ')[0]; }
  };
  await Promise.all([%(together)s]);
  for (const act of [%(alone)s]) await act();
  require('fs').writeFileSync('said.json', JSON.stringify(said));
});
"""
COLLECT_PYTHON = """
import asyncio, json, sys
from playwright.async_api import async_playwright, expect
expect.set_options(timeout=1500)
said = {}

async def attempt(name, act):
    try:
        await act()
        said[name] = "it did not fail"
    except Exception as error:
        said[name] = f"{type(error).__module__}.{type(error).__name__}: {error}"

async def closed(page):
    await page.close()
    await page.locator("#x").click()

async def main():
    async with async_playwright() as started:
        browser = await started.chromium.launch(executable_path=sys.argv[1])
        page = await browser.new_page()
        page.set_default_timeout(1500)
        await page.set_content(%(page)r)
        await asyncio.gather(%(together)s)
        for act in [%(alone)s]:
            await act()
        await browser.close()

asyncio.run(main())
print(json.dumps(said))
"""
CONFIG = """
import { defineConfig } from '@playwright/test';
export default defineConfig({
  workers: 1, timeout: 20000, reporter: 'null', expect: { timeout: 200 },
  use: { launchOptions: { executablePath: process.env.CHROMIUM } },
});
"""
SHOP_PAGE = """
import { Page } from '@playwright/test';
export class ShopPage {
  constructor(readonly page: Page) {}
  async pay() {
    await this.page.getByTestId('pay').click();
  }
}
"""
SHOP = """
import { test, expect } from '@playwright/test';
import { ShopPage } from '../pages/shop_page';
test('out of time', async ({ page }) => {
  test.setTimeout(2500);
  await page.setContent('<h1>Shop</h1>');
  await new ShopPage(page).pay();
});
test('softly', async ({ page }) => {
  await page.setContent('<h1>Shop</h1>');
  expect.soft(1).toBe(2);
  await expect(page.getByLabel('Name')).toBeVisible();
});
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, node_modules: Path, chromium: str) -> Path:
    root = tmp_path_factory.mktemp("failures") / "shop"
    tries = {name: f"attempt({json.dumps(name)}, () => {case[0]})" for name, case in CASES.items()}
    files = {
        "playwright.config.ts": CONFIG,
        "pages/shop_page.ts": SHOP_PAGE,
        "tests/collect.spec.ts": COLLECT
        % {
            "page": json.dumps(PAGE),
            "together": ", ".join(text for name, text in tries.items() if name not in ALONE),
            "alone": ", ".join(f"() => {tries[name]}" for name in tries if name in ALONE),
        },
        "tests/shop.spec.ts": SHOP,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "node_modules").symlink_to(node_modules)
    return root


@pytest.fixture(scope="module")
def attempts(shop: Path, chromium: str) -> dict[str, tuple[TestCase, Attempt]]:
    project = Project.at(shop)
    adapter = PlaywrightAdapter(project)
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "FORCE_COLOR", "NODE_OPTIONS")}
    driver = Driver(project, {**env, "CHROMIUM": chromium}, Limits())
    events = driver.run(adapter, adapter.suites(project)[0], RunRequest())
    found = [event for event in events if isinstance(event, AttemptFinished)]
    return {event.case.name: (event.case, event.attempt) for event in found}


@pytest.fixture(scope="module")
def typescript(attempts: dict[str, tuple[TestCase, Attempt]], shop: Path) -> dict[str, str]:
    assert attempts["collect"][1].outcome is Outcome.PASSED, attempts["collect"][1].message
    said: dict[str, str] = json.loads((shop / "said.json").read_text())
    return said


@pytest.fixture(scope="module")
def python(chromium: str) -> dict[str, str]:
    tries = {name: f"attempt({name!r}, lambda: {case[1]})" for name, case in CASES.items()}
    script = COLLECT_PYTHON % {
        "page": PAGE,
        "together": ", ".join(text for name, text in tries.items() if name not in ALONE),
        "alone": ", ".join(f"lambda: {tries[name]}" for name in tries if name in ALONE),
    }
    done = subprocess.run([sys.executable, "-c", script, chromium], capture_output=True, text=True, check=True)
    said: dict[str, str] = json.loads(done.stdout)
    return said


@contextmanager
def told(message: str) -> Iterator[None]:
    """Shows the message where a check on it fails."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{error}\n{message}") from None


@pytest.mark.parametrize("name", CASES)
def test_only_a_selector_that_found_nothing_is_a_miss(
    name: str, typescript: dict[str, str], python: dict[str, str]
) -> None:
    expected = CASES[name][2]
    for message in (typescript[name], python[name]):
        with told(message):
            assert message != "it did not fail"
            assert is_selector_miss(message) == expected
            assert is_list_miss(message) == (name in LISTS)


@pytest.mark.parametrize("name", CASES)
def test_selector_and_action_are_named_as_the_runner_names_them(
    name: str, typescript: dict[str, str], python: dict[str, str]
) -> None:
    _, _, _, selectors, actions = CASES[name]
    for framework, message, selector, action in (
        (Framework.PLAYWRIGHT, typescript[name], selectors[0], actions[0]),
        (Framework.PYTEST, python[name], selectors[1], actions[1]),
    ):
        record = failure_of(TestCase(framework, "tests/a"), Attempt(Outcome.FAILED, message=message), Path("/nowhere"))
        with told(message):
            assert (record.selector, record.action) == (selector, action)


def test_colours_do_not_hide_what_is_said() -> None:
    assert is_selector_miss(
        "TimeoutError: locator.click: Timeout 400ms exceeded.\n\x1b[2mCall log:\x1b[22m\n"
        "\x1b[2m  - waiting for locator('#pay')\x1b[22m\n"
    )


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Error: waiting for locator('#x')",
        "AssertionError: assert 'Error: element(s) not found' == ''",
        "Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: 0",
        "locator.click: Timeout 400ms exceeded.\n" + "Call log:\n" * 1000,
        "Error: " * 20_000,
        "expect(locator).toBeVisible() failed\n" + "waiting for locator(" * 20_000,
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_not_a_miss(message: str) -> None:
    assert not is_selector_miss(message)


def test_a_test_whose_time_was_up_names_the_element_it_was_waiting_for(
    attempts: dict[str, tuple[TestCase, Attempt]], shop: Path
) -> None:
    case, attempt = attempts["out of time"]

    record = failure_of(case, attempt, shop)

    assert attempt.outcome is Outcome.TIMEOUT
    assert attempt.message.startswith("Test timeout of 2500ms exceeded.")
    assert is_selector_miss(attempt.message)
    assert (record.selector, record.action) == ("getByTestId('pay')", "click")
    assert record.stack == (CallSite("pages/shop_page.ts", 6, 40), CallSite("tests/shop.spec.ts", 7, 28))


def test_of_several_complaints_the_lost_element_counts_and_the_stack_is_its_own(
    attempts: dict[str, tuple[TestCase, Attempt]], shop: Path
) -> None:
    case, attempt = attempts["softly"]

    record = failure_of(case, attempt, shop)

    assert "Received: 1" in attempt.message
    assert record.selector == "getByLabel('Name')"
    assert record.stack == (CallSite("tests/shop.spec.ts", 12, 41),)


def test_the_outline_of_the_page_comes_with_every_failure(attempts: dict[str, tuple[TestCase, Attempt]]) -> None:
    names = [artifact.name for artifact in attempts["softly"][1].artifacts]

    assert "error-context" in names


def test_pytests_stack_is_read_from_its_text_innermost_first(tmp_path: Path) -> None:
    for name in ("web/tests/test_shop.py", "web/pages/shop_page.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    stack = (
        "    def test_pay(page):\n>       ShopPage(page).pay()\n\ntests/test_shop.py:7: \n_ _ _ _\n"
        "pages/shop_page.py:5: in pay\n    self.page.click('#pay')\n"
        "../.venv/lib/python3.11/site-packages/playwright/sync_api/_generated.py:9: in click\n    x\n"
        "E           playwright._impl._errors.TimeoutError: Page.click: Timeout 400ms exceeded.\n"
    )
    case = TestCase(Framework.PYTEST, "web/tests/test_shop.py", ("test_pay",))

    record = failure_of(case, Attempt(Outcome.FAILED, stack=stack), tmp_path)

    assert record.stack == (CallSite("web/pages/shop_page.py", 5), CallSite("web/tests/test_shop.py", 7))


def test_what_our_reporter_noted_goes_before_what_was_printed(tmp_path: Path) -> None:
    (tmp_path / "call.json").write_text('{"sites": [["tests/test_a.py", 3]]}')
    (tmp_path / "torn.json").write_text('{"sites": [["te')
    case = TestCase(Framework.PYTEST, "tests/test_a.py", ("test_a",))

    def stack(name: str) -> tuple[CallSite, ...]:
        attempt = Attempt(Outcome.FAILED, artifacts=(Artifact(FAILED_CALL, name),))
        return failure_of(case, attempt, tmp_path).stack

    assert stack("call.json") == (CallSite("tests/test_a.py", 3),)
    assert stack("torn.json") == ()
    assert stack("gone.json") == ()
