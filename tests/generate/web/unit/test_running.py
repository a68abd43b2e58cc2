"""Generated unit tests, really run: a guard is red while the bug is there and green once it is mended."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from testwright.generate.web.unit.runner_calls import JEST, VITEST, RunnerCalls
from testwright.generate.web.unit.unit_writer import write_unit_test
from testwright.generate.web.web_plan import Polarity
from testwright.model.errors import ReproNotPossible
from testwright.pipeline.web.project_sources import FolderSources

from .apps import APPS, CALL, HANDLER, PROMISE, SHADOW, TYPED, as_commonjs
from .recordings import Recording

pytestmark = pytest.mark.needs_node

BUILDS = ("buggy", "fixed")
IN_ALL_POLARITIES = (CALL, HANDLER, PROMISE)
# All files share one page here, for speed, and a page defines an element once: both builds cannot have theirs.
IN_VITEST = (*(app for app in APPS if app is not SHADOW), TYPED)
_NOT_FOR_CHILDREN = ("CI", "FORCE_COLOR", "NODE_OPTIONS")


@dataclass(frozen=True)
class Ran:
    """What a runner said about every generated file, by build and file."""

    results: dict[str, Any]
    levels: dict[str, str]

    def outcome(self, build: str, app: Recording, polarity: Polarity = Polarity.GUARD) -> str:
        return str(self._result(build, app, polarity)["status"])

    def why(self, build: str, app: Recording, polarity: Polarity = Polarity.GUARD) -> str:
        return "\n".join(self._result(build, app, polarity)["failureMessages"])

    def _result(self, build: str, app: Recording, polarity: Polarity) -> Any:
        return self.results[f"{build}/{app.name}/tests/{polarity.value}"]


def _write(root: Path, app: Recording, runner: RunnerCalls, package: str) -> str:
    """The test is written for the buggy build, and lies in both."""
    for build in BUILDS:
        folder = root / build / app.name
        for file, text in {**getattr(app, build), "package.json": package}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
    sources = FolderSources(root / "buggy" / app.name)
    level = ""
    for polarity in Polarity if app.name in [one.name for one in IN_ALL_POLARITIES] else (Polarity.GUARD,):
        if runner is JEST and app.name == PROMISE.name and polarity is not Polarity.GUARD:
            continue
        written = write_unit_test(app.plan(polarity), runner, sources, polarity, app.pages)
        level = written.level
        assert written.assertions >= 2 or written.level == "todo", written.content
        ending = written.filename.partition(".")[2]
        for build in BUILDS:
            file = root / build / app.name / "tests" / f"{polarity.value}.{ending}"
            file.parent.mkdir(exist_ok=True)
            file.write_text(written.content)
    return level


def _run(command: list[str], root: Path, report: Path, env: dict[str, str]) -> dict[str, Any]:
    around = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_CHILDREN}
    done = subprocess.run(command, cwd=root, env={**around, **env}, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    found = {}
    for file in json.loads(report.read_text())["testResults"]:
        name = Path(file["name"]).resolve().relative_to(root.resolve()).as_posix().partition(".")[0]
        [result] = file["assertionResults"] or [{"status": "broken", "failureMessages": [file["message"]]}]
        found[name] = result
    return found


@pytest.fixture(scope="module")
def vitest(tmp_path_factory: pytest.TempPathFactory, node: str, node_modules: Path) -> Ran:
    root = tmp_path_factory.mktemp("vitest")
    (root / "node_modules").symlink_to(node_modules)
    package = '{"type": "module"}'
    levels = {app.name: _write(root, app, VITEST, package) for app in IN_VITEST}
    report = root / "report.json"
    program = str(node_modules / "vitest" / "vitest.mjs")
    options = [
        "run",
        "--root",
        str(root),
        "--reporter=json",
        f"--outputFile={report}",
        "--no-isolate",
        "--maxWorkers=2",
    ]
    return Ran(_run([node, program, *options], root, report, {}), levels)


@pytest.fixture(scope="module")
def jest(tmp_path_factory: pytest.TempPathFactory, node: str, node_modules: Path) -> Ran:
    root = tmp_path_factory.mktemp("jest")
    (root / "node_modules").symlink_to(node_modules)
    (root / "package.json").write_text("{}")
    levels = {app.name: _write(root, as_commonjs(app), JEST, "{}") for app in APPS}
    levels["es-module"] = _write(root, ES_MODULE, JEST, '{"type": "module"}')
    report = root / "report.json"
    program = str(node_modules / "jest" / "bin" / "jest.js")
    options = ["--rootDir", str(root), "--json", f"--outputFile={report}", "-w", "2", "--config", '{"haste": {}}']
    env = {"NODE_OPTIONS": "--experimental-vm-modules --no-warnings"}
    return Ran(_run([node, program, *options], root, report, env), levels)


ES_MODULE = Recording(
    "es-module", "module", CALL.buggy, CALL.fixed, CALL.frames, CALL.html, requests=CALL.requests, local=CALL.local
)


@pytest.mark.parametrize("app", IN_VITEST, ids=lambda app: app.name)
def test_in_vitest_a_guard_is_red_with_the_bug_and_green_without_it(app: Recording, vitest: Ran) -> None:
    assert vitest.levels[app.name] == app.level
    assert vitest.outcome("buggy", app) == "failed"
    assert f"expected '{': '.join(filter(None, app.error))[:16]}" in vitest.why("buggy", app)
    assert "not recorded" not in vitest.why("buggy", app)
    assert vitest.outcome("fixed", app) == "passed", vitest.why("fixed", app)


@pytest.mark.parametrize("app", [*APPS, ES_MODULE], ids=lambda app: app.name)
def test_in_jest_a_guard_is_red_with_the_bug_and_green_without_it(app: Recording, jest: Ran) -> None:
    assert jest.levels[app.name] == app.level
    assert jest.outcome("buggy", app) == "failed"
    assert ": ".join(filter(None, app.error))[:16] in jest.why("buggy", app)
    assert "not recorded" not in jest.why("buggy", app)
    assert jest.outcome("fixed", app) == "passed", jest.why("fixed", app)


@pytest.mark.parametrize("app", IN_ALL_POLARITIES, ids=lambda app: app.name)
def test_in_vitest_a_repro_is_green_with_the_bug_and_red_without_it(app: Recording, vitest: Ran) -> None:
    assert vitest.outcome("buggy", app, Polarity.REPRO) == "passed", vitest.why("buggy", app, Polarity.REPRO)
    assert vitest.outcome("fixed", app, Polarity.REPRO) == "failed"


@pytest.mark.parametrize("app", IN_ALL_POLARITIES, ids=lambda app: app.name)
def test_in_vitest_a_known_bug_is_expected_to_fail_and_tells_when_it_is_gone(app: Recording, vitest: Ran) -> None:
    assert vitest.outcome("buggy", app, Polarity.KNOWN_BUG) == "passed", vitest.why("buggy", app, Polarity.KNOWN_BUG)
    assert vitest.outcome("fixed", app, Polarity.KNOWN_BUG) == "failed"


@pytest.mark.parametrize("app", [CALL, HANDLER], ids=lambda app: app.name)
@pytest.mark.parametrize("polarity", [Polarity.REPRO, Polarity.KNOWN_BUG])
def test_in_jest_a_call_and_a_handler_can_have_any_polarity(app: Recording, polarity: Polarity, jest: Ran) -> None:
    assert jest.outcome("buggy", app, polarity) == "passed", jest.why("buggy", app, polarity)
    assert jest.outcome("fixed", app, polarity) == "failed"


@pytest.mark.parametrize("polarity", [Polarity.REPRO, Polarity.KNOWN_BUG])
def test_jest_cannot_pass_while_a_promise_is_rejected_that_nobody_waits_for(polarity: Polarity, tmp_path: Path) -> None:
    app = as_commonjs(PROMISE)
    for file, text in app.buggy.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)

    with pytest.raises(ReproNotPossible) as refused:
        write_unit_test(app.plan(polarity), JEST, FolderSources(tmp_path), polarity, app.pages)

    assert refused.value.code == "repro_not_possible"
    assert "vitest" in refused.value.next_step
