"""`testwright init` writes a settings file that shows what there is to set."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from tests.conftest import CommandLine
from testwright.settings import Settings, checked_settings, setting_names


def test_the_settings_file_shows_every_setting_with_its_default(testwright: CommandLine, tmp_path: Path) -> None:
    testwright("init")

    file = tmp_path / "testwright.toml"
    shown = re.sub(r"^# (?=[a-z-]+ = )", "", file.read_text(), flags=re.MULTILINE)
    given = tomllib.loads(shown)
    assert set(given) == set(setting_names())
    # Unset, the time of a test is up to its runner; the file shows what counts where the runner does not say.
    assert checked_settings(given, file) == replace(Settings(), timeout=300.0)
