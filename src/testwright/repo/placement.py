"""Where a new test for a module goes, by what its project tells pytest, and a name that is free there."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from testwright.repo.layout import RepoLayout
from testwright.repo.packaging_files import read_ini, read_toml, table, texts
from testwright.repo.repo_files import absolute, walk

_USUAL_NAMES = ("tests", "test")


def tests_folder(layout: RepoLayout, module_file: Path) -> Path:
    """The folder the project keeps the tests of `module_file` in; `tests` beside its packages when there is none."""
    module_file = absolute(module_file)
    member = layout.member_of(module_file)
    base = member.folder if member is not None else layout.root
    for folder in dict.fromkeys((base, layout.root)):
        settings = pytest_settings(folder, layout.root)
        for path in settings.testpaths:
            found = absolute(settings.folder / path)
            if found.is_dir() and found.is_relative_to(base) and not module_file.is_relative_to(found):
                return found
        for name in _USUAL_NAMES:
            if (folder / name).is_dir():
                return folder / name
    for folder in module_file.parents:  # a package that carries its own tests
        if folder == base:
            break
        if not layout.is_environment and (folder / "tests").is_dir():
            return folder / "tests"
    return base / "tests"


def new_test_file(tests_dir: Path, module_name: str, layout: RepoLayout) -> Path:
    """A file in `tests_dir` for the tests of `module_name`: `test_<module>.py`, or a name that is still free."""
    parts = [part.replace("-", "_") for part in module_name.split(".")]
    taken = _taken(tests_dir, layout)
    for length in range(1, len(parts) + 1):
        name = f"test_{'_'.join(parts[-length:])}.py"
        if name not in taken:
            return tests_dir / name
    number = 2
    while f"test_{parts[-1]}_{number}.py" in taken:
        number += 1
    return tests_dir / f"test_{parts[-1]}_{number}.py"


def _taken(tests_dir: Path, layout: RepoLayout) -> set[str]:
    """Names that cannot be used: those in the folder, and without packages or importlib mode those of any other folder.

    pytest imports a test file that is in no package by its bare name, and two files cannot share one.
    """
    taken = {path.name for path in tests_dir.glob("*.py")} if tests_dir.is_dir() else set()
    settings = pytest_settings(tests_dir, layout.root)
    if (tests_dir / "__init__.py").is_file() or settings.import_mode == "importlib" or layout.is_environment:
        return taken
    for _, _, files in walk(layout.root):
        if "__init__.py" not in files:
            taken.update(name for name in files if name.endswith(".py"))
    return taken


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
