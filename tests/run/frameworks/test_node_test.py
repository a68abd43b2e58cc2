"""node:test, run for real."""

import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.run.framework_adapter import RunRequest, Shard
from testwright.run.frameworks.node_test import NodeTestAdapter
from testwright.run.project import Project

from .conftest import Run, Write

pytestmark = pytest.mark.needs_node

CART = """
import assert from 'node:assert';
import test, { describe, it } from 'node:test';
test('passes', () => { console.log('{"kind":"finished","outcome":"passed"}'); });
test('fails', () => { assert.equal(1 + 1, 3); });
describe('group', () => {
  it.skip('is skipped', () => {});
  it.todo('is to be written');
  it('has a twin', () => {});
  it('has a twin', () => { throw new Error('the second one fails'); });
  describe('deeper', () => { it('passes', () => {}); });
});
test('has subtests', async (t) => {
  await t.test('one that passes', () => {});
});
test('takes too long', { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 1000)));
"""


@pytest.fixture
def node_project(tmp_path: Path, node: str) -> Write:
    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


def test_a_suite_is_a_package_with_test_files_that_import_node_test(node_project: Write) -> None:
    own = "import test from 'node:test';"
    root = node_project(
        {
            "package.json": "{}",
            "a.test.mjs": own,
            "test/anything.js": "const { test } = require('node:test');",
            "b.test.js": "test('is for Jest', () => {});",
            "src/helper.js": own,
            "packages/one/package.json": "{}",
            "packages/one/test-c.cjs": "const test = require('node:test');",
        }
    )
    project = Project.at(root)

    suites = {project.name_of(suite.root): suite.files for suite in NodeTestAdapter(project).suites(project)}

    assert suites == {
        ".": (root / "a.test.mjs", root / "test/anything.js"),
        "packages/one": (root / "packages/one/test-c.cjs",),
    }


def test_outcomes_and_counts_are_node_tests_own(node_project: Write, run_with: Run, node: str) -> None:
    root = node_project({"cart.test.mjs": CART})

    seen = run_with(NodeTestAdapter, root)

    assert seen.outcomes == {
        "cart.test.mjs::passes": "passed",
        "cart.test.mjs::fails": "failed",
        "cart.test.mjs::group › is skipped": "skipped",
        "cart.test.mjs::group › is to be written": "skipped",
        "cart.test.mjs::group › has a twin": "passed",
        "cart.test.mjs::group › has a twin #2": "failed",
        "cart.test.mjs::group › deeper › passes": "passed",
        "cart.test.mjs::has subtests › one that passes": "passed",
        "cart.test.mjs::has subtests": "passed",
        "cart.test.mjs::takes too long": "timeout",
    }
    assert not seen.problems
    assert seen.case("::fails").line == 5
    assert "1 + 1" in seen.last("::fails").message or "2 == 3" in seen.last("::fails").message
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap"], cwd=root, capture_output=True, text=True, check=False
    )
    report = {name: int(count) for name, count in re.findall(r"^# (\w+) (\d+)$", done.stdout, re.MULTILINE)}
    counts = Counter(seen.outcomes.values())
    assert sum(counts.values()) == report["tests"]
    assert counts["passed"] == report["pass"]
    assert counts["failed"] + counts["timeout"] == report["fail"] + report["cancelled"]
    assert counts["skipped"] == report["skipped"] + report["todo"]


def test_a_file_without_a_result_is_never_passed_and_the_others_still_run(node_project: Write, run_with: Run) -> None:
    start = "import test from 'node:test';\n"
    root = node_project(
        {
            "broken.test.mjs": f"{start}const = 3;\n",
            "empty.test.mjs": start,
            "exits.test.mjs": f"{start}test('x', () => {{}}); test('exits', () => {{ process.exit(0); }});",
            "aborts.test.mjs": f"{start}test('aborts', () => {{ process.abort(); }});",
            "good.test.mjs": f"{start}test('works', () => {{}});",
        }
    )

    seen = run_with(NodeTestAdapter, root)

    assert seen.outcomes == {
        "aborts.test.mjs": "crashed",
        "broken.test.mjs": "error",
        "empty.test.mjs": "no_verdict",
        "exits.test.mjs": "no_verdict",
        "good.test.mjs::works": "passed",
    }
    assert "broken.test.mjs:2" in seen.last("broken.test.mjs").message
    assert seen.last("aborts.test.mjs").reason == "signal_6"


def test_an_early_exit_takes_the_tests_that_were_declared_with_it(node_project: Write, run_with: Run) -> None:
    root = node_project(
        {
            "a.test.mjs": """
                import test from 'node:test';
                const nap = () => new Promise((resolve) => setTimeout(resolve, 100));
                test('works', nap);
                test('exits', async () => { await nap(); process.exit(0); });
                test('comes after', () => {});
            """
        }
    )

    seen = run_with(NodeTestAdapter, root)

    assert seen.outcomes == {
        "a.test.mjs::works": "passed",
        "a.test.mjs::exits": "no_verdict",
        "a.test.mjs::comes after": "no_verdict",
    }
    assert seen.last("comes after").reason == "did_not_run"


def test_failing_hooks_are_errors_of_their_group(node_project: Write, run_with: Run) -> None:
    root = node_project(
        {
            "a.test.mjs": """
                import { after, before, describe, it } from 'node:test';
                const fail = (why) => () => { throw new Error(why); };
                describe('before', () => { before(fail('no database')); it('held up', () => {}); });
                describe('after', () => { after(fail('cannot clean up')); it('works', () => {}); });
            """
        }
    )

    seen = run_with(NodeTestAdapter, root)

    assert seen.outcomes == {
        "a.test.mjs::before": "error",
        "a.test.mjs::before › held up": "error",
        "a.test.mjs::after": "error",
        "a.test.mjs::after › works": "passed",
    }
    assert "no database" in seen.last("::before").message


def test_overlong_tests_end_with_their_file_only(node_project: Write, run_with: Run) -> None:
    start = "import test from 'node:test'; const nap = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n"
    root = node_project(
        {
            "loops.test.mjs": f"{start}test('loops', () => {{ for (;;); }});",
            "sleeps.test.mjs": f"""{start}
                test('a', () => nap(700));
                test('b', () => nap(700));
                test('long', () => nap(60000));
            """,
            "good.test.mjs": f"{start}test('works', () => {{}});",
        }
    )

    seen = run_with(NodeTestAdapter, root, RunRequest(test_seconds=1.2))

    assert seen.outcomes == {
        "loops.test.mjs": "timeout",
        "sleeps.test.mjs::a": "passed",
        "sleeps.test.mjs::b": "passed",
        "sleeps.test.mjs::long": "timeout",
        "good.test.mjs::works": "passed",
    }
    assert not seen.problems


def test_only_the_named_tests_are_reported_and_failures_beside_them_do_not_count(
    node_project: Write, run_with: Run
) -> None:
    root = node_project({"cart.test.mjs": CART, "other.test.mjs": CART})
    wanted = (
        _case("cart.test.mjs", "group", "deeper", "passes"),
        _case("cart.test.mjs", "has subtests", "one that passes"),
    )

    seen = run_with(NodeTestAdapter, root, RunRequest(only=wanted))

    assert seen.outcomes == {
        "cart.test.mjs::group › deeper › passes": "passed",
        "cart.test.mjs::has subtests › one that passes": "passed",
    }
    assert not seen.problems


def test_globs_select_by_id_or_name(node_project: Write, run_with: Run) -> None:
    root = node_project({"cart.test.mjs": CART})

    seen = run_with(NodeTestAdapter, root, RunRequest(select=("*deeper*", "node:cart.test.mjs::passes")))

    assert sorted(seen.outcomes) == ["cart.test.mjs::group › deeper › passes", "cart.test.mjs::passes"]
    assert not seen.problems


def test_paths_and_shards_choose_files(node_project: Write, run_with: Run) -> None:
    works = "import test from 'node:test'; test('works', () => {});"
    root = node_project({"a/one.test.mjs": works, "b/two.test.mjs": works})

    only_a = run_with(NodeTestAdapter, root, RunRequest(paths=(root / "a",)))
    halves = [run_with(NodeTestAdapter, root, RunRequest(shard=Shard(index, 2))).outcomes for index in (1, 2)]

    assert sorted(only_a.outcomes) == ["a/one.test.mjs::works"]
    assert sorted([*halves[0], *halves[1]]) == ["a/one.test.mjs::works", "b/two.test.mjs::works"]
    assert len(halves[0]) == 1


def _case(file: str, *title: str) -> TestCase:
    return TestCase(Framework.NODE, file, title, native_id=file)
