"""What the JavaScript frameworks share."""

import json
import re
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import RunnerMissing
from testwright.run.framework_adapter import RunRequest
from testwright.run.frameworks.javascript import (
    MOST_PATTERN_BYTES,
    NOTHING,
    bundles,
    depends_on,
    manifests,
    node_program,
    owner_of,
    package_folder,
    parts_by_name,
    path_patterns,
    regex_escaped,
    runner_script,
    version_of,
)
from testwright.run.project import Project


def _package(folder: Path, manifest: dict[str, object]) -> Path:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps(manifest))
    return folder


def test_a_package_json_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    for name, text in {"a": "{", "b": "[]", "c": '{"devDependencies": ["vitest"]}', "d": "[" * 100_000}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.json").write_text(text)

    found = dict(manifests(Project.at(tmp_path)))

    assert sorted(found) == ["a", "b", "c", "d"]
    assert not any(depends_on(manifest, "vitest") for manifest in found.values())


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("import { test } from '@playwright/test';", Framework.PLAYWRIGHT),
        ('const { test } = require("@playwright/test")', Framework.PLAYWRIGHT),
        ("import x from './x'\nimport {test,expect} from 'vitest'", Framework.VITEST),
        ("import { jest } from '@jest/globals';", Framework.JEST),
        ("import test from 'node:test';", Framework.NODE),
        ("const t = await import('node:test')", Framework.NODE),
        ("test('uses globals', () => {});", None),
        ("// vitest and node:test are only mentioned here", None),
        ("", None),
    ],
)
def test_a_test_file_belongs_to_the_framework_it_imports(tmp_path: Path, text: str, owner: Framework | None) -> None:
    (tmp_path / "a.test.ts").write_text(text)

    assert owner_of(tmp_path / "a.test.ts") == owner


def test_only_the_head_of_a_big_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.test.ts").write_text("x" * (64 << 10) + "\nimport { test } from 'vitest';")

    assert owner_of(tmp_path / "a.test.ts") is None


def test_a_missing_node_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(RunnerMissing, match=r"Node\.js") as caught:
        node_program({"PATH": str(tmp_path)})

    assert caught.value.next_step


def test_a_runner_is_found_upwards_as_node_does_and_never_below(tmp_path: Path) -> None:
    root = tmp_path / "packages/one"
    outer = _package(tmp_path / "node_modules/vitest", {"version": "4.1.2", "bin": {"vitest": "./vitest.mjs"}})
    (outer / "vitest.mjs").touch()
    _package(root / "deeper/node_modules/vitest", {"version": "1.0.0", "bin": "x.mjs"})

    script = runner_script(root, ("vitest",), "vitest")

    assert package_folder(root, "vitest") == outer
    assert script == outer / "vitest.mjs"
    assert version_of(script) == (4, 1)


def test_a_runner_without_its_script_counts_as_missing(tmp_path: Path) -> None:
    _package(tmp_path / "node_modules/jest", {"bin": "bin/jest.js"})

    with pytest.raises(RunnerMissing, match="jest is not installed"):
        runner_script(tmp_path, ("jest",), "jest")


def test_patterns_match_nothing_but_the_text() -> None:
    assert regex_escaped("a.b (c) [d] $5 {x} | y/z \\ ^*+?") == r"a\.b \(c\) \[d\] \$5 \{x\} \| y\/z \\ \^\*\+\?"


def test_patterns_for_paths_leave_out_what_they_should(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    inside, left_out, file = tmp_path / "a", tmp_path / "a/b", tmp_path / "c.test.js"

    folder_pattern, file_pattern = path_patterns([inside, file], [left_out])

    assert re.search(folder_pattern, f"{inside}/x.test.js")
    assert not re.search(folder_pattern, f"{left_out}/x.test.js")
    assert re.search(folder_pattern, f"{left_out}c/x.test.js")
    assert re.search(file_pattern, str(file))
    assert not re.search(file_pattern, f"{file}x")
    assert path_patterns([], []) == []


def test_names_that_do_not_fit_one_argument_are_bundled_into_several() -> None:
    cases = [TestCase(Framework.JEST, "a.test.js", (f"{number:05} " + "x" * 1000,)) for number in range(200)]

    found = bundles(cases, {case: case.title[0] for case in cases})

    assert len(found) == 3
    assert [case for group, _ in found for case in group] == cases
    assert all(len(pattern.encode()) <= MOST_PATTERN_BYTES for _, pattern in found)


def test_tests_of_a_file_that_is_run_whole_are_not_asked_for_twice() -> None:
    whole = TestCase(Framework.VITEST, "a.test.ts", native_id="a.test.ts")
    inside = TestCase(Framework.VITEST, "a.test.ts", ("x",), native_id="a.test.ts")
    other = TestCase(Framework.VITEST, "b.test.ts", ("group", "y"), native_id="b.test.ts")

    parts = [(part.only, option) for part, option in parts_by_name(RunRequest(only=(whole, inside, other)))]

    assert parts == [((whole,), []), ((other,), ["-t", "^ *(?:group +y)$"])]


def test_a_selection_runs_nothing_at_first() -> None:
    assert [option for _, option in parts_by_name(RunRequest(select=("*x*",)))] == [["-t", NOTHING]]
    assert [option for _, option in parts_by_name(RunRequest())] == [[]]
