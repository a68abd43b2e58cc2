"""The folder that tests are looked for in."""

import fnmatch
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from testwright.model.errors import NotARegularFile, PathNotFound, PathUnreadable
from testwright.model.foreign_folders import (
    BUILD_OUTPUT,
    BYTECODE,
    COVERAGE_REPORTS,
    ENVIRONMENTS,
    NODE_PACKAGES,
    PYTHON_PACKAGES,
    TEST_RESULTS,
    is_foreign,
)

# Folders that hold other people's code or what a tool left, never this project's tests.
WITHOUT_TESTS = (
    NODE_PACKAGES | PYTHON_PACKAGES | ENVIRONMENTS | BUILD_OUTPUT | BYTECODE | COVERAGE_REPORTS | TEST_RESULTS
    | {"coverage", "vendor"}
)  # fmt: skip
_SEEN_THOUGH_HIDDEN = frozenset({".AchillesSkills"})


@dataclass(frozen=True)
class Project:
    """A folder and the files below it, read once. Files go by `name`: from the root, with forward slashes."""

    root: Path
    exclude: tuple[str, ...] = ()  # globs on names; what matches is not looked into

    @classmethod
    def at(cls, folder: Path, *, exclude: tuple[str, ...] = ()) -> "Project":
        root = Path(os.path.abspath(folder))  # noqa: PTH100  resolve() would follow links
        if not root.exists():
            raise PathNotFound(f"There is no {root}.", next_step="Check the path, or run from the project's folder.")
        if not root.is_dir():
            raise NotARegularFile(f"{root} is not a folder.", next_step="Name the project's folder.")
        if not os.access(root, os.R_OK | os.X_OK):
            raise PathUnreadable(f"{root} may not be read.", next_step="Check its permissions.")
        return cls(root, exclude)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every file that could matter, sorted, so that two looks at the same project see the same order."""
        found: list[str] = []
        for folder, subfolders, files in os.walk(self.root):
            here = self.name_of(folder)
            start = "" if here == "." else here + "/"
            subfolders[:] = [name for name in subfolders if self._is_worth_entering(folder, name, start + name)]
            found.extend(start + name for name in files if not self._is_excluded(start + name))
        return tuple(sorted(found))

    def _is_excluded(self, name: str) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.exclude)

    def _is_worth_entering(self, folder: str, name: str, full_name: str) -> bool:
        if self._is_excluded(full_name):
            return False
        if name in _SEEN_THOUGH_HIDDEN:
            return True
        return not is_foreign(folder, name, WITHOUT_TESTS)

    def path(self, name: str) -> Path:
        return self.root / name

    def name_of(self, path: str | Path) -> str:
        """`path` as this project calls it: relative with forward slashes where it lies inside, else as it is."""
        absolute = os.path.normpath(self.root / path)
        for root in self._roots:
            if absolute == root:
                return "."
            prefix = root.rstrip(os.sep) + os.sep
            if absolute.startswith(prefix):
                return absolute.removeprefix(prefix).replace(os.sep, "/")
        return absolute

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        """The root as it was given, and as a runner started in it sees it: with links followed."""
        return tuple(dict.fromkeys((str(self.root), os.path.realpath(self.root))))


def folder_of(name: str) -> str:
    """The folder a project's file lies in; "" for the root."""
    return name.rpartition("/")[0]


def is_below(name: str, folder: str) -> bool:
    """Whether a project's file or folder lies in `folder` or below it."""
    return not folder or name == folder or name.startswith(folder + "/")


def nearest(name: str, folders: tuple[str, ...]) -> str | None:
    """The innermost of `folders` that `name` lies below."""
    return max((folder for folder in folders if is_below(name, folder)), key=len, default=None)


def lies_in(file: Path, places: Iterable[Path]) -> bool:
    """Whether a file is one of `places`, or below one of them."""
    return any(file == place or place in file.parents for place in places)
