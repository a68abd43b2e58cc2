"""`testwright run --detect-flaky`: failures are tried again, alone and in other orders, and the run stays as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT, CommandLine
from testwright.model.history import IN_REVERSE

TESTS = """\
import pathlib

import pytest

LEFT = []
COUNT = pathlib.Path(__file__).with_name("count.txt")


def test_leaves_something():
    LEFT.append("crumbs")


def test_wants_a_clean_table():
    assert not LEFT


def test_is_wrong():
    assert 1 + 1 == 3


@pytest.mark.parametrize("dish", ["egg::fried"])
def test_has_luck_two_times_of_three(dish):
    tried = int(COUNT.read_text()) if COUNT.exists() else 0
    COUNT.write_text(str(tried + 1))
    assert tried % 3 != 0


def test_needs_company():
    assert LEFT
"""
FILE = "pytest:tests/test_table.py::"


def run(folder: Path, *options: str) -> tuple[int, Any]:
    argv = [str(TESTWRIGHT), "run", "--json", "--python", sys.executable, *options]
    done = subprocess.run(argv, cwd=folder, env=os.environ, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    (folder / "tests").mkdir()
    (folder / "tests" / "test_table.py").write_text(dedent(TESTS))
    return folder


@pytest.fixture(scope="module")
def ended(folder: Path) -> tuple[int, Any]:
    return run(folder, "--detect-flaky", "3")


def verdict(ended: tuple[int, Any], name: str) -> Any:
    return next(test for test in ended[1]["repeated"]["tests"] if test["testId"] == FILE + name)


def result(ended: tuple[int, Any], name: str) -> Any:
    [suite] = ended[1]["suites"]
    return next(each for each in suite["results"] if each["id"] == FILE + name)


def test_a_test_that_is_wrong_fails_always(ended: tuple[int, Any]) -> None:
    told = verdict(ended, "test_is_wrong")

    assert told["verdict"] == "always"
    assert (told["failed"], told["tries"]) == (5, 5)  # the run, three times alone, once in reverse


def test_a_test_that_another_one_breaks_fails_only_after_others(ended: tuple[int, Any]) -> None:
    told = verdict(ended, "test_wants_a_clean_table")

    assert told["verdict"] == "after_others"
    assert told["orders"]["alone"] == {"failed": 0, "tries": 3}
    assert told["orders"]["in_file"] == {"failed": 3, "tries": 3}
    assert told["orders"]["reversed"] == {"failed": 0, "tries": 1}


def test_a_test_that_depends_on_luck_fails_sometimes(ended: tuple[int, Any]) -> None:
    told = verdict(ended, "test_has_luck_two_times_of_three[egg::fried]")

    assert told["verdict"] == "sometimes"
    assert f"({told['failed']} of {told['tries']} tries)" in told["sentence"]
    assert told["failed"] < told["tries"]


def test_what_others_did_in_another_order_is_reported(ended: tuple[int, Any]) -> None:
    assert f"{FILE}test_needs_company passed in the run and failed in reverse." in ended[1]["repeated"]["notes"]


def test_what_was_done_is_reported(ended: tuple[int, Any]) -> None:
    assert ended[1]["repeated"]["done"].startswith(
        "Failures tried again, each time in a new process: 3 tests, 3 times alone; "
    )
    assert "1 time with those in reverse" in ended[1]["repeated"]["done"]


def test_every_try_is_kept_as_such_and_none_changes_the_run(ended: tuple[int, Any]) -> None:
    code, shape = ended
    kept = result(ended, "test_wants_a_clean_table")

    assert code == shape["exitCode"] == 1
    assert kept["outcome"] == "failed"
    assert [attempt["reason"] for attempt in kept["attempts"]] == [
        "",
        *3 * ["repeated_alone"],
        *3 * ["repeated_in_file"],
        IN_REVERSE,
    ]
    assert [attempt["number"] for attempt in kept["attempts"]] == list(range(1, 9))
    assert len(result(ended, "test_needs_company")["attempts"]) == 1
    assert (shape["totalTests"], shape["totalFailed"]) == (5, 3)


def test_a_failure_that_does_not_come_again_is_still_a_failure(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "test_once.py").write_text(
        "import pathlib\n\n\ndef test_fails_once():\n"
        "    seen = pathlib.Path(__file__).with_name('seen')\n"
        "    before = seen.exists()\n    seen.touch()\n    assert before\n"
    )

    said = testwright("run", "--detect-flaky", "2", "--python", sys.executable)

    assert said.code == 1
    assert (
        "fails sometimes (1 of 3 tries): pytest:test_once.py::test_fails_once (in the run 1 of 1, alone 0 of 2)."
        in said.out
    )
    assert "It did not fail again" in said.out


def test_nothing_is_tried_again_where_nothing_failed(folder: Path) -> None:
    code, shape = run(folder, "--detect-flaky", "2", "-k", "test_leaves_something")

    assert code == 0
    assert shape["repeated"]["tests"] == []


def test_the_store_tells_the_same_and_the_history_leaves_the_reverse_order_out(
    folder: Path, ended: tuple[int, Any], testwright: CommandLine
) -> None:
    told = testwright("report", "run", ended[1]["id"], "--json", cwd=folder).json
    flaky = testwright("report", "flaky", "--json", cwd=folder).json

    assert told["totalFailed"] == 3
    counts = {test["testId"]: (test["passCount"], test["failCount"]) for test in flaky["flakyTests"]}
    assert counts[f"{FILE}test_wants_a_clean_table"] == (3, 4)
    assert counts[f"{FILE}test_is_wrong"] == (0, 4)


@pytest.mark.needs_node
def test_a_framework_that_knows_one_order_is_run_in_that_and_says_so(
    testwright: CommandLine, tmp_path: Path, node: str
) -> None:
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "a.test.mjs").write_text(
        "import assert from 'node:assert';\nimport test from 'node:test';\nlet left = 0;\n"
        "test('leaves', () => { left += 1; });\ntest('wants it clean', () => { assert.equal(left, 0); });\n"
    )

    told = testwright("run", "--detect-flaky", "2", "--json").json["repeated"]

    [test] = told["tests"]
    assert test["verdict"] == "after_others"
    assert told["notes"] == ["node runs a file only in its own order: nothing was run in reverse."]
