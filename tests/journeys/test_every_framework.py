"""One command over a tree that holds all six frameworks: each runner's own counts, found again later."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import CommandLine
from tests.postgres import PostgresServer

pytestmark = [pytest.mark.needs_node, pytest.mark.needs_chromium]

FILES = {
    "backend/pytest.ini": "[pytest]\n",
    "backend/test_sums.py": (
        "import pytest\n"
        "def test_adds(): assert 1 + 1 == 2\n"
        "@pytest.mark.parametrize('n', [1, 2, 3])\n"
        "def test_is_small(n): assert n < 3\n"
        "@pytest.mark.skip\n"
        "def test_rests(): pass\n"
    ),
    "shop/playwright.config.ts": (
        "import { defineConfig } from '@playwright/test';\n"
        "export default defineConfig({ workers: 1, use: {\n"
        "  launchOptions: { executablePath: process.env.TESTWRIGHT_CHROMIUM } } });\n"
    ),
    "shop/tests/page.spec.ts": (
        "import { expect, test } from '@playwright/test';\n"
        "test('shows a heading', async ({ page }) => {\n"
        "  await page.setContent('<h1>Tea</h1>');\n"
        "  await expect(page.getByRole('heading')).toHaveText('Tea');\n"
        "});\n"
        "test('is wrong about it', async ({ page }) => {\n"
        "  await page.setContent('<h1>Tea</h1>');\n"
        "  await expect(page.getByRole('heading')).toHaveText('Coffee', { timeout: 200 });\n"
        "});\n"
        "test.skip('rests', async () => {});\n"
    ),
    "vite/package.json": '{"name": "vite-part", "type": "module", "devDependencies": {"vitest": "*"}}',
    "vite/vitest.config.mjs": "export default { test: { include: ['*.test.mjs'] } };\n",
    "vite/sums.test.mjs": (
        "import { describe, expect, it } from 'vitest';\n"
        "describe('sums', () => {\n"
        "  it('add up', () => expect(1 + 1).toBe(2));\n"
        "  it('are wrong', () => expect(1 + 1).toBe(3));\n"
        "  it.skip('rest', () => {});\n"
        "});\n"
    ),
    "jest/package.json": '{"name": "jest-part", "devDependencies": {"jest": "*"}}',
    "jest/jest.config.js": "module.exports = { rootDir: __dirname };\n",
    "jest/sums.test.js": (
        "describe('sums', () => {\n"
        "  test('add up', () => expect(1 + 1).toBe(2));\n"
        "  test('are wrong', () => expect(1 + 1).toBe(3));\n"
        "  test.skip('rest', () => {});\n"
        "});\n"
    ),
    "plain/package.json": '{"name": "plain-part", "scripts": {"test": "node --test"}}',
    "plain/sums.test.mjs": (
        "import assert from 'node:assert';\n"
        "import test from 'node:test';\n"
        "test('add up', () => assert.equal(1 + 1, 2));\n"
        "test('are wrong', () => assert.equal(1 + 1, 3));\n"
        "test('rest', { skip: true }, () => {});\n"
    ),
    "agent/skills/greet/SKILL.md": "# Greet\n",
    "agent/tests/greet.tests.mjs": "export default () => ({ passed: 2, failed: 0, errors: [] });\n",
    "agent/skills/sort/SKILL.md": "# Sort\n",
    "agent/tests/sort_tests.py": "def run_tests():\n    return {'passed': 1, 'failed': 1, 'errors': ['mixed up']}\n",
}

Tally = dict[str, int]


def planted(root: Path, node_modules: Path) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "node_modules").symlink_to(node_modules)
    return root


@pytest.fixture
def tree(tmp_path: Path, node_modules: Path) -> Path:
    return planted(tmp_path, node_modules)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory, node_modules: Path, chromium: str) -> dict[str, Tally]:
    """What each runner counts by itself."""
    root = planted(tmp_path_factory.mktemp("tree"), node_modules)
    return {
        "pytest": pytest_itself(root / "backend"),
        "playwright": playwright_itself(root / "shop", {"TESTWRIGHT_CHROMIUM": chromium}),
        "vitest": jest_shaped(root / "vite", "vitest/vitest.mjs", "run", "--reporter=json"),
        "jest": jest_shaped(root / "jest", "jest/bin/jest.js", "--json"),
        "node": node_itself(root / "plain"),
        "skill": {"passed": 1, "failed": 1},
    }


@pytest.fixture
def env(chromium: str) -> dict[str, str]:
    return {"TESTWRIGHT_CHROMIUM": chromium}


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.needs_postgres)])
def test_one_run_counts_what_each_runner_counts_and_is_found_again(
    testwright: CommandLine,
    tree: Path,
    counted: dict[str, Tally],
    env: dict[str, str],
    database: str,
    request: pytest.FixtureRequest,
) -> None:
    if database == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        env["TESTWRIGHT_STORE"] = server.fresh_url()

    said = testwright("run", "--json", env=env)

    assert said.code == 1
    seen = {suite["framework"]: tally(suite["results"]) for suite in said.json["suites"]}
    assert not [problem for suite in said.json["suites"] for problem in suite["problems"]]
    assert seen == counted

    (remembered,) = testwright("report", "runs", "--json", env=env).json
    assert remembered["total"] == sum(sum(tally.values()) for tally in seen.values())
    again = testwright("report", "run", remembered["id"], "--json", env=env).json
    assert {suite["framework"]: tally(suite["results"]) for suite in again["suites"]} == seen
    tests = testwright("report", "tests", "--json", env=env).json
    assert tally([{"outcome": test["last_outcome"]} for test in tests]) == sum_of(seen)
    one = testwright("report", "test", "is wrong about it", "--json", env=env).json
    assert [entry["outcome"] for entry in one["entries"]] == ["failed"]


def test_only_what_failed_runs_again_in_every_framework(
    testwright: CommandLine, tree: Path, env: dict[str, str]
) -> None:
    testwright("run", env=env)

    again = testwright("run", "--last-failed", "--json", env=env).json

    assert {suite["framework"]: tally(suite["results"]) for suite in again["suites"]} == {
        framework: {"failed": 1} for framework in ("pytest", "playwright", "vitest", "jest", "node", "skill")
    }


def tally(results: list[dict[str, Any]]) -> Tally:
    return dict(Counter(result["outcome"] for result in results))


def sum_of(tallies: dict[str, Tally]) -> Tally:
    return dict(sum((Counter(one) for one in tallies.values()), Counter()))


def itself(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> str:
    """What a runner prints when nobody stands between it and its user."""
    plain = {name: value for name, value in os.environ.items() if name not in ("CI", "FORCE_COLOR", "NODE_OPTIONS")}
    return subprocess.run(
        command, cwd=cwd, env={**plain, **(env or {})}, capture_output=True, text=True, check=False
    ).stdout


def pytest_itself(folder: Path) -> Tally:
    itself([sys.executable, "-m", "pytest", "--junitxml=own.xml", "-p", "no:cacheprovider"], folder)
    counted = ET.parse(folder / "own.xml").getroot()[0]
    failed, skipped = int(counted.get("failures", 0)), int(counted.get("skipped", 0))
    return {"passed": int(counted.get("tests", 0)) - failed - skipped, "failed": failed, "skipped": skipped}


def playwright_itself(folder: Path, env: dict[str, str]) -> Tally:
    cli = folder.parent / "node_modules" / "@playwright" / "test" / "cli.js"
    stats = json.loads(itself(["node", str(cli), "test", "--reporter=json"], folder, env))["stats"]
    return {"passed": stats["expected"], "failed": stats["unexpected"], "skipped": stats["skipped"]}


def jest_shaped(folder: Path, script: str, *arguments: str) -> Tally:
    program = folder.parent / "node_modules" / script
    report = json.loads(itself(["node", str(program), *arguments], folder))
    return {
        "passed": report["numPassedTests"],
        "failed": report["numFailedTests"],
        "skipped": report["numPendingTests"],
    }


def node_itself(folder: Path) -> Tally:
    lines = itself(["node", "--test", "--test-reporter=tap"], folder).splitlines()
    counts = {
        line.split()[1]: int(line.split()[2]) for line in lines if line.startswith(("# pass", "# fail", "# skip"))
    }
    return {"passed": counts["pass"], "failed": counts["fail"], "skipped": counts["skipped"]}
