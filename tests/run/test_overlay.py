"""Trying tests on a copy of their project."""

import os
import sys
from pathlib import Path

import pytest

from testwright.isolate.limits import Limits
from testwright.model.case import Framework, TestCase
from testwright.model.errors import OverlayTooLarge, PathNotAllowed, UsageError
from testwright.model.events import AttemptFinished
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt
from testwright.run import overlay as overlaying
from testwright.run.driver import Driver
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.playwright_test import PlaywrightAdapter
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.frameworks.vitest import VitestAdapter
from testwright.run.overlay import overlay, rerun_on, traced_rerun
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite

from .conftest import CLEAN, PYTHON, Write


def run_all(planned: PlannedSuite, root: Path, env: dict[str, str]) -> dict[str, Attempt]:
    driver = Driver(Project.at(root), {**os.environ, **CLEAN, **env}, Limits())
    events = driver.run(planned.adapter, planned.suite, planned.request)
    return {str(event.case.id): event.attempt for event in events if isinstance(event, AttemptFinished)}


def test_the_copy_has_the_new_content_and_the_project_stays_as_it_was(project: Write) -> None:
    root = project({"a.txt": "old", "deep/b.txt": "same"})

    with overlay(root, root, {"a.txt": b"new", "deep/more/c.txt": b"added"}) as copy:
        assert (copy / "deep/more/c.txt").read_bytes() == b"added"
        assert (copy / "a.txt").read_bytes() == b"new"
        assert (copy / "deep/b.txt").read_text() == "same"
        (copy / "deep/b.txt").write_text("written by a test")

    assert not copy.exists()
    assert (root / "a.txt").read_text() == "old"
    assert (root / "deep/b.txt").read_text() == "same"


def test_packages_and_environments_are_linked_and_leavings_left_out(project: Write) -> None:
    root = project(
        {
            "node_modules/a/index.js": "",
            ".git/HEAD": "",
            "own-env/pyvenv.cfg": "",
            "src/__pycache__/m.pyc": "",
            "test-results/trace.zip": "",
            "src/m.py": "",
        }
    )

    with overlay(root, root, {}) as copy:
        links = sorted(path.name for path in copy.iterdir() if path.is_symlink())
        assert links == [".git", "node_modules", "own-env"]
        assert not (copy / "test-results").exists()
        assert [path.name for path in (copy / "src").iterdir()] == ["m.py"]

    assert (root / "node_modules/a/index.js").exists()


def test_links_lead_into_the_copy_where_they_led_into_the_project(project: Write, tmp_path: Path) -> None:
    root = project({"real.txt": "old"})
    (tmp_path / "outside.txt").write_text("outside")
    (root / "absolute").symlink_to(root / "real.txt")
    (root / "relative").symlink_to("real.txt")
    (root / "out").symlink_to("../outside.txt")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")

    with overlay(root, root, {"real.txt": b"new"}) as copy:
        assert (copy / "absolute").read_text() == (copy / "relative").read_text() == "new"
        assert (copy / "out").read_text() == "outside"
        assert not (copy / "pipe").exists()


@pytest.mark.parametrize("name", ["../a.txt", "/tmp/a.txt", "node_modules/a.js", "linked/a.txt", ""])
def test_nothing_outside_of_the_copy_is_written(name: str, project: Write, tmp_path: Path) -> None:
    root = project({"node_modules/a.js": "theirs"})
    (tmp_path / "elsewhere").mkdir()
    (root / "linked").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(PathNotAllowed, match="does not lie in the project"), overlay(root, root, {name: b"x"}):
        pass

    assert (root / "node_modules/a.js").read_text() == "theirs"
    assert not (tmp_path / "elsewhere/a.txt").exists()


def test_a_changed_file_that_was_a_link_is_a_file_of_the_copy(project: Write, tmp_path: Path) -> None:
    root = project({})
    (tmp_path / "outside.txt").write_text("outside")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")

    with overlay(root, root, {"link.txt": b"new"}) as copy:
        assert (copy / "link.txt").read_bytes() == b"new"

    assert (tmp_path / "outside.txt").read_text() == "outside"


def test_a_project_that_is_too_large_is_refused(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlaying, "MOST_FILES", 3)
    root = project({f"{number}.txt": "" for number in range(4)})

    with pytest.raises(OverlayTooLarge, match="more than 3 files") as caught, overlay(root, root, {}):
        pass

    assert caught.value.next_step


def test_of_a_large_project_only_the_suite_and_what_changes_is_copied(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlaying, "MOST_FILES", 3)
    large = {f"data/{number}.txt": "" for number in range(4)}
    root = project({"web/tests/a.txt": "", "shared/pages/p.txt": "old", **large})

    with overlay(root, root / "web", {"shared/pages/p.txt": b"new"}) as copy:
        assert (copy / "data").is_symlink()
        assert not (copy / "web").is_symlink()
        assert (copy / "shared/pages/p.txt").read_bytes() == b"new"

    assert (root / "shared/pages/p.txt").read_text() == "old"


def test_pytest_tests_keep_their_ids_and_write_into_the_copy(project: Write) -> None:
    root = project(
        {
            "web/pytest.ini": "[pytest]\n",
            "web/words.py": "WORD = 'old'\n",
            "web/test_a.py": (
                "from pathlib import Path\nimport words\n\n"
                "def test_word():\n    Path('note.txt').write_text('x')\n    assert words.WORD == 'new'\n\n"
                "def test_other():\n    assert False\n"
            ),
        }
    )
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").symlink_to(PYTHON)
    before = Project.at(root)
    adapter = PytestAdapter(before)
    planned = PlannedSuite(adapter, adapter.suites(before)[0], RunRequest(coverage_file=root / "cov", fail_fast=True))
    first = run_all(planned._replace(request=RunRequest()), root, {})
    (root / "web/note.txt").unlink()
    case = TestCase(Framework.PYTEST, "web/test_a.py", ("test_word",))

    with overlay(root, planned.suite.root, {"web/words.py": b"WORD = 'new'\n"}) as copy:
        again = rerun_on(copy, planned, [case])
        second = run_all(again, copy, {"PYTHONPATH": os.pathsep.join(sys.path)})

    assert first["pytest:web/test_a.py::test_word"].outcome is Outcome.FAILED
    assert {id_: attempt.outcome for id_, attempt in second.items()} == {case.id: Outcome.PASSED}
    assert not (root / "web/note.txt").exists()


@pytest.mark.needs_node
def test_playwright_tests_are_run_on_the_copy_and_reports_stay(project: Write, node_modules: Path) -> None:
    own_report = project({}) / "own.json"
    root = project(
        {
            "web/playwright.config.ts": (
                "import { defineConfig } from '@playwright/test';\n"
                f"export default defineConfig({{ reporter: [['json', {{ outputFile: '{own_report}' }}]] }});\n"
            ),
            "web/tests/a.spec.ts": (
                "import { test, expect } from '@playwright/test';\nimport { WORD } from './words';\n"
                "test('word', () => { expect(WORD).toBe('new'); });\n"
            ),
            "web/tests/words.ts": "export const WORD = 'old';\n",
            "own.json": "the report of the run before",
        }
    )
    (root.parent / "node_modules").symlink_to(node_modules)  # above the project, as in a workspace
    before = Project.at(root)
    adapter = PlaywrightAdapter(before)
    planned = PlannedSuite(adapter, adapter.suites(before)[0], RunRequest())
    case = TestCase(Framework.PLAYWRIGHT, "web/tests/a.spec.ts", ("word",))

    with overlay(root, planned.suite.root, {"web/tests/words.ts": b"export const WORD = 'new';\n"}) as copy:
        attempts = run_all(rerun_on(copy, planned, [case]), copy, {})

    assert {id_: attempt.outcome for id_, attempt in attempts.items()} == {case.id: Outcome.PASSED}
    assert (root / "own.json").read_text() == "the report of the run before"
    assert sorted(path.name for path in (root / "web").iterdir()) == ["playwright.config.ts", "tests"]


@pytest.mark.needs_node
@pytest.mark.needs_chromium
def test_a_second_look_brings_a_trace_and_leaves_what_the_first_one_left(
    project: Write, node_modules: Path, chromium: str, tmp_path: Path
) -> None:
    root = project(
        {
            "playwright.config.ts": (
                "import { defineConfig } from '@playwright/test';\n"
                "export default defineConfig({ use: { actionTimeout: 200, launchOptions: { executablePath: "
                "process.env.CHROMIUM } }, reporter: [['json', { outputFile: 'own.json' }]] });\n"
            ),
            "tests/a.spec.ts": (
                "import { test } from '@playwright/test';\n"
                "test('pays', async ({ page }) => { await page.setContent('<p>x'); await page.click('#pay'); });\n"
            ),
        }
    )
    (root / "node_modules").symlink_to(node_modules)
    found = Project.at(root)
    adapter = PlaywrightAdapter(found)
    planned = PlannedSuite(adapter, adapter.suites(found)[0], RunRequest())
    first = run_all(planned, root, {"CHROMIUM": chromium})["playwright:tests/a.spec.ts::pays"]
    report = (root / "own.json").read_bytes()
    case = TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("pays",))

    looked = run_all(traced_rerun(planned, [case], tmp_path / "aside"), root, {"CHROMIUM": chromium})

    [attempt] = looked.values()
    [trace] = [artifact for artifact in attempt.artifacts if artifact.name == "trace"]
    assert attempt.outcome is Outcome.FAILED
    assert Path(trace.path).is_file()
    assert Path(trace.path).is_relative_to(tmp_path / "aside")
    assert [(root / artifact.path).is_file() for artifact in first.artifacts] == [True]
    assert (root / "own.json").read_bytes() == report


def test_other_frameworks_are_not_run_on_a_copy(project: Write) -> None:
    root = project({"vitest.config.ts": "", "a.test.ts": "import { test } from 'vitest';"})
    found = Project.at(root)
    adapter = VitestAdapter(found)

    with pytest.raises(UsageError, match="vitest"):
        rerun_on(root, PlannedSuite(adapter, adapter.suites(found)[0], RunRequest()), [])
