"""Vitest, run for real."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.vitest import VitestAdapter
from testwright.run.project import Project

from .conftest import Run, Write

pytestmark = pytest.mark.needs_node

PACKAGE = '{"devDependencies": {"vitest": "4"}}'
CART = """
import { describe, expect, test } from 'vitest';
test('passes', () => { console.log('{"kind":"finished","outcome":"passed"}'); });
test('fails', () => { expect(1 + 1).toBe(3); });
describe('group', () => {
  test.skip('is skipped', () => {});
  test.todo('is to be written');
  test('has a twin', () => {});
  test('has a twin', () => { throw new Error('the second one fails'); });
  describe('deeper', () => { test.fails('fails as expected', () => { expect(1).toBe(2); }); });
});
test('takes too long', { timeout: 50 }, () => new Promise(() => {}));
"""


def test_a_suite_is_a_configuration_or_a_package_and_a_workspace_holds_those_below_it(tmp_path: Path) -> None:
    test_file = "import { test } from 'vitest';"
    files = {
        "apps/web/vitest.config.ts": "",
        "apps/web/src/a.test.ts": test_file,
        "apps/web/e2e/b.spec.ts": "import { test } from '@playwright/test';",
        "apps/web/playwright.config.ts": "export default { testDir: 'e2e' };",
        "apps/web/e2e/own-fixtures.spec.ts": "import { test } from './fixtures';",
        "apps/api/package.json": PACKAGE,
        "apps/api/c.test.js": "test('uses globals', () => {});",
        "apps/old/vite.config.js": "export default { test: { globals: true } };",
        "apps/old/d.test.js": test_file,
        "apps/plain/vite.config.js": "export default {};",
        "apps/plain/e.test.js": test_file,
        "mono/vitest.workspace.js": "",
        "mono/packages/one/vitest.config.ts": "",
        "mono/packages/one/f.test.ts": test_file,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    project = Project.at(tmp_path)

    found = {
        project.name_of(suite.root): [file.name for file in suite.files]
        for suite in VitestAdapter(project).suites(project)
    }

    assert found == {
        "apps/web": ["a.test.ts"],
        "apps/api": ["c.test.js"],
        "apps/old": ["d.test.js"],
        "mono": ["f.test.ts"],
    }


def test_outcomes_and_counts_are_vitests_own(js_project: Write, run_with: Run, node_modules: Path, node: str) -> None:
    root = js_project({"package.json": PACKAGE, "src/cart.test.ts": CART})

    seen = run_with(VitestAdapter, root)

    assert seen.outcomes == {
        "src/cart.test.ts::passes": "passed",
        "src/cart.test.ts::fails": "failed",
        "src/cart.test.ts::group › is skipped": "skipped",
        "src/cart.test.ts::group › is to be written": "skipped",
        "src/cart.test.ts::group › has a twin": "passed",
        "src/cart.test.ts::group › has a twin #2": "failed",
        "src/cart.test.ts::group › deeper › fails as expected": "passed",
        "src/cart.test.ts::takes too long": "timeout",
    }
    assert not seen.problems
    assert sorted(seen.announced) == sorted(seen.attempts)
    assert seen.case("::fails").line == 4
    command: list[str | Path] = [
        node,
        node_modules / "vitest/vitest.mjs",
        "run",
        "--reporter=json",
        "--outputFile=own-report.json",
    ]
    subprocess.run(command, cwd=root, capture_output=True, check=False)
    report = json.loads((root / "own-report.json").read_text())
    counts = Counter(seen.outcomes.values())
    assert counts["passed"] == report["numPassedTests"]
    assert counts["failed"] + counts["timeout"] == report["numFailedTests"]
    assert counts["skipped"] == report["numPendingTests"] + report["numTodoTests"]


def test_files_of_other_frameworks_and_folders_of_other_suites_are_left_to_them(
    js_project: Write, run_with: Run
) -> None:
    works = "import { test } from 'vitest'; test('works', () => {});"
    root = js_project(
        {
            "package.json": PACKAGE,
            "a.test.ts": works,
            "e2e (1)/[b].spec.ts": "import { test } from '@playwright/test'; test('is for a browser', () => {});",
            "packages/one/vitest.config.js": "export default {};",
            "packages/one/c.test.ts": works,
        }
    )

    seen = run_with(VitestAdapter, root)

    assert seen.outcomes == {"a.test.ts::works": "passed", "packages/one/c.test.ts::works": "passed"}
    assert [len(attempts) for attempts in seen.attempts.values()] == [1, 1]


def test_each_try_of_a_retried_test_is_an_attempt(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "a.test.ts": """
                import { expect, test } from 'vitest';
                let tries = 0;
                test('works the third time', { retry: 2 }, () => { tries += 1; expect(tries).toBe(3); });
                test('never works', { retry: 1 }, () => { expect(1).toBe(2); });
            """,
        }
    )

    seen = run_with(VitestAdapter, root)

    outcomes = {id_: [str(attempt.outcome) for attempt in attempts] for id_, attempts in seen.attempts.items()}
    assert outcomes == {
        "vitest:a.test.ts::works the third time": ["failed", "failed", "passed"],
        "vitest:a.test.ts::never works": ["failed", "failed"],
    }


def test_files_and_hooks_that_fail_are_errors_and_the_rest_still_runs(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "broken.test.ts": "import { test } from 'vitest';\nconst x = ;\n",
            "empty.test.ts": "import { test } from 'vitest';\n",
            "exits.test.ts": "import { test } from 'vitest';\ntest('never', () => {});\nprocess.exit(0);\n",
            "hooks.test.ts": """
                import { afterAll, beforeAll, describe, test } from 'vitest';
                const fail = (why) => () => { throw new Error(why); };
                describe('before', () => { beforeAll(fail('no database')); test('held up', () => {}); });
                describe('after', () => { afterAll(fail('cannot clean up')); test('works', () => {}); });
            """,
        }
    )

    seen = run_with(VitestAdapter, root)

    assert seen.outcomes == {
        "broken.test.ts": "error",
        "empty.test.ts": "error",
        "exits.test.ts": "error",
        "hooks.test.ts::before": "error",
        "hooks.test.ts::before › held up": "skipped",
        "hooks.test.ts::after": "error",
        "hooks.test.ts::after › works": "passed",
    }
    assert "broken.test.ts:2" in seen.last("broken.test.ts").message
    assert "cannot clean up" in seen.last("::after").message


def test_an_error_that_was_not_caught_is_a_problem(js_project: Write, run_with: Run) -> None:
    test = "import { test } from 'vitest'; test('leaks', () => { Promise.reject(new Error('lost')); });"
    root = js_project({"package.json": PACKAGE, "a.test.ts": test})

    seen = run_with(VitestAdapter, root)

    assert [problem.code for problem in seen.problems] == ["unhandled_error"]
    assert "lost" in seen.problems[0].message


def test_a_test_that_kills_its_worker_never_passes_and_other_files_do(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "a.test.ts": """
                import { test } from 'vitest';
                test('aborts', () => { process.abort(); });
                test('comes after', () => {});
            """,
            "b.test.ts": """
                import { test } from 'vitest';
                test('works', () => {});
                test('exits', () => { process.exit(0); });
            """,
        }
    )

    seen = run_with(VitestAdapter, root)

    assert seen.outcomes["a.test.ts::aborts"] == "crashed"
    assert seen.outcomes["a.test.ts::comes after"] != "passed"
    assert seen.outcomes["b.test.ts::works"] == "passed"
    assert seen.outcomes["b.test.ts::exits"] == "failed"


def test_a_test_that_never_yields_is_a_timeout_and_waiting_files_still_run(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "vitest.config.js": "export default { test: { hookTimeout: 500 } };",
            "a.test.ts": "import { test } from 'vitest'; test('loops', () => { for (;;); });",
            "b.test.ts": "import { test } from 'vitest'; test('works', () => {});",
            "c.test.ts": "import { test } from 'vitest'; test('works', () => {});",
        }
    )

    seen = run_with(VitestAdapter, root, RunRequest(test_seconds=0.5, workers=1))

    assert seen.outcomes == {
        "a.test.ts::loops": "timeout",
        "b.test.ts::works": "passed",
        "c.test.ts::works": "passed",
    }


def test_only_the_named_tests_run(js_project: Write, run_with: Run) -> None:
    test = "import { test } from 'vitest'; test('x', () => {}); test('y (1)', () => {}); test('x y (1)', () => {});"
    root = js_project({"package.json": PACKAGE, "a.test.ts": test, "b.test.ts": test, "c.test.ts": test})
    wanted = (_case("a.test.ts", "x"), _case("b.test.ts", "y (1)"), _case("c.test.ts"))

    seen = run_with(VitestAdapter, root, RunRequest(only=wanted))

    assert sorted(name for name in seen.outcomes if "::" in name) == [
        "a.test.ts::x",
        "b.test.ts::y (1)",
        "c.test.ts::x",
        "c.test.ts::x y (1)",
        "c.test.ts::y (1)",
    ]


def test_globs_select_by_id_or_name_and_nothing_else_runs(js_project: Write, run_with: Run) -> None:
    other = "import { test } from 'vitest'; import fs from 'node:fs'; test('other', () => fs.writeFileSync('ran', ''));"
    root = js_project({"package.json": PACKAGE, "src/cart.test.ts": CART, "src/other.test.ts": other})

    seen = run_with(VitestAdapter, root, RunRequest(select=("group › has a twin", "*cart.test.ts::passes")))

    assert sorted(seen.outcomes) == [
        "src/cart.test.ts::group › has a twin",
        "src/cart.test.ts::group › has a twin #2",
        "src/cart.test.ts::passes",
    ]
    assert not (root / "ran").exists()


def test_paths_shards_and_fail_fast_are_vitests_own(js_project: Write, run_with: Run) -> None:
    fails = "import { test } from 'vitest'; test('x', () => { throw new Error('no'); }); test('y', () => {});"
    root = js_project({"package.json": PACKAGE, "a/one.test.ts": fails, "b/two.test.ts": fails})

    only_a = run_with(VitestAdapter, root, RunRequest(paths=(root / "a",)))
    halves = [run_with(VitestAdapter, root, RunRequest(shard=Shard(index, 2))).outcomes for index in (1, 2)]
    stopped = run_with(VitestAdapter, root, RunRequest(paths=(root / "a/one.test.ts",), fail_fast=True))

    assert sorted(only_a.outcomes) == ["a/one.test.ts::x", "a/one.test.ts::y"]
    assert sorted([*halves[0], *halves[1]]) == [
        "a/one.test.ts::x",
        "a/one.test.ts::y",
        "b/two.test.ts::x",
        "b/two.test.ts::y",
    ]
    assert len(halves[0]) == len(halves[1]) == 2
    assert stopped.outcomes["a/one.test.ts::x"] == "failed"
    assert not stopped.problems


def _case(file: str, *title: str) -> TestCase:
    return TestCase(Framework.VITEST, file, title, native_id=file)
