"""Jest, run for real."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.jest import JestAdapter
from testwright.run.project import Project

from .conftest import Run, Write

pytestmark = pytest.mark.needs_node

PACKAGE = '{"jest": {}}'
CART = """
test('passes', () => { console.log('{"kind":"finished","outcome":"passed"}'); });
test('fails', () => { expect(1 + 1).toBe(3); });
describe('group', () => {
  test.skip('is skipped', () => {});
  test.todo('is to be written');
  test('has a twin', () => {});
  test('has a twin', () => { throw new Error('the second one fails'); });
  describe('deeper', () => { test.failing('fails as expected', () => { expect(1).toBe(2); }); });
});
test('takes too long', () => new Promise(() => {}), 50);
"""


def test_a_suite_is_a_configuration_or_a_package_and_projects_belong_to_the_one_that_names_them(tmp_path: Path) -> None:
    files = {
        "apps/web/jest.config.js": "",
        "apps/web/src/a.test.js": "test('x', () => {});",
        "apps/web/src/__tests__/b.js": "test('x', () => {});",
        "apps/web/src/unit.test.js": "import { test } from 'vitest';",
        "apps/api/package.json": '{"devDependencies": {"jest": "30"}}',
        "apps/api/c.spec.js": "const { test } = require('@jest/globals');",
        "apps/none/package.json": "not JSON",
        "mono/package.json": '{"jest": {"projects": ["packages/*"]}}',
        "mono/packages/one/jest.config.js": "",
        "mono/packages/one/d.test.js": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    project = Project.at(tmp_path)

    found = {
        project.name_of(suite.root): [file.name for file in suite.files]
        for suite in JestAdapter(project).suites(project)
    }

    assert found == {"apps/web": ["b.js", "a.test.js"], "apps/api": ["c.spec.js"], "mono": ["d.test.js"]}


def test_outcomes_and_counts_are_jests_own(js_project: Write, run_with: Run, node_modules: Path, node: str) -> None:
    root = js_project({"package.json": PACKAGE, "src/cart.test.js": CART})

    seen = run_with(JestAdapter, root)

    assert seen.outcomes == {
        "src/cart.test.js::passes": "passed",
        "src/cart.test.js::fails": "failed",
        "src/cart.test.js::group › is skipped": "skipped",
        "src/cart.test.js::group › is to be written": "skipped",
        "src/cart.test.js::group › has a twin": "passed",
        "src/cart.test.js::group › has a twin #2": "failed",
        "src/cart.test.js::group › deeper › fails as expected": "passed",
        "src/cart.test.js::takes too long": "timeout",
    }
    assert not seen.problems
    assert "Expected: 3" in seen.last("::fails").message
    assert "cart.test.js:3" in seen.last("::fails").stack
    command: list[str | Path] = [node, node_modules / "jest/bin/jest.js", "--json", "--outputFile=own-report.json"]
    subprocess.run(command, cwd=root, capture_output=True, check=False)
    report = json.loads((root / "own-report.json").read_text())
    counts = Counter(seen.outcomes.values())
    assert counts["passed"] == report["numPassedTests"]
    assert counts["failed"] + counts["timeout"] == report["numFailedTests"]
    assert counts["skipped"] == report["numPendingTests"] + report["numTodoTests"]


def test_files_of_other_frameworks_and_folders_of_other_suites_are_left_to_them(
    js_project: Write, run_with: Run
) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "a.test.js": "test('works', () => {});",
            "e2e (1)/[b].spec.js": "require('@playwright/test').test('is for a browser', () => {});",
            "packages/one/jest.config.js": "",
            "packages/one/c.test.js": "test('works', () => {});",
        }
    )

    seen = run_with(JestAdapter, root)

    assert seen.outcomes == {"a.test.js::works": "passed", "packages/one/c.test.js::works": "passed"}
    assert [len(attempts) for attempts in seen.attempts.values()] == [1, 1]


def test_each_try_of_a_retried_test_is_an_attempt(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "a.test.js": """
                jest.retryTimes(2);
                let tries = 0;
                test('works the third time', () => { tries += 1; expect(tries).toBe(3); });
                test('never works', () => { expect(1).toBe(2); });
            """,
        }
    )

    seen = run_with(JestAdapter, root)

    outcomes = {id_: [str(attempt.outcome) for attempt in attempts] for id_, attempts in seen.attempts.items()}
    assert outcomes == {
        "jest:a.test.js::works the third time": ["failed", "failed", "passed"],
        "jest:a.test.js::never works": ["failed", "failed", "failed"],
    }


def test_files_and_hooks_that_fail_are_errors_and_the_rest_still_runs(js_project: Write, run_with: Run) -> None:
    root = js_project(
        {
            "package.json": PACKAGE,
            "broken.test.js": "const x = ;\n",
            "empty.test.js": "",
            "hooks.test.js": """
                const fail = (why) => () => { throw new Error(why); };
                describe('before', () => { beforeAll(fail('no database')); test('held up', () => {}); });
                describe('after', () => { afterAll(fail('cannot clean up')); test('works', () => {}); });
            """,
        }
    )

    seen = run_with(JestAdapter, root)

    assert seen.outcomes == {
        "broken.test.js": "error",
        "empty.test.js": "error",
        "hooks.test.js": "error",
        "hooks.test.js::before › held up": "failed",
        "hooks.test.js::after › works": "passed",
    }
    assert "(1:10)" in seen.last("broken.test.js").message
    assert "cannot clean up" in seen.last("jest:hooks.test.js").message


@pytest.mark.parametrize("alone", [True, False], ids=["as the only file", "among others"])
def test_a_test_that_ends_its_process_never_passes_and_its_file_says_it_was_cut_off(
    js_project: Write, run_with: Run, alone: bool
) -> None:
    exits = "test('before', () => {}); test('exits', () => { process.exit(0); }); test('after', () => {});"
    others = {
        "good.test.js": "test('works', () => {});",
        "aborts.test.js": "test('aborts', () => { process.abort(); });",
    }
    root = js_project({"package.json": PACKAGE, "exits.test.js": exits, **({} if alone else others)})

    seen = run_with(JestAdapter, root)

    assert seen.outcomes["exits.test.js::before"] == "passed"
    assert seen.outcomes["exits.test.js::exits"] == "no_verdict"
    assert seen.outcomes["exits.test.js"] == "no_verdict"
    if not alone:
        assert seen.outcomes["good.test.js::works"] == "passed"
        assert seen.outcomes["aborts.test.js::aborts"] == "crashed"
        assert seen.last("::aborts").reason == "signal_6"


def test_a_test_that_never_yields_is_a_timeout_and_its_file_says_it_was_cut_off(
    js_project: Write, run_with: Run
) -> None:
    loops = "test('before', () => {}); test('loops', () => { for (;;); }); test('after', () => {});"
    root = js_project({"package.json": PACKAGE, "a.test.js": loops})

    seen = run_with(JestAdapter, root, RunRequest(test_seconds=0.5))

    assert seen.outcomes == {"a.test.js::before": "passed", "a.test.js::loops": "timeout", "a.test.js": "no_verdict"}


def test_only_the_named_tests_run(js_project: Write, run_with: Run) -> None:
    test = "test('x', () => {}); test('y (1)', () => {}); test('x y (1)', () => {});"
    root = js_project({"package.json": PACKAGE, "a.test.js": test, "b.test.js": test, "c.test.js": test})
    wanted = (_case("a.test.js", "x"), _case("b.test.js", "y (1)"), _case("c.test.js"))

    seen = run_with(JestAdapter, root, RunRequest(only=wanted))

    assert sorted(name for name in seen.outcomes if "::" in name) == [
        "a.test.js::x",
        "b.test.js::y (1)",
        "c.test.js::x",
        "c.test.js::x y (1)",
        "c.test.js::y (1)",
    ]


def test_globs_select_by_id_or_name_and_nothing_else_runs(js_project: Write, run_with: Run) -> None:
    other = "test('other', () => require('node:fs').writeFileSync('ran', ''));"
    root = js_project({"package.json": PACKAGE, "src/cart.test.js": CART, "src/other.test.js": other})

    seen = run_with(JestAdapter, root, RunRequest(select=("group › has a twin", "*cart.test.js::passes")))

    assert sorted(seen.outcomes) == [
        "src/cart.test.js::group › has a twin",
        "src/cart.test.js::group › has a twin #2",
        "src/cart.test.js::passes",
    ]
    assert not (root / "ran").exists()


def test_projects_are_variants(js_project: Write, run_with: Run) -> None:
    config = (
        "module.exports = { projects: [{ displayName: 'one' }, { displayName: 'two', testEnvironment: 'jsdom' }] };"
    )
    root = js_project({"jest.config.js": config, "a.test.js": "test('x', () => {});"})

    seen = run_with(JestAdapter, root)

    assert seen.outcomes == {"a.test.js::x [one]": "passed", "a.test.js::x [two]": "passed"}


def test_paths_shards_and_fail_fast_are_jests_own(js_project: Write, run_with: Run) -> None:
    fails = "test('x', () => { throw new Error('no'); });"
    root = js_project({"package.json": PACKAGE, "a (1)/one.test.js": fails, "b/two.test.js": fails})

    only_a = run_with(JestAdapter, root, RunRequest(paths=(root / "a (1)",)))
    halves = [run_with(JestAdapter, root, RunRequest(shard=Shard(index, 2))).outcomes for index in (1, 2)]
    stopped = run_with(JestAdapter, root, RunRequest(fail_fast=True, workers=1))

    assert sorted(only_a.outcomes) == ["a (1)/one.test.js::x"]
    assert sorted([*halves[0], *halves[1]]) == ["a (1)/one.test.js::x", "b/two.test.js::x"]
    # Jest stops as soon as it can: a file that a worker has begun with may still end.
    assert set(stopped.outcomes.values()) == {"failed"}
    assert not stopped.problems


def _case(file: str, *title: str) -> TestCase:
    return TestCase(Framework.JEST, file, title, native_id=file)
