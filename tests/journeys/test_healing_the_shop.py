"""A shop changes, and its suites are healed, or rightly refused: twelve kinds of change, in TypeScript and in Python.

`shop_changes` says, change by change, what a senior QA engineer would do and why. No heal may be wrong.
"""

import socket
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.shop_changes import (
    CHANGES,
    MENDED,
    NOT_MENDED,
    REWORDED_AND_RESTYLED,
    Change,
    Healed,
    LeftAlone,
    Refused,
    named,
)
from tests.journeys.shop_project import PythonShop, ShopProject, TypeScriptShop

pytestmark = [pytest.mark.needs_node, pytest.mark.needs_chromium]

ENOUGH, SHORT = 2500, 1200  # milliseconds; where nothing is healed no test has to find anything in time
Result = dict[str, Any]
OpenShop = Callable[[str], ShopProject]


@pytest.fixture(scope="module")
def recorded_shop(tmp_path_factory: pytest.TempPathFactory, chromium: str, node_modules: Path) -> OpenShop:
    """The shop as it was, whose tests have all passed once. Each test goes on with a copy."""

    @cache
    def recorded(language: str) -> ShopProject:
        root = tmp_path_factory.mktemp(language) / "web-shop"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        shop = (
            PythonShop(root, chromium, port)
            if language == "Python"
            else TypeScriptShop(root, chromium, port, node_modules)
        )
        assert {result["outcome"] for result in shop.run([shop.tests]).values()} == {"passed"}
        return shop

    return recorded


@pytest.fixture
def open_shop(recorded_shop: OpenShop, tmp_path: Path) -> OpenShop:
    return lambda language: recorded_shop(language).copied_to(tmp_path / "web-shop")


def test_every_change_is_made_once() -> None:
    assert sorted(name for group in (*MENDED, *NOT_MENDED) for name in group) == sorted(one.name for one in CHANGES)


@pytest.mark.parametrize("language", ["TypeScript", "Python"])
def test_a_changing_shop_is_healed_or_rightly_refused(open_shop: OpenShop, language: str) -> None:
    shop = open_shop(language)
    for names in MENDED:
        changes = [named(name) for name in names]
        results = changed_and_run(shop, changes, patience=ENOUGH)
        healed_as_they_should(shop, changes, results)
        accepted_and_green(shop, results, tests={change.test for change in CHANGES})
        shop.restore()

    for names in NOT_MENDED:
        changes = [named(name) for name in names]
        results = changed_and_run(shop, changes, patience=SHORT)
        left_as_they_were(shop, changes, results)
        shop.restore()


def changed_and_run(shop: ShopProject, changes: Sequence[Change], patience: int) -> dict[str, Result]:
    for change in changes:
        change.apply(shop.root / "shop")
    results = shop.run([shop.target(change.test) for change in changes], patience=patience)
    # All of them at once, so that whoever reads a failure sees the whole table.
    assert {change.name: what_became_of(results[change.test]) for change in changes} == {
        change.name: type(change.verdict).__name__ for change in changes
    }
    return results


def what_became_of(result: Result) -> str:
    if result["outcome"] == "passed_with_heal":
        return Healed.__name__
    if result["outcome"] != "failed":
        return str(result["outcome"])
    return Refused.__name__ if result["heals"] else LeftAlone.__name__


def healed_as_they_should(shop: ShopProject, changes: Sequence[Change], results: dict[str, Result]) -> None:
    pending = {one["id"]: one for one in shop.call("review", "list", "--json").json}
    for change in changes:
        result = results[change.test]
        (heal,) = result["heals"]
        assert isinstance(change.verdict, Healed)
        assert heal["strategy"] == change.verdict.strategy, change.name
        assert [attempt["outcome"] for attempt in result["attempts"]] == ["failed", "passed_with_heal"]
        assert result["attempts"][-1]["stdout"].startswith(f"SELF_HEAL_APPLIED {result['id']}: ")
        assert pending[heal["proposal"]]["kind"] == "selector_patch"
        patch_waits(shop, result["id"], heal)
    assert set(pending) == {result["heals"][0]["proposal"] for result in results.values()}
    wrong = shop.finds_the_true_element((change, results[change.test]["heals"][0]["new"]) for change in changes)
    assert wrong == []


def patch_waits(shop: ShopProject, test_id: str, heal: dict[str, Any]) -> None:
    patch = shop.root / heal["patch"]
    assert patch.parent == shop.patches.resolve()
    header = dict(line[2:].split(": ", 1) for line in patch.read_text().splitlines() if line.startswith("# "))
    assert (header["strategy"], header["old"], header["new"]) == (heal["strategy"], heal["old"], heal["new"])
    assert (header["test"], header["proposal"]) == (test_id, heal["proposal"])
    (log,) = shop.patches.glob(f"{patch.name.rpartition('-')[0]}.log")
    assert "SELF_HEAL_APPLIED" in log.read_text()
    subprocess.run(["git", "apply", "--check", str(patch)], cwd=shop.root, check=True)


def accepted_and_green(shop: ShopProject, results: dict[str, Result], tests: set[str]) -> None:
    for proposal in sorted({result["heals"][0]["proposal"] for result in results.values()}):
        assert shop.call("review", "accept", proposal, "--json").json["status"] == "applied"
    after = shop.run([shop.tests])
    assert {name: result["outcome"] for name, result in after.items()} == dict.fromkeys(tests, "passed")
    assert not any(result["heals"] for result in after.values())
    assert shop.call("review", "list", "--json").json == []


def left_as_they_were(shop: ShopProject, changes: Sequence[Change], results: dict[str, Result]) -> None:
    for change in changes:
        result = results[change.test]
        assert {attempt["outcome"] for attempt in result["attempts"]} == {"failed"}
        match change.verdict:
            case LeftAlone(message):
                assert message in result["attempts"][0]["message"]
            case Refused(reasons):
                (heal,) = result["heals"]
                assert heal["reason"] in reasons
                assert heal["explanation"]
                assert (heal["new"], heal["patch"], heal["proposal"]) == (None, None, None)
                assert "waiting for locator" in result["attempts"][0]["message"]
    assert not shop.patches.exists()
    assert shop.call("review", "list", "--json").json == []


def drifted(shop: ShopProject) -> ShopProject:
    """The shop after a change that can be healed."""
    REWORDED_AND_RESTYLED.apply(shop.root / "shop")
    return shop


@pytest.mark.parametrize("language", ["TypeScript", "Python"])
def test_T3_a_renamed_class_with_slightly_other_words_is_healed_by_role(open_shop: OpenShop, language: str) -> None:  # noqa: N802  its id
    shop = drifted(open_shop(language))

    said = shop.call("run", shop.target(REWORDED_AND_RESTYLED.test), patience=ENOUGH)

    assert said.code == 0
    (row,) = [line for line in said.out.splitlines() if line.startswith("SELF_HEAL_APPLIED ")]
    assert "(byRole, " in row
    assert "Place your order" in row
    assert len(list(shop.patches.glob("*.patch"))) == 1


@pytest.mark.parametrize(
    ("language", "ways"),
    [
        ("TypeScript", [{"KODER_TEST_AUTO_HEAL": "0"}, {"TESTWRIGHT_AUTO_HEAL": "0"}]),
        ("Python", ["--no-auto-heal"]),
    ],
)
def test_T4_who_opts_out_gets_the_failure_and_nothing_else(  # noqa: N802  its id
    open_shop: OpenShop, language: str, ways: list[str | dict[str, str]]
) -> None:
    shop = drifted(open_shop(language))
    order = shop.target(REWORDED_AND_RESTYLED.test)

    for way in ways:
        options, env = ([way], {}) if isinstance(way, str) else ([], way)
        said = shop.call("run", order, *options, patience=SHORT, **env)

        assert said.code == 1
        assert ".btn-primary" in said.out
        assert "SELF_HEAL_APPLIED" not in said.out
        assert "Not healed" not in said.out
    assert not shop.patches.exists()
    assert shop.call("review", "list", "--json").json == []
