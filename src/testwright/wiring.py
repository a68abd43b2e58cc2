"""The only place that chooses: which store, which frameworks, which isolation."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.isolate.guard import IsolationLevel
from testwright.model.case import RUNNABLE, Framework
from testwright.model.state_folder import pending_folder
from testwright.run.external_programs import CHROMIUM_VARIABLE, find_node
from testwright.run.framework_adapter import FrameworkAdapter, Suite
from testwright.run.project import Project
from testwright.run.project_interpreter import project_python
from testwright.settings import Settings

if TYPE_CHECKING:
    from testwright.pipeline.healing.on_request.file_proposals import Rerunner
    from testwright.pipeline.running.copy_run import TrialProject
    from testwright.pipeline.running.run_keeper import RunKeeper
    from testwright.pipeline.web.answer import WebTestAnswer, WebTestTools
    from testwright.review.review_queue import ReviewQueue
    from testwright.run.driver import ChildAccess
    from testwright.store.project_store import Store

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx")
STORE_VARIABLE = "TESTWRIGHT_STORE"  # wins over the setting, so that CI can name its own


def adapters(
    project: Project, *, frameworks: Iterable[Framework] = RUNNABLE, python: Path | None = None, warm: bool = False
) -> list[FrameworkAdapter]:
    """An adapter for each of the frameworks that the project can have, in the order given."""
    makers: dict[Framework, Callable[[], FrameworkAdapter]] = {
        Framework.PYTEST: lambda: _pytest(project, python),
        Framework.PLAYWRIGHT: lambda: _playwright(project),
        Framework.VITEST: lambda: _vitest(project),
        Framework.JEST: lambda: _jest(project),
        Framework.NODE: lambda: _node(project),
        Framework.SKILL: lambda: _skill(project, python, warm=warm),
    }
    possible = _possible(project)
    return [makers[framework]() for framework in frameworks if framework in possible]


def _possible(project: Project) -> set[Framework]:
    """What the names of the project's files allow for; a framework that cannot be there need not be loaded."""
    possible = {Framework.PYTEST}
    if any(name.endswith(_SCRIPTS) for name in project.names):
        possible |= {Framework.NODE, Framework.VITEST, Framework.JEST, Framework.PLAYWRIGHT}
    if any("skills/" in name.lower() for name in project.names):
        possible.add(Framework.SKILL)
    return possible


def open_store(root: Path, settings: Settings) -> "Store":
    """The project's store: PostgreSQL when a URL is configured, a file in the project otherwise."""
    from testwright.store.project_store import open_store as open_at  # late: start-up: SQLAlchemy

    where = store_place(root, settings)
    return open_at(where, project=root.name if isinstance(where, str) else "")


def store_place(root: Path, settings: Settings) -> Path | str:
    """A file, or the URL of a server."""
    where = os.environ.get(STORE_VARIABLE) or settings.store
    return where if "://" in where else root / where


def keeping(root: Path, settings: Settings) -> "RunKeeper":
    """Where the runs of the project are kept, as its settings say."""
    # late: start-up: nothing is kept before the head start
    from testwright.pipeline.running.run_keeper import RunKeeper

    is_server = isinstance(store_place(root, settings), str)
    return RunKeeper(pending_folder(root), lambda: open_store(root, settings), shared=is_server)


@contextmanager
def open_review(root: Path, settings: Settings) -> "Iterator[ReviewQueue]":
    """The review queue of the project, after every write that an earlier process did not finish has been settled."""
    # late: start-up: `run` reviews nothing
    from testwright.review.confined_root import ConfinedRoot
    from testwright.review.review_queue import ReviewQueue

    with keeping(root, settings).open() as store, ConfinedRoot(root) as confined:
        queue = ReviewQueue(confined, store.proposals)
        queue.recover()
        yield queue


def web_test_tools(root: Path, settings: Settings, *, progress: Callable[[str], None]) -> "WebTestTools":
    """What `test_from_context` needs of the project: its runners, its review queue, its baselines."""
    # late: start-up: only for web tests
    from testwright.pipeline.web.answer import WebTestTools, propose
    from testwright.pipeline.web.trial_runner import answers_at, trial_on
    from testwright.review.confined_root import ConfinedRoot

    def queued(answer: "WebTestAnswer") -> str:
        with open_review(root, settings) as queue, ConfinedRoot(root) as confined:
            return propose(answer, confined, queue)

    project = trial_project(root, settings)
    return WebTestTools(
        root,
        settings.web_tests,
        settings.base_url,
        trial=lambda folder: trial_on(project, folder),
        is_reachable=answers_at,
        propose=queued,
        progress=progress,
    )


def file_rerunner(root: Path, settings: Settings) -> "Rerunner":
    """Whether a file's tests pass with other content, as the project's own runners see it."""
    from testwright.pipeline.running.copy_run import rerunner  # late: start-up: only where a change is tried

    return rerunner(trial_project(root, settings), test_seconds=settings.timeout)


def trial_project(root: Path, settings: Settings) -> "TrialProject":
    """The project, to run tests on a copy of it."""
    # late: start-up: only where tests run on a copy
    from testwright.isolate.limits import Limits
    from testwright.pipeline.running.copy_run import TrialProject

    def adapters_at(copy: Project) -> list[FrameworkAdapter]:
        # The interpreter is the project's own: a copy of the project has none.
        python = project_python(root, os.environ, given=settings.python_at(root), stop_at=root)
        return adapters(copy, python=python)

    limits = Limits(memory_bytes=settings.memory or None, output_bytes=settings.output)
    return TrialProject(root, adapters_at, settings.exclude, limits)


def guarded_access(
    project: Project, wanted: IsolationLevel | None, python: Path | None
) -> "Callable[[Suite], AbstractContextManager[ChildAccess]]":
    """Guarded access for each suite, at the level asked for or the strongest there is."""

    @contextmanager
    def around(suite: Suite) -> "Iterator[ChildAccess]":
        # late: start-up: only where the tests run under a guard
        from testwright.isolate.available_levels import choose_level, probe_levels
        from testwright.isolate.sandbox import open_sandbox
        from testwright.run.driver import ChildAccess

        level = choose_level(wanted, probe_levels())
        interpreter = project_python(suite.root, os.environ, given=python, stop_at=project.root)
        with open_sandbox(project.root, level, readable=_needed_by_runners(interpreter)) as sandbox:
            env = sandbox.env(os.environ, extra_names=(CHROMIUM_VARIABLE,))
            # Caches that pytest and Python would leave in the project, which is not theirs to write to here.
            env["PYTHONPYCACHEPREFIX"] = str(sandbox.temp / "pycache")
            env["PYTEST_ADDOPTS"] = f"-o cache_dir={sandbox.temp / 'pytest_cache'}"
            yield ChildAccess(env, sandbox.guard)

    return around


def _needed_by_runners(interpreter: Path) -> list[Path]:
    """What a runner reads besides the project: our reporters, its interpreter and that one's packages, Node."""
    node = find_node(os.environ)
    links = [interpreter, *([node] if node is not None else [])]
    prefixes = [path.resolve().parent.parent for path in links] + [interpreter.parent.parent]
    return [Path(__file__).parent, *prefixes]


def _pytest(project: Project, python: Path | None) -> FrameworkAdapter:
    from testwright.run.frameworks.pytest import PytestAdapter  # late: start-up: only where such tests can be

    return PytestAdapter(project, python)


def _playwright(project: Project) -> FrameworkAdapter:
    # late: start-up: only where such tests can be
    from testwright.run.frameworks.playwright_test import PlaywrightAdapter

    return PlaywrightAdapter(project)


def _vitest(project: Project) -> FrameworkAdapter:
    from testwright.run.frameworks.vitest import VitestAdapter  # late: start-up: only where such tests can be

    return VitestAdapter(project)


def _jest(project: Project) -> FrameworkAdapter:
    from testwright.run.frameworks.jest import JestAdapter  # late: start-up: only where such tests can be

    return JestAdapter(project)


def _node(project: Project) -> FrameworkAdapter:
    from testwright.run.frameworks.node_test import NodeTestAdapter  # late: start-up: only where such tests can be

    return NodeTestAdapter(project)


def _skill(project: Project, python: Path | None, *, warm: bool) -> FrameworkAdapter:
    from testwright.run.frameworks.skill import SkillAdapter  # late: start-up: only where such tests can be

    return SkillAdapter(project, warm=warm, python=python)
