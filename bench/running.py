"""What `testwright run` costs beside the runners it drives."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, compared, wall

TESTWRIGHT = Path(sys.executable).with_name("testwright")
WEB_SHOP = Path(__file__).parents[1] / "examples" / "web-shop"


def figures(folder: Path) -> Iterator[Figure]:
    yield from _pytest(folder / "pytest-500")
    yield from _playwright(folder / "playwright-20")


def _pytest(project: Path) -> Iterator[Figure]:
    for number in range(25):
        tests = "\n\n".join(f"def test_{i}():\n    assert {i} + 1 == {i + 1}" for i in range(20))
        _write(project / "tests" / f"test_part_{number}.py", tests + "\n")
    seen = compared(
        lambda: wall([sys.executable, "-m", "pytest"], project), lambda: wall([TESTWRIGHT, "run"], project), rounds=15
    )
    yield Figure(
        "testwright run over pytest, 500 trivial tests",
        seen.ratio,
        1.15,
        "x",
        detail=f"({seen.second:.2f} s / {seen.first:.2f} s)",
    )


def _playwright(project: Path) -> Iterator[Figure]:
    env = playwright_project(project, 20)
    playwright = ["node", "node_modules/@playwright/test/cli.js", "test"]
    seen = compared(
        lambda: wall(playwright, project, env=env), lambda: wall([TESTWRIGHT, "run"], project, env=env), rounds=5
    )
    yield Figure(
        "testwright run over playwright test, 20 tests",
        seen.ratio,
        1.10,
        "x",
        detail=f"({seen.second:.2f} s / {seen.first:.2f} s)",
    )


def playwright_project(project: Path, tests: int) -> dict[str, str]:
    """A project with that many passing browser tests; the environment to run it in."""
    from testwright.run.external_programs import find_chromium

    (project / "tests").mkdir(parents=True)
    (project / "node_modules").symlink_to(WEB_SHOP / "node_modules")
    _write(project / "package.json", '{"name": "bench", "private": true}\n')
    _write(
        project / "playwright.config.ts",
        "import { defineConfig } from '@playwright/test';\n"
        "export default defineConfig({ testDir: 'tests', workers: 1, use: {\n"
        "  launchOptions: { executablePath: process.env.TESTWRIGHT_CHROMIUM } } });\n",
    )
    body = "\n".join(
        f"test('page {i} shows its number', async ({{ page }}) => {{\n"
        f"  await page.setContent('<h1>{i}</h1>');\n"
        f"  await expect(page.locator('h1')).toHaveText('{i}');\n}});"
        for i in range(tests)
    )
    _write(project / "tests" / "pages.spec.ts", "import { expect, test } from '@playwright/test';\n" + body + "\n")
    return {"TESTWRIGHT_CHROMIUM": str(find_chromium(os.environ))}


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
