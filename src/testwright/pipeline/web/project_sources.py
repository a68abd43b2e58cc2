"""A project's source files, for tests that are written from an error's stack."""

import json
import re
from collections import Counter
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from testwright.generate.web.syntax_trees import MOST_CHARACTERS, language_of
from testwright.generate.web.unit.source_access import ProjectConventions
from testwright.run.project import Project

_TEST_FILE = re.compile(r"(.+)(\.test|\.spec)\.[mc]?[jt]sx?")
_MOST_TESTS_READ = 40
_OPENING = 2_000  # characters of a test file that show its runner
_BABEL = ("babel.config.js", "babel.config.cjs", "babel.config.mjs", "babel.config.json", ".babelrc", ".babelrc.json")
_JEST = ("jest.config.js", "jest.config.cjs", "jest.config.mjs", "jest.config.ts", "jest.config.json")
_TRANSFORMS_ALL = (
    "ts-jest",
    "@swc/jest",
    "esbuild-jest",
    "next/jest",
    "@sucrase/jest-plugin",
    "babel-preset-react-app",
)
_TRANSFORMS_MODULES = (*_TRANSFORMS_ALL, "preset-env", "transform-modules-commonjs", "jest-preset-angular")
_TRANSFORMS_TYPES = (*_TRANSFORMS_ALL, "preset-typescript", "jest-preset-angular")


class FolderSources:
    """The source files below a folder. Nothing is run, and no link is followed out of the folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[str, str] = {}

    @cached_property
    def _project(self) -> Project:
        """Looked through once something is asked of it: a browser test needs none of it."""
        return Project.at(self._root)

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        tests = (name for name in self._project.names if language_of(name) not in ("", "python"))
        return tuple(name for name in tests if not _TEST_FILE.fullmatch(PurePosixPath(name).name))

    def find(self, name: str) -> str | None:
        """By the end of the path, the longest match; None where two are as good, or where only the names are alike."""
        wanted = _segments(name)
        if not wanted:
            return None
        alike = [(_shared(wanted, path.split("/")), path) for path in self._scripts if path.endswith(wanted[-1])]
        # All of the shorter one must be there: /assets/app.js is not src/app.js.
        sure = [(count, path) for count, path in alike if count and count == min(len(wanted), path.count("/") + 1)]
        best = max((count for count, _ in sure), default=0)
        found = [path for count, path in sure if count == best]
        return found[0] if len(found) == 1 else None

    def read(self, path: str) -> str:
        if path not in self._read:
            self._read[path] = self._text(path) if path in self._known else ""
        return self._read[path]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._project.names)

    def _text(self, path: str) -> str:
        file = self._project.path(path)
        try:
            is_ours = file.resolve().is_relative_to(self._project.root.resolve()) and file.is_file()
            if not is_ours or file.stat().st_size > 4 * MOST_CHARACTERS:
                return ""
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    @cached_property
    def customs(self) -> ProjectConventions:
        package = self._package
        settings = "\n".join(self.read(name) for name in (*_BABEL, *_JEST))
        settings += json.dumps([package.get("jest"), package.get("babel")])
        return ProjectConventions(
            is_module=package.get("type") == "module",
            jest_transforms=any(word in settings for word in _TRANSFORMS_MODULES),
            jest_transforms_typescript=any(word in settings for word in _TRANSFORMS_TYPES),
            test_infix=self._infix,
            has_typescript="tsconfig.json" in self._known,
        )

    @property
    def _package(self) -> dict[str, Any]:
        try:
            found = json.loads(self.read("package.json") or "{}")
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def _infix(self) -> str:
        """The word that the names of most unit tests have."""
        found: Counter[str] = Counter()
        names = [(name, _TEST_FILE.fullmatch(PurePosixPath(name).name)) for name in self._project.names]
        for name, match in [one for one in names if one[1] is not None][:_MOST_TESTS_READ]:
            if match is not None and "@playwright/test" not in self.read(name)[:_OPENING]:
                found[match[2]] += 1
        return min(found, key=lambda one: (-found[one], one)) if found else ".test"


def _segments(name: str) -> list[str]:
    """The parts of a path, without what a bundler or a browser has put before it."""
    parts = urlsplit(name)
    path = unquote(parts.path if parts.scheme else name.partition("?")[0].partition("#")[0])
    return [part for part in path.split("/") if part not in ("", ".", "..", "@fs", "~")]


def _shared(wanted: list[str], path: list[str]) -> int:
    """How many parts are the same, from the end."""
    count = 0
    for one, other in zip(reversed(wanted), reversed(path), strict=False):
        if one != other:
            break
        count += 1
    return count
