"""A settings file that is changed keeps everything else that is in it."""

from pathlib import Path

import pytest

from testwright.model.errors import InvalidSettings, PathNotAllowed, PilotDisabled, UsageError
from testwright.review.settings_file import add_to_setting, remove_from_setting, set_setting, unset_setting
from testwright.settings import Settings, checked_settings, load_settings

OWN = """\
# The shop's settings.
timeout = 30  # seconds; the checkout is slow

exclude = [
    "old/*",  # nobody runs these
]
"""
SHARED = """\
[project]
name = "shop"   # the shop

[tool.testwright]
retries = 1

[tool.ruff]
line-length = 100
"""


def test_a_project_without_settings_gets_a_file_of_our_own(tmp_path: Path) -> None:
    changed = set_setting(tmp_path, "web-framework", "vitest", checked_settings)

    assert (changed.file, changed.was, changed.now) == ("testwright.toml", None, "vitest")
    assert (tmp_path / "testwright.toml").read_text() == 'web-framework = "vitest"\n'
    assert load_settings(tmp_path) == Settings(web_framework="vitest")


def test_comments_and_order_stay_in_our_own_file(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text(OWN)

    set_setting(tmp_path, "timeout", 60, checked_settings)
    set_setting(tmp_path, "base-url", "https://shop.test/", checked_settings)

    assert (tmp_path / "testwright.toml").read_text() == OWN.replace("30", "60") + 'base-url = "https://shop.test/"\n'


def test_settings_that_live_in_pyproject_are_changed_there(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(SHARED)

    assert set_setting(tmp_path, "retries", 3, checked_settings).file == "pyproject.toml"
    add_to_setting(tmp_path, "noise-requests", "*/beacon*", checked_settings)

    text = (tmp_path / "pyproject.toml").read_text()
    assert text.replace('noise-requests = ["*/beacon*"]\n', "") == SHARED.replace("retries = 1", "retries = 3")
    assert load_settings(tmp_path) == Settings(retries=3, noise_requests=("*/beacon*",))
    assert not (tmp_path / "testwright.toml").exists()


def test_an_inline_table_in_pyproject_is_changed_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\ntestwright = {retries = 1}\n")

    set_setting(tmp_path, "heal", False, checked_settings)

    assert load_settings(tmp_path) == Settings(retries=1, heal=False)


def test_a_pyproject_that_does_not_speak_of_us_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "testwright-shop"\n')

    set_setting(tmp_path, "retries", 2, checked_settings)

    assert (tmp_path / "pyproject.toml").read_text() == '[project]\nname = "testwright-shop"\n'
    assert load_settings(tmp_path).retries == 2


def test_a_list_grows_and_shrinks_by_one(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text(OWN)

    add_to_setting(tmp_path, "secret-names", "matricule", checked_settings)
    add_to_setting(tmp_path, "secret-names", "matricule", checked_settings)
    add_to_setting(tmp_path, "secret-names", "Kennwort", checked_settings)
    assert load_settings(tmp_path).secret_names == ("matricule", "Kennwort")

    remove_from_setting(tmp_path, "secret-names", "matricule", checked_settings)
    assert load_settings(tmp_path).secret_names == ("Kennwort",)

    with pytest.raises(UsageError, match="no 'matricule'"):
        remove_from_setting(tmp_path, "secret-names", "matricule", checked_settings)


def test_a_setting_that_is_unset_has_its_default_again(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text(OWN)

    assert unset_setting(tmp_path, "timeout", checked_settings).was == 30
    assert unset_setting(tmp_path, "retries", checked_settings).was is None

    assert load_settings(tmp_path) == Settings(exclude=("old/*",))
    assert "# nobody runs these" in (tmp_path / "testwright.toml").read_text()


def test_a_wrong_value_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text(OWN)

    with pytest.raises(InvalidSettings, match="web-framework"):
        set_setting(tmp_path, "web-framework", "cypress", checked_settings)
    with pytest.raises(InvalidSettings, match="regular expression"):
        add_to_setting(tmp_path, "noise-console", "/(/", checked_settings)

    assert (tmp_path / "testwright.toml").read_text() == OWN


def test_a_file_that_is_broken_is_told_of_and_not_written(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text("timeout = [")

    with pytest.raises(InvalidSettings, match="not valid TOML"):
        set_setting(tmp_path, "retries", 1, checked_settings)

    assert (tmp_path / "testwright.toml").read_text() == "timeout = ["


def test_a_settings_file_behind_a_link_is_not_written_through(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("retries = 1\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "testwright.toml").symlink_to(elsewhere)

    with pytest.raises(PathNotAllowed):
        set_setting(project, "retries", 2, checked_settings)

    assert elsewhere.read_text() == "retries = 1\n"


def test_the_pilot_toggle_is_switched_on_only_by_whoever_may(tmp_path: Path) -> None:
    with pytest.raises(PilotDisabled):
        set_setting(tmp_path, "pilot", True, checked_settings)
    assert not (tmp_path / "testwright.toml").exists()

    set_setting(tmp_path, "pilot", True, checked_settings, allow_pilot=True)
    assert load_settings(tmp_path).pilot

    set_setting(tmp_path, "pilot", False, checked_settings)
    assert not load_settings(tmp_path).pilot
