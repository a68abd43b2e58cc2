"""The plan of a generation: for each module how it is imported, where its tests will lie, what exists already.

Everything is settled here, one module after another, so that what is then done at the same time cannot get in each
other's way: no two modules claim the same file, and modules that share a folder share its conftest.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from testwright.generate.measured_results import Generated
from testwright.generate.module_request import Budget, ModuleRequest
from testwright.generate.quality_gates.all_gates import GateCriteria
from testwright.generate.quality_gates.single_run import SuiteFile
from testwright.generate.quality_gates.suite_worth import WorthBudget
from testwright.generate.target_files import ModuleTarget
from testwright.isolate.child import run_child
from testwright.isolate.command import Command
from testwright.isolate.guard import IsolationLevel
from testwright.isolate.limits import Limits
from testwright.model.errors import PathNotAllowed, RunnerMissing, TestwrightError
from testwright.repo.bootstrap import ConftestAddition, NewConftest, bootstrap_edit
from testwright.repo.file_roles import is_written_by_us
from testwright.repo.import_map import ImportMap, resolve_import
from testwright.repo.layout import RepoLayout, detect_layout, find_repo_root
from testwright.repo.placement import new_test_file, tests_folder
from testwright.repo.related_tests import tests_about
from testwright.repo.repo_files import absolute, environment_root
from testwright.run.project_interpreter import project_python

OLDEST_PYTHON = (3, 11)
_ASK = "import sys, importlib.util as u; print(*sys.version_info[:2], int(u.find_spec('pytest') is not None))"


@dataclass(frozen=True)
class Wish:
    """What a person asked for, besides the targets."""

    root: Path
    """The project."""
    output: Path | None = None
    """Where to write the tests at once; None: they become proposals for the project's own tests folder."""
    python: Path | None = None
    seed: int = 1337
    budget: Budget = field(default_factory=Budget)
    level: IsolationLevel = IsolationLevel.R1
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)


@dataclass(frozen=True)
class ModulePlan:
    request: ModuleRequest
    layout: RepoLayout
    """Of the repository that the module belongs to."""
    shown: str
    """The module's file, as the reader calls it."""
    folder: Path
    """Where its tests will lie."""
    name: str
    """The test file's name."""
    conftest: str | None = None
    """The whole `conftest.py` that the folder must have; None: nothing has to change."""
    staged_conftest: str | None = None
    """The conftest to judge the tests with, where the one in the folder would not work."""


@dataclass(frozen=True)
class RefusedTarget:
    shown: str
    error: TestwrightError


def plan_modules(targets: Sequence[ModuleTarget], wish: Wish) -> list[ModulePlan | RefusedTarget]:
    """A plan, or the reason why there is none, for each target in turn."""
    planner = _Planner(wish)
    planned = [planner.planned(target) for target in targets]
    return [planner.with_conftest(plan) if isinstance(plan, ModulePlan) else plan for plan in planned]


class _Planner:
    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._layouts: dict[Path, RepoLayout] = {}
        self._claimed: set[Path] = set()
        self._maps: dict[Path, list[ImportMap]] = {}  # by the folder of the tests

    def planned(self, target: ModuleTarget) -> ModulePlan | RefusedTarget:
        shown = _shown(target.file, self._wish.root)
        try:
            return self._plan(target, shown)
        except TestwrightError as error:
            return RefusedTarget(shown, error)

    def _plan(self, target: ModuleTarget, shown: str) -> ModulePlan:
        wish, file = self._wish, target.file
        self._check_place(file)
        root = wish.root if file.is_relative_to(wish.root) else find_repo_root(file)
        python = project_python(file.parent, wish.env, given=wish.python, stop_at=root)
        _check_python(python)
        layout = self._layout(root)
        folder = wish.output or tests_folder(layout, file)
        import_map = resolve_import(file, root=root, python=python, tests_dir=folder)
        self._maps.setdefault(folder, []).append(import_map)
        request = ModuleRequest(
            file=file,
            import_map=import_map,
            python=python,
            root=root,
            qualnames=target.qualnames,
            seed=wish.seed,
            budget=wish.budget,
            level=wish.level,
        )
        name = self._claim(folder, import_map.module_name, layout)
        if wish.output is None:
            existing = tests_about(file, import_map.module_name, (folder, file.parent), layout)
            # What we wrote before is about to be written again: it is not a reason to write less.
            request = replace(request, existing_tests=tuple(test for test in existing if test != folder / name))
        return ModulePlan(request, layout, shown, folder, name)

    def _check_place(self, file: Path) -> None:
        """Proposals are for files of the project: code that lies elsewhere needs a folder for its tests."""
        if self._wish.output is not None:
            return
        if environment_root(file) is not None or not file.is_relative_to(self._wish.root):
            raise PathNotAllowed(
                f"{file} does not belong to the project in {self._wish.root}.",
                next_step="Name its project's folder with --project, or a folder for the tests with --output.",
            )

    def _layout(self, root: Path) -> RepoLayout:
        if root not in self._layouts:
            self._layouts[root] = detect_layout(root)
        return self._layouts[root]

    def _claim(self, folder: Path, module_name: str, layout: RepoLayout) -> str:
        """A name for the test file that neither another module of this run nor a file of the user's has."""
        parts = [part.replace("-", "_") for part in module_name.split(".")]
        usual = [folder / f"test_{'_'.join(parts[-length:])}.py" for length in range(1, len(parts) + 1)]
        candidates = [file for file in usual if is_written_by_us(file)]
        candidates += [] if self._wish.output else [new_test_file(folder, module_name, layout)]
        candidates += [*usual, *(folder / f"test_{'_'.join(parts)}_{number}.py" for number in range(2, 1000))]
        chosen = next(
            file
            for file in candidates
            if file not in self._claimed and (is_written_by_us(file) or not os.path.lexists(file))
        )
        self._claimed.add(chosen)
        return chosen.name

    def with_conftest(self, plan: ModulePlan) -> ModulePlan:
        """The plan with the conftest that all modules whose tests lie in that folder need together."""
        maps = [each for each in self._maps[plan.folder] if each.needs_bootstrap]
        is_elsewhere = not plan.folder.is_relative_to(plan.request.root)
        together = _together(maps) if maps else plan.request.import_map
        edit = bootstrap_edit(plan.folder, together)
        content = edit.content if isinstance(edit, NewConftest | ConftestAddition) else None
        staged = content
        if is_elsewhere and (content is not None or edit.path.is_file()):
            # The tests are judged in another place than this folder: paths that start at it lead nowhere there.
            text = content if content is not None else edit.path.read_text(encoding="utf-8", errors="replace")
            staged = text.replace(together.render_bootstrap(plan.folder), together.render_bootstrap())
        return replace(plan, conftest=content, staged_conftest=staged)


def _together(maps: Sequence[ImportMap]) -> ImportMap:
    """One map with the roots of all."""
    roots = dict.fromkeys(root for each in maps for root in each.sys_path_roots)
    by_file = dict.fromkeys(pair for each in maps for pair in each.by_file)
    return replace(maps[0], sys_path_roots=tuple(roots), by_file=tuple(by_file))


def _shown(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else str(absolute(file))


@lru_cache(maxsize=64)
def _check_python(python: Path) -> None:
    """Raises RunnerMissing where this interpreter is too old, or has no pytest."""
    report = run_child(Command([str(python), "-I", "-c", _ASK], Path("/"), {}), limits=Limits(seconds=30.0))
    words = report.stdout.text.split()
    if report.exit_code != 0 or len(words) != 3:
        raise RunnerMissing(
            f"{python} did not answer as a Python interpreter does.",
            next_step="Name an interpreter, or an environment's folder, with --python.",
        )
    major, minor, has_pytest = map(int, words)
    if (major, minor) < OLDEST_PYTHON:
        raise RunnerMissing(
            f"{python} is Python {major}.{minor}: exploring code needs Python 3.11 or newer.",
            next_step="Name a newer interpreter that has the project's dependencies with --python.",
        )
    if not has_pytest:
        raise RunnerMissing(
            f"pytest is not installed for {python}.",
            next_step=f"Install it: {python} -m pip install pytest. Or name another interpreter with --python.",
        )


def suite_file(plan: ModulePlan, text: str) -> SuiteFile:
    """`text` as the test file of a module, with all that it needs to run."""
    request = plan.request
    return SuiteFile(
        name=plan.name,
        text=text,
        folder=plan.folder,
        root=request.root,
        python=request.python,
        level=request.level,
        support={"conftest.py": plan.staged_conftest} if plan.staged_conftest is not None else {},
        roots=request.import_map.sys_path_roots if request.import_map.needs_bootstrap else (),
        readable=(request.file.parent, *map(Path, request.import_map.sys_path_roots)),
    )


def gate_criteria(plan: ModulePlan, generated: Generated) -> GateCriteria:
    request = plan.request
    return GateCriteria(
        target_import=request.import_map.target_import,
        module_name=request.import_map.module_name,
        module_file=request.file,
        shown_file=plan.shown,
        mutants=generated.mutants,
        baseline=request.baseline,
        effort=WorthBudget.of(request.budget),
        needs_bootstrap=request.import_map.needs_bootstrap,
        covered=generated.covered,
    )
