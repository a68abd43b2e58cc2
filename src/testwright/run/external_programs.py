"""Programs that tests need and that are not the project's own: Node.js and a browser."""

import os
from collections.abc import Mapping
from pathlib import Path

CHROMIUM_VARIABLE = "TESTWRIGHT_CHROMIUM"
_CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def program_on_path(name: str, env: Mapping[str, str]) -> Path | None:
    from shutil import which  # late: start-up: shutil loads three compression libraries

    found = which(name, path=env.get("PATH"))
    return Path(found) if found else None


def find_chromium(env: Mapping[str, str]) -> Path | None:
    """The browser that was named, or the first known one on the PATH, or one that Playwright has downloaded."""
    named = env.get(CHROMIUM_VARIABLE)
    if named:
        return Path(named) if os.access(named, os.X_OK) and Path(named).is_file() else None
    for name in _CHROMIUM_NAMES:
        found = program_on_path(name, env)
        if found is not None:
            return found
    cache = Path(env.get("PLAYWRIGHT_BROWSERS_PATH") or Path(env.get("HOME", "/")) / ".cache" / "ms-playwright")
    downloaded = [path for path in cache.glob("chromium-*/chrome-linux*/chrome") if os.access(path, os.X_OK)]
    return max(downloaded, key=_revision, default=None)


def _revision(browser: Path) -> int:
    """The number in `chromium-1187/chrome-linux/chrome`."""
    number = browser.parents[1].name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def find_node(env: Mapping[str, str]) -> Path | None:
    return program_on_path("node", env)
