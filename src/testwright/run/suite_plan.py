"""From what a person asked for to the suites that have to run."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from testwright.model.case import Framework, TestCase
from testwright.model.errors import (
    InvalidPath,
    NotARegularFile,
    NoTests,
    PathNotAllowed,
    PathNotFound,
    PathUnreadable,
    UsageError,
)
from testwright.run.framework_adapter import FrameworkAdapter, RunRequest, Suite
from testwright.run.project import Project


class RunTarget(NamedTuple):
    """A file or folder, and maybe the name of a test in it: `tests/test_a.py::test_x`."""

    path: Path
    name: str = ""


class PlannedSuite(NamedTuple):
    """A suite that will run, what of it, and who knows how."""

    adapter: FrameworkAdapter
    suite: Suite
    request: RunRequest


def parse_target(text: str, project: Project) -> RunTarget:
    """What `text` names: the longest part of it that is a path, and the rest as a test's name."""
    parts = text.split("::")
    for count in range(len(parts), 0, -1):
        place = _place("::".join(parts[:count]), project)
        if place is not None:
            return RunTarget(place, "::".join(parts[count:]))
    raise PathNotFound(
        f"There is no {parts[0] or text!r} in {project.root}.",
        next_step="Name a file or folder of tests, or file::test.",
    )


def _place(text: str, project: Project) -> Path | None:
    """The file or folder of that name, seen from here or from the project's root. Raises if it may not be run."""
    if "\0" in text:
        raise InvalidPath(f"{text!r} is not a path: it holds a NUL character.")
    for base in (Path.cwd(), project.root):
        path = Path(os.path.abspath(base / text))  # noqa: PTH100  resolve() would follow links
        if os.path.exists(path):  # noqa: PTH110  Path.exists() raises where a name is too long
            _check(path, project)
            return path
    return None


def _check(path: Path, project: Project) -> None:
    real, root = Path(os.path.realpath(path)), Path(os.path.realpath(project.root))
    if not _holds(root, real):
        raise PathNotAllowed(
            f"{path} lies outside {project.root}, or leads there.",
            next_step="Name the project it belongs to with --project.",
        )
    if not real.is_file() and not real.is_dir():
        raise NotARegularFile(f"{path} is neither a file nor a folder.", next_step="Name a file or folder of tests.")
    if not os.access(path, os.R_OK):
        raise PathUnreadable(f"{path} may not be read.", next_step="Check its permissions.")


def plan_suites(
    project: Project,
    adapters: Iterable[FrameworkAdapter],
    request: RunRequest,
    *,
    targets: Sequence[RunTarget] = (),
    last_failed: Iterable[TestCase] | None = None,
) -> list[PlannedSuite]:
    """The suites to run. Raises NoTests, saying what was looked for."""
    found = [(adapter, suite) for adapter in adapters for suite in adapter.suites(project)]
    if not found:
        raise NoTests(
            f"No tests were found in {project.root}.",
            next_step="Testwright looks for pytest, Playwright, Vitest, Jest and node:test tests and for agent skills.",
        )
    planned = [PlannedSuite(adapter, suite, request) for adapter, suite in found]
    if last_failed is not None:
        planned = _only_cases(planned, tuple(last_failed), project)
        if not planned:
            raise NoTests("No test failed when it last ran.", next_step="`testwright run` alone runs every test.")
    if targets:
        planned = _only_targets(planned, targets)
    if not planned:
        raise NoTests("Nothing of what was asked for is a test.", next_step="`testwright run` alone runs every test.")
    return planned


def _only_targets(planned: Sequence[PlannedSuite], targets: Sequence[RunTarget]) -> list[PlannedSuite]:
    """Each suite with the targets that lie in it, or that it lies in."""
    mine: dict[int, list[RunTarget]] = {}
    for target in targets:
        takers = [number for number, item in enumerate(planned) if _concerns(target, item.suite)]
        for number in takers or _takers_of_any_file(target, planned):
            mine.setdefault(number, []).append(target)
    return [part for number in sorted(mine) for part in _narrowed(planned[number], mine[number])]


def _narrowed(item: PlannedSuite, targets: Sequence[RunTarget]) -> list[PlannedSuite]:
    """The suite, for these targets alone. Where a framework knows names by pattern only, one part for each file."""
    if any(not target.name and _holds(target.path, item.suite.root) for target in targets):
        return [item]  # the whole suite is below one of the targets
    paths = tuple(dict.fromkeys(target.path for target in targets if not target.name))
    named = tuple(dict.fromkeys((target.path, target.name) for target in targets if target.name))
    if item.suite.framework is Framework.PYTEST:
        return [item._replace(request=replace(item.request, paths=paths, named=named))]
    if named and item.request.select:
        raise UsageError(
            "Tests were named both as file::test and by a pattern to select them.", next_step="Use one of the two."
        )
    patterns: dict[Path, list[str]] = {}
    for path, name in named:
        patterns.setdefault(path, []).extend(_name_globs(name))
    parts = [replace(item.request, paths=paths)] if paths else []
    parts.extend(replace(item.request, paths=(path,), select=tuple(globs)) for path, globs in patterns.items())
    return [item._replace(request=part) for part in parts]


def _concerns(target: RunTarget, suite: Suite) -> bool:
    if target.path.is_file() and suite.files:
        return target.path in suite.files
    if suite.files:
        return any(_holds(target.path, file) for file in suite.files)
    return _holds(target.path, suite.root) or _holds(suite.root, target.path)


def _takers_of_any_file(target: RunTarget, planned: Sequence[PlannedSuite]) -> list[int]:
    """pytest runs a file of any name: one that no suite claims is for the suite around it."""
    if target.path.is_file() and target.path.suffix != ".py":
        return []
    suites = {number: item.suite for number, item in enumerate(planned) if item.suite.framework is Framework.PYTEST}
    innermost = _innermost(target.path, suites.values())
    return [number for number, suite in suites.items() if suite is innermost]


def _holds(folder: Path, path: Path) -> bool:
    return folder == path or folder in path.parents


def _name_globs(name: str) -> tuple[str, ...]:
    """Patterns that match the named test, or the tests of the named group."""
    plain = "".join(f"[{char}]" if char in "*?[" else char for char in name)
    return (plain, f"* › {plain}", f"{plain} › *")


def _only_cases(planned: Sequence[PlannedSuite], cases: Sequence[TestCase], project: Project) -> list[PlannedSuite]:
    """Each suite with those of `cases` that are its own; a case belongs to the innermost suite around its file."""
    kept = []
    for item in planned:
        rivals = [other.suite for other in planned if other.suite.framework is item.suite.framework]
        mine = tuple(
            case
            for case in cases
            if case.framework is item.suite.framework
            and _innermost(project.path(case.file), rivals) is item.suite
            and project.path(case.file).exists()
        )
        if mine:
            kept.append(item._replace(request=replace(item.request, only=mine)))
    return kept


def _innermost(file: Path, suites: Iterable[Suite]) -> Suite | None:
    around = [suite for suite in suites if file in suite.files] or [
        suite for suite in suites if _holds(suite.root, file)
    ]
    return max(around, key=lambda suite: len(suite.root.parts), default=None)
