"""Failures that really happened, of every main framework, each explained with the words it rests on.

The suites in `failing` fail for reasons that are known. They are run once, through `testwright run`.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT
from testwright.pipeline.explaining.classify_answer import answer_classify
from testwright.pipeline.explaining.classify_request import classify_request

pytestmark = [pytest.mark.needs_node, pytest.mark.needs_chromium]

FAILING = Path(__file__).parent / "failing"
_PLAIN = ".txt"  # Python files have this at the end of their names, so that they are not taken for tests of ours

# The test, its label, and what the evidence quotes.
PYTEST = [
    ("test_packages.py", "environment", "No module named 'a_package_that_is_not_installed'"),
    ("test_a_button_that_was_renamed", "selector_broken", "#pay"),
    ("test_two_links_of_one_name", "selector_broken", "strict mode violation"),
    ("test_another_heading", "assertion_mismatch", "Coffee"),
    ("test_a_message_that_stays_hidden", "timing_flaky", "resolved to <p hidden"),
    ("test_another_address", "url_mismatch", "checkout"),
    ("test_a_link_behind_a_curtain", "timing_flaky", ""),
    ("test_a_heading_that_is_not_there", "selector_broken", "not found"),
    ("test_a_server_that_was_not_started", "environment", "ERR_CONNECTION_REFUSED"),
    ("test_a_page_that_never_comes", "navigation_fail", "Timeout 500ms exceeded"),
    ("test_another_total", "assertion_mismatch", "assert 6 == 7"),
    ("test_a_product_function_that_breaks", "real_bug", "ZeroDivisionError"),
    ("test_a_mistake_in_the_test", "test_bug", "'NoneType' object has no attribute 'get'"),
    ("test_a_mock_that_is_called_wrongly", "test_bug", "missing a required argument: 'lines'"),
    ("test_a_fixture_that_nobody_wrote", "test_bug", "fixture 'basket_of_alice' not found"),
    ("test_a_fixture_of_a_plugin_that_is_not_installed", "environment", "fixture 'httpx_mock' not found"),
    ("test_a_setting_that_is_missing", "environment", "SHOP_API_TOKEN"),
    ("test_a_service_that_was_not_started", "environment", "Connection refused"),
    ("test_an_answer_of_another_status", "api_assertion_fail", "assert 202 == 200"),
    ("test_a_sum_that_took_too_long", "timing_flaky", "< 0"),
]
PLAYWRIGHT = [
    ("a button that was renamed", "selector_broken", "#pay"),
    ("two buttons of one name", "selector_broken", "strict mode violation"),
    ("a button behind a curtain", "timing_flaky", ""),
    ("another price", "assertion_mismatch", "3.50"),
    ("another address", "url_mismatch", "toHaveURL"),
    ("a server that was not started", "environment", "ERR_CONNECTION_REFUSED"),
    ("an answer of another status", "api_assertion_fail", "404"),
    ("a receipt that differs from the stored one", "snapshot_mismatch", "toMatchSnapshot"),
    ("a request that is answered twice", "network_mock_fail", "Route is already handled"),
    ("a field in a frame that is not there", "frame_fail", ""),
    ("a product function that breaks", "real_bug", "reading 'level'"),
]
VITEST = [
    ("another total", "assertion_mismatch", "expected 6 to be 7"),
    ("a call that did not come", "assertion_mismatch", "to be called 1 times"),
    ("a receipt that differs from the stored one", "snapshot_mismatch", "mismatched"),
    ("a product function that breaks", "real_bug", "reading 'reduce'"),
    ("a mistake in the test", "test_bug", "reading 'lines'"),
    ("an answer that never comes", "timing_flaky", "timed out in 200ms"),
    ("a setting that is missing", "environment", "SHOP_API_TOKEN is not set"),
    ("a mock without the function that is used", "test_bug", '"totalOf" export'),
    ("package.test.js", "environment", "a-package-that-is-not-installed"),
]
JEST = [
    ("another count", "assertion_mismatch", "2"),
    ("a label of another shape", "assertion_mismatch", "toEqual"),
    ("a label that differs from the stored one", "snapshot_mismatch", "toMatchSnapshot"),
    ("a product function that breaks", "real_bug", "reading 'length'"),
    ("a mistake in the test", "test_bug", "reading 'tea'"),
    ("a stock that is never counted", "timing_flaky", "Exceeded timeout of 200 ms"),
    ("a count that took too long", "timing_flaky", "toBeLessThan"),
    ("moved.test.js", "test_bug", "../src/counting"),
]
EXPECTED = [
    pytest.param(framework, *row, id=f"{framework}: {row[0]}")
    for framework, rows in (("pytest", PYTEST), ("playwright", PLAYWRIGHT), ("vitest", VITEST), ("jest", JEST))
    for row in rows
]

Results = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, node_modules: Path, chromium: str) -> Results:
    """Every failed test of the suites, by framework and name."""
    project = tmp_path_factory.mktemp("shop")
    for source in FAILING.rglob("*"):
        if source.is_file():
            target = project / source.relative_to(FAILING)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target.with_suffix("") if target.name.endswith(f".py{_PLAIN}") else target)
    (project / "node_modules").symlink_to(node_modules)
    done = subprocess.run(
        [str(TESTWRIGHT), "run", "--json", "--no-store"],
        cwd=project,
        env={**os.environ, "TESTWRIGHT_CHROMIUM": chromium},
        capture_output=True,
        check=False,
    )
    run = json.loads(done.stdout)
    assert [suite["problems"] for suite in run["suites"]] == [[], [], [], []], done.stderr.decode()
    failed = [result for suite in run["suites"] for result in suite["results"] if not result["success"]]
    return {(result["framework"], _name(result)): result for result in failed}


def _name(result: dict[str, Any]) -> str:
    if not result["title"]:
        return Path(result["file"]).name
    return str(result["title"][-1]).removesuffix("[chromium]")


@pytest.mark.parametrize(("framework", "name", "label", "quoted"), EXPECTED)
def test_a_real_failure_is_explained(results: Results, framework: str, name: str, label: str, quoted: str) -> None:
    result = results[framework, name]
    verdict = result["verdict"]

    assert verdict["label"] == label
    assert any(quoted in each["text"] for each in verdict["evidence"])
    assert verdict["advice"]


def test_every_failure_is_one_that_was_meant(results: Results) -> None:
    assert set(results) == {(row.values[0], row.values[1]) for row in EXPECTED}


@pytest.mark.parametrize(
    ("framework", "name", "category"),
    [
        ("playwright", "a button that was renamed", "selector_broken"),
        ("playwright", "another price", "real_bug"),
        ("pytest", "test_a_page_that_never_comes", "network_flaky"),
    ],
)
def test_TG_INT_003_a_real_failure_is_classified(results: Results, framework: str, name: str, category: str) -> None:  # noqa: N802
    attempt = results[framework, name]["attempts"][-1]
    failure = {"test_name": name, "error": attempt["message"], "trace": attempt["stack"]}

    answer = answer_classify(classify_request({"type": "test_classify", "action": "failure", "failure": failure}))

    assert answer.shape()["classification"]["category"] == category
