"""Where in a project a generated web test belongs."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from testwright.generate.web.targets.web_target import TestPlaces
from testwright.model.foreign_folders import is_foreign
from testwright.run.project import WITHOUT_TESTS

_MOST_FOLDERS = 3_000
_USUAL = "tests"


def folder_for(root: Path, places: TestPlaces, named: str = "") -> str:
    """From the project's root, with forward slashes. `named` is what the settings say; it wins."""
    if named:
        return named.strip("/")
    tests = re.compile(places.tests)
    configured = _configured(root, places) if places.config else None
    mentioned = _folder_of(root, tests, places.mentions) if places.mentions and configured is None else None
    return _below(root, configured or mentioned or _folder_of(root, tests) or root / _USUAL)


def _configured(root: Path, places: TestPlaces) -> Path | None:
    """What the framework's own configuration says; None: there is none."""
    for folder, names in _walk(root):
        config = next((name for name in sorted(names) if re.fullmatch(places.config, name)), None)
        if config is not None:
            found = re.search(places.config_folder, _text(folder / config))
            return Path(os.path.normpath(folder / (found[1] if found else _USUAL)))
    return None


def _folder_of(root: Path, tests: re.Pattern[str], word: str = "") -> Path | None:
    """The first folder with a test, or with one that holds the word."""
    for folder, names in _walk(root):
        found = [name for name in sorted(names) if tests.fullmatch(name)]
        if any(not word or word in _text(folder / name) for name in found):
            return folder
    return None


def _walk(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Folders from the top down, in the same order each time, and not without end."""
    for count, (folder, below, names) in enumerate(os.walk(root)):
        if count > _MOST_FOLDERS:
            return
        below[:] = sorted(name for name in below if not is_foreign(folder, name, WITHOUT_TESTS))
        yield Path(folder), names


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(64 << 10).decode("utf-8", "replace")
    except OSError:
        return ""


def _below(root: Path, folder: Path) -> str:
    try:
        return folder.relative_to(root).as_posix()
    except ValueError:  # a configuration may lead anywhere; we write inside the project only
        return _USUAL
