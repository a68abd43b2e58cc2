"""The output of a whole run, cut into its failures: real runs where the runner is at hand, its form where it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from testwright.classify.failure_text.failure_splitter import TestText, split_failures


def run(*command: object, cwd: Path) -> str:
    env = {**os.environ, "NO_COLOR": "1", "CI": "1"}
    env.pop("FORCE_COLOR", None)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False, env=env, timeout=120
    )
    return done.stdout + done.stderr


def told(failures: list[TestText]) -> list[tuple[str, str, int]]:
    return [(each.name, Path(each.file).name, each.line) for each in failures]


# --- real runs -------------------------------------------------------------------------------------

_PYTHON = """\
import pytest

@pytest.fixture
def till():
    raise RuntimeError("locked")

def test_adds():
    assert 1 + 2 == 4

class TestCart:
    def test_empty(self):
        print("  1) [chromium] › a.spec.ts:1:1 › imitated")
        print("  ● imitated › too")
        assert 0 is None

def test_pays(till):
    pass
"""


@pytest.fixture(scope="module")
def python_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python")
    (folder / "test_shop.py").write_text(_PYTHON, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return folder


def test_failures_of_pytest(python_suite: Path) -> None:
    text = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", cwd=python_suite)
    failures = split_failures(text)

    assert told(failures) == [
        ("test_pays", "test_shop.py", 5),
        ("test_adds", "test_shop.py", 8),
        ("TestCart.test_empty", "test_shop.py", 14),
    ]
    assert "locked" in failures[0].text
    assert "locked" not in failures[1].text
    assert all(text[each.start :].startswith(each.text) for each in failures)


def test_failures_of_pytest_in_short(python_suite: Path) -> None:
    text = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--tb=no", cwd=python_suite)

    assert [(each.name, each.file) for each in split_failures(text)] == [
        ("test_adds", "test_shop.py"),
        ("TestCart::test_empty", "test_shop.py"),
        ("test_pays", "test_shop.py"),
    ]


_NODE = """\
import { describe, it } from 'node:test'
import assert from 'node:assert/strict'
describe('cart', () => {
  it('adds', () => { assert.equal(1 + 2, 4) })
  it('pays', () => { null.x })
})
"""


@pytest.mark.needs_node
@pytest.mark.parametrize("reporter", ["spec", "tap"])
def test_failures_of_node(tmp_path: Path, node: str, reporter: str) -> None:
    (tmp_path / "shop.test.mjs").write_text(_NODE, encoding="utf-8")
    failures = split_failures(run(node, "--test", f"--test-reporter={reporter}", "shop.test.mjs", cwd=tmp_path))

    assert told(failures) == [("adds", "shop.test.mjs", 4), ("pays", "shop.test.mjs", 5)]
    assert "3 !== 4" in failures[0].text
    assert "3 !== 4" not in failures[1].text


_VITEST = """\
import { describe, expect, it } from 'vitest'
describe('cart', () => {
  it('adds', () => { expect(1 + 2).toBe(4) })
  it('pays', () => { console.log(' FAIL  a.test.ts > imitated'); expect('● cart › adds').toBe('paid') })
})
"""


@pytest.mark.needs_node
def test_failures_of_vitest(tmp_path: Path, node: str, node_modules: Path) -> None:
    (tmp_path / "shop.test.ts").write_text(_VITEST, encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(node_modules)
    text = run(node, node_modules / "vitest/vitest.mjs", "run", cwd=tmp_path)

    assert [each for each in told(split_failures(text, "vitest")) if each[1] == "shop.test.ts"] == [
        ("cart > adds", "shop.test.ts", 3),
        ("cart > pays", "shop.test.ts", 4),
    ]


_JEST = """\
describe('cart', () => {
  it('adds', () => { expect(1 + 2).toBe(4) })
  it('pays', () => { console.log('● imitated › test'); expect('● cart › adds').toBe('paid') })
})
"""


@pytest.mark.needs_node
def test_failures_of_jest(tmp_path: Path, node: str, node_modules: Path) -> None:
    (tmp_path / "shop.test.js").write_text(_JEST, encoding="utf-8")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(node_modules)
    text = run(node, node_modules / "jest/bin/jest.js", cwd=tmp_path)

    assert told(split_failures(text)) == [("cart › adds", "shop.test.js", 2), ("cart › pays", "shop.test.js", 3)]


_PLAYWRIGHT = """\
import { expect, test } from '@playwright/test'
test.describe('cart', () => {
  test('adds', async () => { expect(1 + 2).toBe(4) })
  test('pays', async () => { expect('1) [chromium] › x.spec.ts:1:1 › fake').toBe('paid') })
})
"""


@pytest.mark.needs_node
def test_failures_of_playwright(tmp_path: Path, node: str, node_modules: Path) -> None:
    (tmp_path / "shop.spec.ts").write_text(_PLAYWRIGHT, encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(node_modules)
    text = run(node, node_modules / "@playwright/test/cli.js", "test", "--reporter=list", "--retries=1", cwd=tmp_path)
    failures = split_failures(text)

    assert told(failures) == [("cart › adds", "shop.spec.ts", 3), ("cart › pays", "shop.spec.ts", 4)]
    assert "Retry #1" in failures[0].text
    assert failures[1].text.rstrip().endswith("error-context.md")


# --- Flutter, in its form --------------------------------------------------------------------------

_FLUTTER = """\
00:00 +0: loading /home/dev/shop/test/cart_test.dart
00:01 +0: /home/dev/shop/test/cart_test.dart: cart adds
00:01 +0 -1: /home/dev/shop/test/cart_test.dart: cart adds [E]
  Expected: <4>
    Actual: <3>
  package:matcher                 expect
  test/cart_test.dart 8:5         main.<fn>.<fn>

00:01 +0 -1: /home/dev/shop/test/cart_test.dart: shows the total
══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═══════════════════════
The following TestFailure was thrown running a test:
Expected: exactly one matching candidate
  Actual: _TextWidgetFinder:<Found 0 widgets with text "4": []>

#4      main.<anonymous closure> (file:///home/dev/shop/test/cart_test.dart:21:5)

The test description was:
  shows the total
═══════════════════════════════════════════════════════════════════════
00:02 +0 -2: /home/dev/shop/test/cart_test.dart: shows the total [E]
  Test failed. See exception logs above.
  The test description was: shows the total

00:02 +0 -2: Some tests failed.
"""


def test_failures_of_flutter() -> None:
    failures = split_failures(_FLUTTER)

    assert told(failures) == [("cart adds", "cart_test.dart", 8), ("shows the total", "cart_test.dart", 21)]
    assert "Found 0 widgets" in failures[1].text
    assert "Found 0 widgets" not in failures[0].text


def test_an_exception_whose_test_is_not_named_is_a_failure_too() -> None:
    block = "══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞═══\nThe following TillError was thrown:\nlate\n"

    assert [each.text for each in split_failures(block)] == [block]


# --- one, none, and many ---------------------------------------------------------------------------


def test_a_text_without_marks_is_one_failure() -> None:
    assert split_failures("Error: late") == [TestText("", "", 0, "Error: late")]


@pytest.mark.parametrize("text", ["", "  ", "\n\n"])
def test_nothing_is_not_a_failure(text: str) -> None:
    assert split_failures(text) == []


def test_one_failure_keeps_all_that_was_said_around_it() -> None:
    text = "lib/a.dart:1:2: Error: no\n00:01 +0 -1: loading /home/dev/test/a_test.dart [E]\n  Failed to load\n"

    assert [(each.name, each.text) for each in split_failures(text)] == [("/home/dev/test/a_test.dart", text)]


def test_tests_that_failed_with_one_error_each_have_it() -> None:
    text = (
        "⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯\n\n FAIL  a.test.ts > one\n FAIL  a.test.ts > two\nError: late\n ❯ a.test.ts:3:1\n\n"
        " Test Files  1 failed (1)\n"
    )

    assert [(each.name, "Error: late" in each.text) for each in split_failures(text)] == [("one", True), ("two", True)]


def test_the_outermost_runner_counts() -> None:
    inner = "FAIL ./a.test.js\n  ● cart › adds\n\n    Error: late\n\n  ● cart › pays\n\n    Error: late\n"
    outer = (
        f"=== FAILURES ===\n____ test_a ____\nE   ValueError: no\n{inner}\ntests/test_a.py:4: ValueError\n"
        "____ test_b ____\nE   ValueError: no\n\ntests/test_a.py:9: ValueError\n=== 2 failed in 0.1s ===\n"
    )

    assert [each.name for each in split_failures(outer)] == ["test_a", "test_b"]
    assert [each.name for each in split_failures(inner)] == ["cart › adds", "cart › pays"]


def test_a_framework_that_is_named_counts_first() -> None:
    text = "  ● cart › adds\n\n  Error: late\n\n____ test_a ____\nE   ValueError: no\n"

    assert [each.name for each in split_failures(text, "pytest")] == ["test_a"]
    assert [each.name for each in split_failures(text, "jest")] == ["cart › adds"]


def test_colours_do_not_hide_a_failure() -> None:
    text = "\x1b[31m  ● cart › adds\x1b[39m\n\n    late\n\n\x1b[31m  ● cart › pays\x1b[39m\n\n    late\n"

    assert [each.name for each in split_failures(text)] == ["cart › adds", "cart › pays"]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "\n" * 1_000_000 + "Error: late",
        "  1) [a] › b.spec.ts:1:1 › c\n" * 30_000,
        "  ● cart › adds\n" * 60_000,
        "not ok 1 - a\n" * 70_000,
        "_" * 1_000_000,
        "____ a ____\n" * 80_000,
        "FAIL  " + "a" * 1_000_000,
        "00:00 +0 -1: a [E]\n" * 50_000,
        "(" * 500_000 + "\n" + "[" * 500_000,
    ],
)
def test_a_hostile_text_is_cut_into_a_bounded_number(text: str) -> None:
    assert 1 <= len(split_failures(text)) <= 1000
