"""What a project tells pytest: where tests are, how they are imported, what it puts on the search path."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from testwright.repo.packaging_files import read_ini, read_toml, table, texts


@dataclass(frozen=True, slots=True)
class PytestSettings:
    folder: Path
    """What relative paths in the settings start from: the folder of the file they stand in."""
    testpaths: tuple[str, ...] = ()
    pythonpath: tuple[Path, ...] = ()
    import_mode: str = "prepend"


def pytest_settings(start: Path, stop: Path) -> PytestSettings:
    """The settings for tests in `start`: those of the first folder upwards to `stop` that has some, as pytest looks."""
    folder = start
    while True:
        found = _settings_in(folder)
        if found is not None:
            return _understood(folder, found)
        if folder == stop or folder == folder.parent:
            return PytestSettings(stop)
        folder = folder.parent


def _settings_in(folder: Path) -> dict[str, object] | None:
    """pytest's own order: its own files count even when empty, shared ones only with a section for it."""
    for name in ("pytest.toml", ".pytest.toml"):
        if (folder / name).is_file():
            return table(read_toml(folder / name), "pytest")
    for name in ("pytest.ini", ".pytest.ini"):
        if (folder / name).is_file():
            return dict(read_ini(folder / name).get("pytest", {}))
    tool = table(read_toml(folder / "pyproject.toml"), "tool", "pytest")
    if tool:
        return table(tool, "ini_options") or tool
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        found = read_ini(folder / name).get(section)
        if found is not None:
            return dict(found)
    return None


def _understood(folder: Path, settings: dict[str, object]) -> PytestSettings:
    paths = tuple(folder / path.strip() for path in texts(settings.get("pythonpath")) if path.strip())
    return PytestSettings(
        folder,
        tuple(path.strip() for path in texts(settings.get("testpaths")) if path.strip()),
        paths,
        _import_mode(settings.get("addopts")),
    )


def _import_mode(options: object) -> str:
    try:
        words = shlex.split(options) if isinstance(options, str) else texts(options)
    except ValueError:  # an unclosed quote: pytest will say so itself
        return "prepend"
    for position, word in enumerate(words):
        if word.startswith("--import-mode"):
            return word.partition("=")[2] or " ".join(words[position + 1 : position + 2])
    return "prepend"
