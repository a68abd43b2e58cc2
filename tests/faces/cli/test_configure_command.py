"""`testwright configure`: settings are shown and changed by their names."""

import os
import pty
import sys
from pathlib import Path

import pytest

from tests.faces.cli.commands import call, call_json
from testwright.faces.cli import configure_command
from testwright.model.errors import InvalidSettings, PilotDisabled, UsageError
from testwright.settings import Settings, load_settings


def test_what_is_set_is_shown_with_all_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "testwright.toml").write_text("timeout = 30\n")

    shown = call_json(configure_command, capsys, "show", "--project", tmp_path)["settings"]
    assert shown["timeout"] == 30
    assert shown["web-framework"] == "playwright"
    assert shown["noise-console"] == []

    call(configure_command, "show", "--project", tmp_path)
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("timeout"))
    assert line.split() == ["timeout", "30.0", "set"]


def test_the_password_of_a_store_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "testwright.toml").write_text('store = "postgresql://ann:hunter2@db:5432/shop"\n')

    call(configure_command, "show", "--project", tmp_path)

    assert "postgresql://ann:...@db:5432/shop" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["retries", "2"], Settings(retries=2)),
        (["timeout", "1.5"], Settings(timeout=1.5)),
        (["memory", "2G"], Settings(memory=2 << 30)),
        (["heal", "off"], Settings(heal=False)),
        (["web-tests", "e2e"], Settings(web_tests="e2e")),
        (["exclude", "old/*", "vendor/*"], Settings(exclude=("old/*", "vendor/*"))),
        (["python", "3"], Settings(python="3")),
    ],
)
def test_a_value_is_taken_as_the_setting_needs_it(tmp_path: Path, arguments: list[str], expected: Settings) -> None:
    assert call(configure_command, "set", *arguments, "--project", tmp_path) == 0

    assert load_settings(tmp_path) == expected


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["retries", "many"], InvalidSettings),
        (["heal", "perhaps"], InvalidSettings),
        (["base-url", "javascript:alert(1)"], InvalidSettings),
        (["timeout", "1", "2"], UsageError),
    ],
)
def test_a_wrong_value_is_refused(tmp_path: Path, arguments: list[str], error: type[Exception]) -> None:
    with pytest.raises(error):
        call(configure_command, "set", *arguments, "--project", tmp_path)

    assert not (tmp_path / "testwright.toml").exists()


def test_rules_are_added_and_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = ("--project", tmp_path)
    call(configure_command, "add-noise", "requests", "*/beacon*", *here)
    call(configure_command, "add-noise", "console", "[HMR]", *here)
    call(configure_command, "add-noise", "errors", "/^ResizeObserver/", *here)
    call(configure_command, "add-secret", "matricule", *here)
    call(configure_command, "add-secret-variable", "SHOP_PASSWORD", *here)

    assert load_settings(tmp_path) == Settings(
        noise_requests=("*/beacon*",),
        noise_console=("[HMR]",),
        noise_errors=("/^ResizeObserver/",),
        secret_names=("matricule",),
        secret_variables=("SHOP_PASSWORD",),
    )

    told = call_json(configure_command, capsys, "remove-noise", "console", "[HMR]", *here)
    assert told == {"file": "testwright.toml", "setting": "noise-console", "was": ["[HMR]"], "now": []}

    call(configure_command, "unset", "secret-names", *here)
    assert "its default holds" in capsys.readouterr().out
    assert load_settings(tmp_path).secret_names == ()


def test_the_pilot_toggle_needs_a_person_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    switch_on = ("set", "pilot", "true", "--project", tmp_path)
    with open(os.devnull) as nobody, monkeypatch.context() as patch:  # noqa: PTH123
        patch.setattr(sys, "stdin", nobody)
        with pytest.raises(PilotDisabled):
            call(configure_command, *switch_on)
    assert not load_settings(tmp_path).pilot

    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as terminal, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", terminal)
        call(configure_command, *switch_on)
    os.close(ours)
    assert load_settings(tmp_path).pilot
