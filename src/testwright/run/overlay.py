"""Try tests again without touching the project: on a copy of it that has other content in some files."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from testwright.model.case import TestCase
from testwright.model.errors import DiskFull, OverlayTooLarge, PathNotAllowed, UsageError
from testwright.model.foreign_folders import (
    BYTECODE,
    COVERAGE_REPORTS,
    HEAL_PATCHES,
    NODE_PACKAGES,
    TEST_RESULTS,
    TOOL_CACHES,
    VERSION_CONTROL,
    is_environment,
)
from testwright.model.state_folder import STATE_FOLDER
from testwright.run.framework_adapter import FrameworkAdapter
from testwright.run.frameworks.playwright_test import PlaywrightAdapter
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite

MOST_FILES = 50_000
MOST_BYTES = 1 << 30
# Large, and not written by tests: a link to the original does.
_LINKED = NODE_PACKAGES | VERSION_CONTROL | {".venv", "venv", ".tox", ".nox", ".yarn", ".pnpm-store"}
# What tools leave behind. It is not needed in the copy, and compiled files would be those of the old content.
_LEFT_OUT = BYTECODE | TOOL_CACHES | TEST_RESULTS | COVERAGE_REPORTS | {STATE_FOLDER, HEAL_PATCHES}


@contextmanager
def overlay(project_root: Path, suite_root: Path, changed: Mapping[str, bytes]) -> Iterator[Path]:
    """A copy of the project with `changed` content (by names from its root); it is removed at the end.

    Where the whole project is too large, what lies outside of the suite's folder is linked instead of copied.
    Raises OverlayTooLarge when even that does not help.
    """
    root = Path(os.path.realpath(project_root))
    with tempfile.TemporaryDirectory(prefix="testwright-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "project", root.name or "project")
        try:
            _copy(root, Path(os.path.realpath(suite_root)), changed, copy)
            _link_packages_from_above(root, copy)
            for name, content in changed.items():
                _write(copy, name, content)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(
                    f"There is no room for a copy of {project_root}.", next_step="Make room, or set TMPDIR."
                ) from error
            raise
        yield copy


def rerun_on(overlay: Path, planned: PlannedSuite, cases: Sequence[TestCase]) -> PlannedSuite:
    """The same suite for just these tests, as it lies in the copy. The tests keep their ids."""
    old = _project_of(planned.adapter)
    new = Project.at(overlay, exclude=old.exclude)
    suite = planned.suite
    moved = suite._replace(
        root=_moved(suite.root, old, new),
        files=tuple(_moved(file, old, new) for file in suite.files),
        config=None if suite.config is None else _moved(suite.config, old, new),
    )
    request = replace(
        planned.request.for_cases(tuple(cases)),
        left_out=tuple(_moved(file, old, new) for file in planned.request.left_out),
        coverage_file=None,
        trace=None,
        aside=overlay.parent / "results",  # reports that the configuration sends to a fixed place are not overwritten
        pages=None,
        fail_fast=False,
        workers=None,
    )
    return PlannedSuite(_adapter_at(planned.adapter, new), moved, request)


def traced_rerun(planned: PlannedSuite, cases: Sequence[TestCase], folder: Path) -> PlannedSuite:
    """The same suite for just these tests, traced: an attempt of its own, to see the page. Its files go to `folder`.

    To trace every test of every run would cost a green suite a tenth to a fifth of its time.
    """
    request = replace(planned.request.for_cases(tuple(cases)), trace="on", aside=folder, fail_fast=False)
    return planned._replace(request=request)


def _project_of(adapter: FrameworkAdapter) -> Project:
    if isinstance(adapter, PlaywrightAdapter | PytestAdapter):
        return adapter.project
    raise UsageError(f"Tests of {adapter.framework} cannot be run again on a copy of their project.")


def _adapter_at(adapter: FrameworkAdapter, project: Project) -> FrameworkAdapter:
    if isinstance(adapter, PlaywrightAdapter):
        return replace(adapter, project=project)
    assert isinstance(adapter, PytestAdapter)
    return replace(adapter, project=project)


def _moved(path: Path, old: Project, new: Project) -> Path:
    name = old.name_of(path)
    return path if name.startswith("/") else new.path(name)


# --- making the copy ---------------------------------------------------------------------------


def _copy(root: Path, suite: Path, changed: Mapping[str, bytes], copy: Path) -> None:
    needed = {suite, *(parent for name in changed for parent in root.joinpath(name).parents if root in parent.parents)}
    try:
        _Copying(root, copy, None).run()
    except OverlayTooLarge:
        if suite == root:
            raise
        shutil.rmtree(copy)
        _Copying(root, copy, needed).run()


class _Copying:
    def __init__(self, root: Path, copy: Path, only: set[Path] | None) -> None:
        self._root, self._copy, self._only = root, copy, only
        self._files = self._bytes = 0

    def run(self) -> None:
        waiting = [self._root]
        while waiting:
            folder = waiting.pop()
            there = self._copy / folder.relative_to(self._root)
            there.mkdir(parents=True)
            with os.scandir(folder) as entries:
                waiting.extend(Path(entry.path) for entry in entries if self._take(entry, there / entry.name))

    def _take(self, entry: "os.DirEntry[str]", there: Path) -> bool:
        """Copy or link one entry. True for a folder that is to be copied too."""
        if entry.is_symlink():
            there.symlink_to(self._target(Path(entry.path)))
        elif entry.is_dir():
            if entry.name in _LEFT_OUT:
                return False
            if not self._is_linked(entry):
                return True
            there.symlink_to(entry.path)
        elif entry.is_file():  # not a pipe or a socket, which would never end
            self._count(entry.stat().st_size)
            if os.access(entry.path, os.R_OK):
                shutil.copy2(entry.path, there)
        return False

    def _is_linked(self, entry: "os.DirEntry[str]") -> bool:
        path = Path(entry.path)
        if entry.name in _LINKED or is_environment(path):
            return True
        return self._only is not None and not any(
            path == place or place in path.parents or path in place.parents for place in self._only
        )

    def _target(self, link: Path) -> Path:
        """Where a link of the copy leads: within the copy for what lies inside the project, else where it led."""
        real = Path(os.path.normpath(link.parent / link.readlink()))
        if real == self._root or self._root in real.parents:
            return self._copy / real.relative_to(self._root)
        return real

    def _count(self, size: int) -> None:
        self._files += 1
        self._bytes += size
        if self._files > MOST_FILES or self._bytes > MOST_BYTES:
            raise OverlayTooLarge(
                f"{self._root} is too large to be copied: more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB.",
                next_step="Keep large data out of the project, or name a smaller project with --project.",
            )


def _link_packages_from_above(root: Path, copy: Path) -> None:
    """Node looks for packages in every folder above a file; above the copy there are none."""
    found = next((folder / "node_modules" for folder in root.parents if (folder / "node_modules").is_dir()), None)
    if found is not None:
        (copy.parent / "node_modules").symlink_to(found)


def _write(copy: Path, name: str, content: bytes) -> None:
    parts = PurePosixPath(name).parts
    file = copy.joinpath(*parts)
    inside = bool(parts) and not name.startswith("/") and ".." not in parts
    if not inside or Path(os.path.realpath(file.parent)) != Path(os.path.realpath(copy), *parts[:-1]):
        raise PathNotAllowed(
            f"{name} does not lie in the project itself.", next_step="Only files of the project can be changed."
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode if file.is_file() else None
    file.unlink(missing_ok=True)  # it may be a link
    file.write_bytes(content)
    if mode is not None:
        file.chmod(mode & 0o777)
