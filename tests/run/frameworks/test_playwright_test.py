"""Playwright Test, run for real."""

import json
import os
import shutil
import socket
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import RunnerMissing
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.playwright_test import PlaywrightAdapter
from testwright.run.project import Project

from .conftest import Run, Write

pytestmark = pytest.mark.needs_node

_EXAMPLE = Path(__file__).parents[3] / "examples/web-shop"
CONFIG = """
import { defineConfig } from '@playwright/test';
export default defineConfig({ workers: 1, reporter: [['json', { outputFile: 'own-report.json' }]] });
"""
CART = """
import { test, expect } from '@playwright/test';
test('passes', () => {});
test('fails', () => { expect(1 + 1).toBe(3); });
test.describe('group', () => {
  test.skip('is skipped', () => {});
  test.fixme('is to be fixed', () => {});
  test.fail('fails as expected', () => { expect(1).toBe(2); });
  test.fail('passes against expectation', () => {});
  test.describe('deeper', () => {
    test('passes @slow', () => { console.log('{"kind":"finished","outcome":"passed"}'); });
  });
});
test('takes too long', async () => { test.setTimeout(100); await new Promise(() => {}); });
"""


@pytest.fixture
def shop(js_project: Write) -> Path:
    return js_project({"playwright.config.ts": CONFIG, "tests/cart.spec.ts": CART})


def test_each_configuration_is_a_suite_with_the_files_that_import_playwright(tmp_path: Path) -> None:
    files = {
        "playwright.config.ts": "",
        "tests/a.spec.ts": "import { test } from '@playwright/test';",
        "src/unit.test.ts": "import { test } from 'vitest';",
        "packages/admin/playwright.config.mjs": "export default { testDir: './e2e' };",
        "packages/admin/src/elsewhere.spec.ts": "import { test } from '@playwright/test';",
        "packages/admin/e2e/b.spec.ts": "const { test } = require('@playwright/test');",
        "packages/admin/e2e/own-fixtures.spec.ts": "import { test } from './fixtures';",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    project = Project.at(tmp_path)

    outer, inner = PlaywrightAdapter(project).suites(project)

    assert outer.root == tmp_path
    assert outer.files == (tmp_path / "tests/a.spec.ts",)
    assert inner.root == tmp_path / "packages/admin"
    assert inner.config == tmp_path / "packages/admin/playwright.config.mjs"
    assert [file.name for file in inner.files] == ["b.spec.ts", "own-fixtures.spec.ts"]


def test_a_project_without_its_packages_learns_what_to_install(tmp_path: Path, node: str) -> None:
    (tmp_path / "playwright.config.ts").write_text(CONFIG)
    project = Project.at(tmp_path)
    adapter = PlaywrightAdapter(project)

    with pytest.raises(RunnerMissing, match="@playwright/test is not installed") as caught:
        adapter.launches(adapter.suites(project)[0], RunRequest(), os.environ)

    assert "npm ci" in caught.value.next_step


def test_outcomes_are_playwrights_own(shop: Path, run_with: Run) -> None:
    seen = run_with(PlaywrightAdapter, shop)

    assert seen.outcomes == {
        "tests/cart.spec.ts::passes": "passed",
        "tests/cart.spec.ts::fails": "failed",
        "tests/cart.spec.ts::group › is skipped": "skipped",
        "tests/cart.spec.ts::group › is to be fixed": "skipped",
        "tests/cart.spec.ts::group › fails as expected": "passed",
        "tests/cart.spec.ts::group › passes against expectation": "failed",
        "tests/cart.spec.ts::group › deeper › passes @slow": "passed",
        "tests/cart.spec.ts::takes too long": "timeout",
    }
    assert not seen.problems
    assert sorted(seen.announced) == sorted(seen.attempts)
    failure = seen.last("::fails")
    assert "Expected: 3" in failure.message
    assert "\x1b[" not in failure.message + failure.stack
    assert seen.case("::fails").line == 4
    assert seen.last("passes @slow").stdout == '{"kind":"finished","outcome":"passed"}\n'


def test_the_users_own_reporters_still_report_the_same_counts(shop: Path, run_with: Run) -> None:
    seen = run_with(PlaywrightAdapter, shop)

    stats = json.loads((shop / "own-report.json").read_text())["stats"]
    counts = Counter(seen.outcomes.values())
    assert counts["passed"] == stats["expected"]
    assert counts["failed"] + counts["timeout"] == stats["unexpected"]
    assert counts["skipped"] == stats["skipped"]


def test_files_of_other_frameworks_and_folders_of_other_suites_are_left_to_them(
    js_project: Write, run_with: Run
) -> None:
    works = "import { test } from '@playwright/test'; test('works', () => {});"
    root = js_project(
        {
            "playwright.config.ts": CONFIG,
            "a.spec.ts": works,
            "src (1)/[b].test.ts": "import { test } from 'vitest'; test('is a unit test', () => {});",
            "packages/one/playwright.config.ts": CONFIG,
            "packages/one/c.spec.ts": works,
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert seen.outcomes == {"a.spec.ts::works": "passed", "packages/one/c.spec.ts::works": "passed"}
    assert [len(attempts) for attempts in seen.attempts.values()] == [1, 1]


def test_each_retry_is_an_attempt_and_each_browser_project_a_variant(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": """
                import { defineConfig } from '@playwright/test';
                export default defineConfig({ retries: 1, projects: [{ name: 'wide' }, { name: 'narrow' }] });
            """,
            "a.spec.ts": """
                import { test, expect } from '@playwright/test';
                test('works the second time', ({}, info) => { expect(info.retry).toBe(1); });
            """,
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    outcomes = {id_: [str(attempt.outcome) for attempt in attempts] for id_, attempts in seen.attempts.items()}
    assert outcomes == {
        "playwright:a.spec.ts::works the second time [wide]": ["failed", "passed"],
        "playwright:a.spec.ts::works the second time [narrow]": ["failed", "passed"],
    }


def test_repetitions_are_kept_apart(js_project: Write, run_with: Run) -> None:
    spec = "import { test } from '@playwright/test'; test('again', () => {});"
    root = js_project({"playwright.config.ts": "export default { repeatEach: 3 };", "a.spec.ts": spec})

    seen = run_with(PlaywrightAdapter, root)

    assert sorted(seen.outcomes) == ["a.spec.ts::again", "a.spec.ts::again #2", "a.spec.ts::again #3"]


def test_files_that_do_not_load_are_errors_and_the_others_still_run(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": CONFIG,
            "broken.spec.ts": "import { test } from '@playwright/test';\nconst x = ;\n",
            "exits.spec.ts": "import { test } from '@playwright/test';\nprocess.exit(0);\ntest('never', () => {});\n",
            "twice.spec.ts": "import { test } from '@playwright/test';\ntest('x', () => {});\ntest('x', () => {});\n",
            "good.spec.ts": "import { test } from '@playwright/test';\ntest('works', () => {});\n",
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert seen.outcomes == {
        "broken.spec.ts": "error",
        "exits.spec.ts": "error",
        "twice.spec.ts": "error",
        "good.spec.ts::works": "passed",
    }
    assert seen.last("broken.spec.ts").message.startswith("broken.spec.ts:2: SyntaxError")
    assert "process.exit(0) was called" in seen.last("exits.spec.ts").message


def test_a_test_that_ends_its_worker_has_no_verdict_and_the_rest_goes_on(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": CONFIG,
            "a.spec.ts": """
                import { test } from '@playwright/test';
                test('exits', () => { process.exit(0); });
                test('aborts', () => { process.abort(); });
                test('goes on', () => {});
            """,
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert seen.outcomes == {
        "a.spec.ts::exits": "no_verdict",
        "a.spec.ts::aborts": "crashed",
        "a.spec.ts::goes on": "passed",
    }
    assert seen.last("exits").reason == "process_exited"
    assert seen.last("aborts").reason == "signal_6"


def test_a_failing_hook_is_an_error_and_what_it_held_up_says_so(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": CONFIG,
            "a.spec.ts": """
                import { test } from '@playwright/test';
                test.describe('before', () => {
                  test.beforeAll(() => { throw new Error('no database'); });
                  test('first', () => {});
                  test('second', () => {});
                });
                test.describe('after', () => {
                  test.afterAll(() => { throw new Error('cannot clean up'); });
                  test('third', () => {});
                });
            """,
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert seen.outcomes == {
        "a.spec.ts::before › first": "error",
        "a.spec.ts::before › second": "skipped",
        "a.spec.ts::after › third": "error",
    }
    assert "no database" in seen.last("first").message
    assert seen.last("second").reason == "did_not_run"
    assert "cannot clean up" in seen.last("third").message


def test_tests_behind_a_failed_setup_project_are_not_run_and_not_passed(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": """
                export default { projects: [
                  { name: 'setup', testMatch: 'log-in.setup.ts' },
                  { name: 'shop', dependencies: ['setup'] },
                ] };
            """,
            "log-in.setup.ts": """
                import { test } from '@playwright/test';
                test('log in', () => { throw new Error('401'); });
            """,
            "a.spec.ts": "import { test } from '@playwright/test'; test('buys', () => {});",
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert seen.outcomes == {"log-in.setup.ts::log in [setup]": "failed", "a.spec.ts::buys [shop]": "skipped"}
    assert seen.last("buys [shop]").reason == "did_not_run"


def test_only_the_named_tests_run_and_a_setup_project_comes_along_unreported(js_project: Write, run_with: Run) -> None:
    spec = "import { test } from '@playwright/test'; test('x', () => {}); test('y', () => {}); test('x y', () => {});"
    root = js_project(
        {
            "playwright.config.ts": """
                export default { projects: [
                  { name: 'setup', testMatch: 'log-in.setup.ts' },
                  { name: 'shop', dependencies: ['setup'] },
                ] };
            """,
            "log-in.setup.ts": "import { test } from '@playwright/test'; test('log in', () => {});",
            "a/index.spec.ts": spec,
            "b/index.spec.ts": spec,
        }
    )
    wanted = (_case("a/index.spec.ts", "x", variant="shop"), _case("b/index.spec.ts", "y", variant="shop"))

    seen = run_with(PlaywrightAdapter, root, RunRequest(only=wanted))

    assert seen.outcomes == {"a/index.spec.ts::x [shop]": "passed", "b/index.spec.ts::y [shop]": "passed"}


def test_globs_select_by_id_or_name(shop: Path, run_with: Run) -> None:
    seen = run_with(PlaywrightAdapter, shop, RunRequest(select=("group › deeper*", "*cart.spec.ts::passes")))

    assert sorted(seen.outcomes) == ["tests/cart.spec.ts::group › deeper › passes @slow", "tests/cart.spec.ts::passes"]


def test_paths_are_taken_as_they_are_not_as_patterns(js_project: Write, run_with: Run) -> None:
    spec = "import { test } from '@playwright/test'; test('x', () => {});"
    root = js_project(
        {"playwright.config.ts": CONFIG, "a+b (1)/x.spec.ts": spec, "a+b (1)/y.spec.ts": spec, "aab 1/x.spec.ts": spec}
    )

    one = run_with(PlaywrightAdapter, root, RunRequest(paths=(root / "a+b (1)/x.spec.ts",)))
    folder = run_with(PlaywrightAdapter, root, RunRequest(paths=(root / "a+b (1)",)))

    assert sorted(one.outcomes) == ["a+b (1)/x.spec.ts::x"]
    assert sorted(folder.outcomes) == ["a+b (1)/x.spec.ts::x", "a+b (1)/y.spec.ts::x"]


def test_shards_share_the_tests_out(js_project: Write, run_with: Run) -> None:
    spec = "import { test } from '@playwright/test'; test('x', () => {});"
    root = js_project({"playwright.config.ts": CONFIG, "a.spec.ts": spec, "b.spec.ts": spec})

    halves = [run_with(PlaywrightAdapter, root, RunRequest(shard=Shard(index, 2))).outcomes for index in (1, 2)]

    assert [len(half) for half in halves] == [1, 1]
    assert set(halves[0]) | set(halves[1]) == {"a.spec.ts::x", "b.spec.ts::x"}


def test_fail_fast_leaves_the_rest_unrun_and_asks_for_none_of_it_again(shop: Path, run_with: Run) -> None:
    seen = run_with(PlaywrightAdapter, shop, RunRequest(fail_fast=True, workers=1))

    assert seen.outcomes == {"tests/cart.spec.ts::passes": "passed", "tests/cart.spec.ts::fails": "failed"}


def test_an_error_outside_of_any_test_is_a_problem(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "playwright.config.ts": "export default { globalSetup: './set-up.ts' };",
            "set-up.ts": "export default () => { throw new Error('no server'); };",
            "a.spec.ts": "import { test } from '@playwright/test'; test('x', () => {});",
        }
    )

    seen = run_with(PlaywrightAdapter, root)

    assert not any(outcome == "passed" for outcome in seen.outcomes.values())
    told = [problem.message for problem in seen.problems] + [
        a.message for found in seen.attempts.values() for a in found
    ]
    assert any("no server" in text for text in told)


def test_the_users_own_options_reach_playwright(shop: Path, run_with: Run) -> None:
    seen = run_with(PlaywrightAdapter, shop, RunRequest(extra=("--grep", "@slow")))

    assert sorted(seen.outcomes) == ["tests/cart.spec.ts::group › deeper › passes @slow"]


@pytest.mark.needs_chromium
def test_what_a_browser_test_left_is_named(js_project: Write, run_with: Run, chromium: str) -> None:
    root = js_project(
        {
            "playwright.config.ts": """
                import { defineConfig } from '@playwright/test';
                export default defineConfig({ use: {
                  screenshot: 'only-on-failure',
                  trace: 'on',
                  launchOptions: { executablePath: process.env.BROWSER_UNDER_TEST },
                } });
            """,
            "a.spec.ts": """
                import { test, expect } from '@playwright/test';
                test('has the wrong title', async ({ page }) => {
                  await page.setContent('<title>Shop</title>');
                  await expect(page).toHaveTitle('Cart', { timeout: 100 });
                });
            """,
        }
    )

    seen = run_with(PlaywrightAdapter, root, env={"BROWSER_UNDER_TEST": chromium})

    attempt = seen.last("has the wrong title")
    assert str(attempt.outcome) == "failed"
    assert {artifact.name for artifact in attempt.artifacts} >= {"screenshot", "trace", "error-context"}
    assert all((root / artifact.path).is_file() for artifact in attempt.artifacts)


def test_the_reporter_is_silent_when_no_process_listens(shop: Path, node_modules: Path, node: str) -> None:
    reporter = Path(__file__).parents[3] / "src/testwright/run/inside/playwright_reporter.cjs"
    done = subprocess.run(
        [node, node_modules / "@playwright/test/cli.js", "test", f"--reporter={reporter}", "--grep=deeper"],
        cwd=shop,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0


@pytest.mark.needs_chromium
def test_the_example_shop_has_one_test_that_finds_its_bug_and_the_others_pass(
    js_project: Write, run_with: Run, chromium: str
) -> None:
    root = js_project({})
    shutil.copytree(
        _EXAMPLE, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "test-results", ".testwright")
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    seen = run_with(PlaywrightAdapter, root, env={"TESTWRIGHT_CHROMIUM": chromium, "PORT": port})

    assert Counter(seen.outcomes.values()) == {"passed": 14, "failed": 1}
    bug = seen.last("::counts the quantity in the total")
    assert 'Received: "4.50 €"' in bug.message
    assert "screenshot" in {artifact.name for artifact in bug.artifacts}


def _case(file: str, *title: str, variant: str = "") -> TestCase:
    return TestCase(Framework.PLAYWRIGHT, file, title, variant=variant)
