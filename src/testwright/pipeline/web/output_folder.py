"""Where in a project a generated web test belongs."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from testwright.generate.web.web_plan import WebFramework
from testwright.model.foreign_folders import is_foreign
from testwright.run.project import WITHOUT_TESTS

_MOST_FOLDERS = 3_000
_TEST_DIR = re.compile(r"""testDir\s*:\s*['"`]([^'"`]{1,200})['"`]""")
_CONFIGS = re.compile(r"playwright\.config\.[cm]?[jt]s")
_SPECS = re.compile(r".+\.(?:spec|test)\.[cm]?[jt]sx?")


def folder_for(root: Path, framework: WebFramework, named: str = "") -> str:
    """From the project's root, with forward slashes. `named` is what the settings say; it wins."""
    if named:
        return named.strip("/")
    if framework is WebFramework.PYTEST:
        return _python_folder(root)
    return _playwright_folder(root) if framework is WebFramework.PLAYWRIGHT else _unit_folder(root)


def _playwright_folder(root: Path) -> str:
    for folder, names in _walk(root):
        config = next((name for name in sorted(names) if _CONFIGS.fullmatch(name)), None)
        if config is not None:
            found = _TEST_DIR.search(_text(folder / config))
            inside = os.path.normpath(folder / (found[1] if found else "tests"))
            return _below(root, Path(inside))
    return _below(root, _folder_of(root, _SPECS) or root / "tests")


def _unit_folder(root: Path) -> str:
    return _below(root, _folder_of(root, re.compile(r".+\.test\.[cm]?[jt]sx?")) or root / "tests")


def _python_folder(root: Path) -> str:
    """Beside the tests that use a page already, else where tests are."""
    tests = re.compile(r"test_.+\.py|.+_test\.py")
    for folder, names in _walk(root):
        if any(tests.fullmatch(name) and "playwright" in _text(folder / name) for name in sorted(names)):
            return _below(root, folder)
    return _below(root, _folder_of(root, tests) or root / "tests")


def _folder_of(root: Path, pattern: re.Pattern[str]) -> Path | None:
    return next((folder for folder, names in _walk(root) if any(map(pattern.fullmatch, names))), None)


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
        return "tests"
