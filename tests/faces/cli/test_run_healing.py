"""Healing can be switched off in every way that is promised, and needs the store."""

import argparse
from pathlib import Path

import pytest

from testwright.faces.cli import run_command
from testwright.faces.cli.common_options import parser_for
from testwright.faces.cli.run_plan import RunPlan


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    return tmp_path


def planned(project: Path, *options: str) -> RunPlan:
    given: argparse.Namespace = parser_for("run", "", run_command).parse_args([*options, "--project", str(project)])
    given.passed_on = ()
    return RunPlan.of(given)


def test_healing_is_on_by_default_and_pages_are_watched(project: Path) -> None:
    plan = planned(project)

    assert plan.heals
    assert plan.suites[0].request.pages is not None


@pytest.mark.parametrize("option", ["--no-auto-heal", "--no-store"])
def test_an_option_switches_it_off(project: Path, option: str) -> None:
    plan = planned(project, option)

    assert not plan.heals
    assert plan.suites[0].request.pages is None


@pytest.mark.parametrize("name", ["TESTWRIGHT_AUTO_HEAL", "KODER_TEST_AUTO_HEAL"])
@pytest.mark.parametrize(("value", "heals"), [("0", False), ("1", True), ("", True)])
def test_a_variable_switches_it_off(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, heals: bool
) -> None:
    monkeypatch.setenv(name, value)

    assert planned(project).heals is heals


def test_a_setting_switches_it_off(project: Path) -> None:
    (project / "testwright.toml").write_text("heal = false\n")

    assert not planned(project).heals


def test_guarded_tests_are_not_watched_as_they_may_not_write_there(project: Path) -> None:
    plan = planned(project, "--isolation", "best")

    assert plan.suites[0].request.pages is None
