"""The only place that chooses: which store, which frameworks, which isolation."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.isolate.guard import Rung
from testwright.model.case import Framework
from testwright.pipeline import keeping
from testwright.run.driver import Surroundings
from testwright.run.framework import Adapter, Suite
from testwright.run.project import Project
from testwright.settings import FOLDER, Settings

if TYPE_CHECKING:
    from testwright.review.queue import ReviewQueue
    from testwright.store.database import Store

# The frameworks we can run, in the order they run in: the quick ones first.
RUNNABLE = (Framework.PYTEST, Framework.SKILL, Framework.NODE, Framework.VITEST, Framework.JEST, Framework.PLAYWRIGHT)
STORE_VARIABLE = "TESTWRIGHT_STORE"  # wins over the setting, so that CI can name its own


def adapters(
    project: Project, *, frameworks: Iterable[Framework], python: Path | None = None, warm: bool = False
) -> list[Adapter]:
    """An adapter for each of the frameworks, in the order given."""
    makers: dict[Framework, Callable[[], Adapter]] = {
        Framework.PYTEST: lambda: _pytest(project, python),
        Framework.PLAYWRIGHT: _playwright,
        Framework.VITEST: _vitest,
        Framework.JEST: _jest,
        Framework.NODE: _node,
        Framework.SKILL: lambda: _skill(project, python, warm=warm),
    }
    return [makers[framework]() for framework in frameworks]


def open_store(root: Path, settings: Settings) -> "Store":
    """The project's store: PostgreSQL when a URL is configured, a file in the project otherwise."""
    from testwright.store.database import open_store as open_at

    where = os.environ.get(STORE_VARIABLE) or settings.store
    if "://" in where:
        return open_at(where, project=root.name)
    return open_at(root / where)


class Keeping(keeping.Keeping):
    """Keeps a run where the project's settings say."""

    def __init__(self, root: Path, settings: Settings) -> None:
        super().__init__(root / FOLDER, lambda: open_store(root, settings))


@contextmanager
def open_review(root: Path, settings: Settings) -> "Iterator[ReviewQueue]":
    """The review queue of the project, with every write settled that an earlier process did not see through."""
    from testwright.review.confined import ConfinedRoot
    from testwright.review.queue import ReviewQueue

    with Keeping(root, settings).open() as store, ConfinedRoot(root) as confined:
        queue = ReviewQueue(confined, store.proposals)
        queue.recover()
        yield queue


def guarded_surroundings(rung: Rung | None) -> Callable[[Suite], AbstractContextManager[Surroundings]]:
    """Guarded ground for each suite, on the rung asked for or the strongest there is."""
    raise NotImplementedError


def _pytest(project: Project, python: Path | None) -> Adapter:
    from testwright.run.frameworks.pytest import PytestAdapter

    return PytestAdapter(project, python)


def _playwright() -> Adapter:
    from testwright.run.frameworks.playwright_test import PlaywrightAdapter

    return PlaywrightAdapter()


def _vitest() -> Adapter:
    from testwright.run.frameworks.vitest import VitestAdapter

    return VitestAdapter()


def _jest() -> Adapter:
    from testwright.run.frameworks.jest import JestAdapter

    return JestAdapter()


def _node() -> Adapter:
    from testwright.run.frameworks.node_test import NodeTestAdapter

    return NodeTestAdapter()


def _skill(project: Project, python: Path | None, *, warm: bool) -> Adapter:
    from testwright.run.frameworks.skill import SkillAdapter

    return SkillAdapter(warm=warm)
