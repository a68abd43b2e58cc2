"""Sixty runs of a small shop's tests: one test is flaky, one broke, one was mended, and one day the server was down.

The results are those of a real run in which everything passed and a real run in which everything failed; which test
had which in each of the sixty runs is made up.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT, CommandLine
from testwright.model.case import Framework
from testwright.model.proposal import Proposal, ProposalId, ProposalKind, ProposalStatus
from testwright.model.result import RunId, RunResult, SuiteResult, TestResult
from testwright.settings import load_settings
from testwright.wiring import keeping, open_store

STARTED = datetime(2024, 3, 1, 8, tzinfo=UTC)
FLAKY_FAILS_IN = {4, 9, 17, 22, 28, 38, 44, 51, 57}
BROKEN_FROM, MENDED_AT, OUTAGE = 46, 24, 33
BAD_BEFORE_MENDED = 14

SHOP = """\
import os
import socket

FAILS = os.environ.get("SHOP_FAILS") == "1"


def price_of(basket):
    return sum(basket) + (1 if FAILS else 0)


def order(item):
    if FAILS:
        raise RuntimeError(f"cannot order {item}")
    return item


def connect():
    if FAILS:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            free_again = taken.getsockname()[1]
        socket.create_connection(("127.0.0.1", free_again))
"""
TESTS = """\
from shop import connect, order, price_of


def test_pays():
    assert price_of([2, 3]) == 5


def test_orders():
    assert order("tea") == "tea"


def test_refunds():
    assert price_of([-2]) == -2
"""
ASKS_THE_SERVER = "\n\ndef test_asks_{n}():\n    connect()\n"


def id_of(name: str) -> str:
    return f"pytest:tests/test_shop.py::{name}"


FLAKY, BROKEN, MENDED = id_of("test_pays"), id_of("test_orders"), id_of("test_refunds")
ASKING = [id_of(f"test_asks_{number}") for number in range(1, 10)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with sixty runs in its store."""
    made_in, root = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("shop")
    passed, failed = (results_of(made_in, fails=fails) for fails in (False, True))
    with open_store(root, load_settings(root)) as store:
        for number in range(1, 61):
            assert store.runs.save_run(run_of(number, passed, failed))
        store.proposals.add(generated("tests/test_shop.py"))
    return root


def results_of(folder: Path, *, fails: bool) -> Mapping[str, TestResult]:
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "conftest.py").write_text("import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\n")
    (folder / "shop.py").write_text(SHOP)
    asking = "".join(ASKS_THE_SERVER.format(n=number) for number in range(1, 10))
    (folder / "tests" / "test_shop.py").write_text(dedent(TESTS) + asking)
    env = {**os.environ, "SHOP_FAILS": str(int(fails))}
    done = subprocess.run(
        [str(TESTWRIGHT), "run", "--python", sys.executable], cwd=folder, env=env, capture_output=True, check=False
    )
    assert done.returncode == int(fails), done.stdout.decode()
    with keeping(folder, load_settings(folder)).open() as store:
        newest = store.runs.get_run(store.runs.list_runs(limit=1)[0].id)
    return {result.case.id: result for result in newest.results}


def run_of(number: int, passed: Mapping[str, TestResult], failed: Mapping[str, TestResult]) -> RunResult:
    bad = set()
    if number in FLAKY_FAILS_IN:
        bad.add(FLAKY)
    if number >= BROKEN_FROM:
        bad.add(BROKEN)
    if BAD_BEFORE_MENDED <= number < MENDED_AT:
        bad.add(MENDED)
    if number == OUTAGE:
        bad.update(ASKING)

    suite = SuiteResult(Framework.PYTEST, ".", tuple((failed if name in bad else passed)[name] for name in passed))
    started = STARTED + timedelta(days=number)
    return RunResult(RunId(f"run-{number:02d}"), started, (suite,), duration_ms=900.0, commit=commit(number))


def commit(number: int) -> str:
    return f"{number:02d}" * 20


def generated(file: str) -> Proposal:
    return Proposal(
        ProposalId("p1"), ProposalKind.NEW_TEST, "Tests for shop", file, None, b"", "", "engine", STARTED,
        status=ProposalStatus.APPLIED,
    )  # fmt: skip


@pytest.fixture(scope="module")
def flaky(shop: Path) -> Any:
    return told(shop, "flaky")


def told(shop: Path, *what: str) -> Any:

    done = subprocess.run([str(TESTWRIGHT), "report", *what, "--json"], cwd=shop, capture_output=True, check=True)
    return json.loads(done.stdout)


def verdict_on(flaky: Any, test: str) -> Any:
    return next(entry for entry in flaky["flakyTests"] if entry["testId"] == test)


def test_the_flaky_test_is_the_only_one_that_is_called_so(flaky: Any) -> None:
    assert (flaky["runs"], flaky["tests"]) == (60, 12)
    assert flaky["counts"] == {"confirmed": 1, "suspected": 0, "broken": 1, "insufficient_data": 0, "healthy": 10}
    entry = verdict_on(flaky, FLAKY)
    assert (entry["verdict"], entry["passCount"], entry["failCount"], entry["flakyRate"]) == ("confirmed", 51, 9, 15)
    assert entry["rate"]["low"] <= 9 / 60 <= entry["rate"]["high"]
    assert entry["failedIn"] == [f"run-{number:02d}" for number in sorted(FLAKY_FAILS_IN, reverse=True)]


def test_the_broken_test_is_not_called_flaky_and_the_commit_is_named(flaky: Any) -> None:
    entry = verdict_on(flaky, BROKEN)

    assert (entry["verdict"], entry["state"]) == ("broken", "broken")
    assert entry["brokenSince"] == {"commit": commit(BROKEN_FROM), "run": f"run-{BROKEN_FROM}", "orEarlier": False}


def test_the_mended_test_is_healthy(flaky: Any) -> None:
    entry = verdict_on(flaky, MENDED)

    assert (entry["verdict"], entry["brokenSince"]) == ("healthy", None)
    assert "1 break that was mended" in " ".join(entry["reasons"])


def test_the_day_without_a_server_speaks_against_no_single_test(flaky: Any) -> None:
    assert flaky["outages"] == [{"run": f"run-{OUTAGE}", "commit": commit(OUTAGE), "failed": 9, "ran": 12}]
    for test in ASKING:
        entry = verdict_on(flaky, test)
        assert (entry["verdict"], entry["leftOutRuns"]) == ("healthy", [f"run-{OUTAGE}"])
    assert flaky["failTogether"] == flaky["orderDependent"] == []


def test_the_same_is_told_in_words(shop: Path, testwright: CommandLine) -> None:
    said = testwright("report", "flaky", cwd=shop).out

    first, *rest = said.splitlines()
    assert first == "12 tests in 60 runs: 1 flaky, 0 perhaps flaky, 1 broken, 0 with too few tries, 10 healthy"
    sections = {title: rest.index(title) for title in ("Flaky:", "Broken:", "Failed and are healthy now:")}
    assert rest[sections["Flaky:"] + 1] == f"  {FLAKY}"
    assert rest[sections["Broken:"] + 1] == f"  {BROKEN}"
    assert f"It most probably broke at commit {commit(BROKEN_FROM)[:12]} (run run-{BROKEN_FROM})" in said
    assert f"  run run-{OUTAGE}, commit {commit(OUTAGE)[:12]}: 9 of 12 tests failed" in rest


def test_with_few_runs_it_says_that_too_little_is_known(shop: Path) -> None:
    few = told(shop, "flaky", "--runs", "6")

    assert few["counts"]["insufficient_data"] == 12
    assert verdict_on(few, BROKEN)["verdict"] == "insufficient_data"


def test_the_newest_run_is_taken_apart_and_the_trend_shows_the_rest(shop: Path) -> None:
    found = told(shop, "quality", "--runs", "60")

    assert found["run"] == "run-60"
    assert found["stats"] == {"total": 12, "passed": 11, "failed": 1, "flaky": 1, "needsRegeneration": 0}
    [improvement] = found["improvements"]
    assert (improvement["testId"], improvement["label"], improvement["action"]) == (BROKEN, "real_bug", "look")
    assert found["qualityAnalytics"]["byOrigin"] == {"engine": 1}
    runs = {point["run"]: point for point in found["trends"]["runs"]}
    assert len(runs) == 60
    assert runs["run-01"]["failed"] == 0
    assert runs[f"run-{OUTAGE}"]["byLabel"] == {"environment": 9}
    assert runs["run-20"]["failed"] == 1


def test_the_same_is_told_in_words_and_as_a_page(shop: Path, testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("report", "quality", "--runs", "60", "--html", tmp_path / "quality.html", cwd=shop)

    assert said.code == 0
    assert "11 of 12 tests passed, 1 failed, 1 flaky" in said.out
    assert "Failures in the newest 60 runs, oldest first" in said.out
    page = (tmp_path / "quality.html").read_text(encoding="utf-8")
    assert "Flaky tests" in page
    assert FLAKY in page
    assert "<script" not in page


def test_what_to_do_about_the_broken_test_is_a_note_on_the_bug(shop: Path) -> None:
    found = told(shop, "improvements")

    [step] = found["steps"]
    assert (step["testId"], step["route"], step["proposal"]) == (BROKEN, "bug_note", None)
    assert step["bugNote"]["where"] == "shop.py:13"
    assert "cannot order tea" in step["bugNote"]["what"]
    assert step["bugNote"]["run"] == "run-60"
