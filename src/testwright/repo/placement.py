"""Where a new test for a module goes, and by what name it does not get in the way of those that are there."""

from pathlib import Path

from testwright.repo.layout import RepoLayout
from testwright.repo.pytest_settings import pytest_settings
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
