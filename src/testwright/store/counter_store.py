"""What was counted in runs, and how often the selectors of a module drift."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from testwright.model.result import RunId
from testwright.store.database_connection import Database
from testwright.store.schema import counters, runs, suites

ATTEMPTS = "kt_auto_heal_attempts"  # a test lost an element
SUCCESSES = "kt_auto_heal_success"  # exactly one element was found, and nothing spoke against it
AMBIGUITIES = "kt_auto_heal_ambiguous"  # several elements were found
MISSES = "kt_auto_heal_miss"  # none was found, or something spoke against the one that was


@dataclass(frozen=True, slots=True)
class DriftRun:
    """One run of a module, and what healing counted in it."""

    run: RunId
    started_at: datetime
    counters: dict[str, float]

    @property
    def attempts(self) -> float:
        return self.counters.get(ATTEMPTS, 0.0)


@dataclass(frozen=True, slots=True)
class ModuleDrift:
    """How fast a module's pages change under its tests, with the runs behind the figure, newest first."""

    module: str
    runs: tuple[DriftRun, ...]

    @property
    def attempts(self) -> float:
        return sum(run.attempts for run in self.runs)

    @property
    def rate(self) -> float:
        """Heals that were tried, for each run."""
        return self.attempts / len(self.runs) if self.runs else 0.0

    @property
    def trend(self) -> float | None:
        """By how much the newer half of the runs has a higher rate than the older; None: too few runs to say."""
        half = len(self.runs) // 2
        if half < 2:  # the rate of one run is chance
            return None
        newer, older = self.runs[:half], self.runs[-half:]
        return sum(run.attempts for run in newer) / half - sum(run.attempts for run in older) / half

    def total(self, name: str) -> float:
        return sum(run.counters.get(name, 0.0) for run in self.runs)


class CounterStore:
    def __init__(self, database: Database, project_pk: int) -> None:
        self._database = database
        self._project_pk = project_pk

    def drift(self, *, limit: int = 100) -> list[ModuleDrift]:
        """Each module's drift over its newest runs, the fastest first. Modules that never had a heal tried count too.

        A module is the root of a suite; a run in which it ran without any attempt is a run all the same.
        """
        modules: dict[str, list[DriftRun]] = {}
        for module, run in self._suite_runs():
            of_module = modules.setdefault(module, [])
            if len(of_module) < limit:
                of_module.append(run)
        found = [ModuleDrift(module, tuple(of_module)) for module, of_module in modules.items()]
        return sorted(found, key=lambda drift: (-drift.rate, drift.module))

    def _suite_runs(self) -> Iterator[tuple[str, DriftRun]]:
        """Every module of every run that was run here, newest run first, once each."""
        mine = (runs.c.project_pk == self._project_pk) & (runs.c.source == "run")
        with self._database.reading() as connection:
            counted: dict[tuple[int, str], dict[str, float]] = {}
            for row in connection.execute(select(counters).join(runs, runs.c.pk == counters.c.run_pk).where(mine)):
                counted.setdefault((row.run_pk, row.module), {})[row.name] = row.value
            query = (
                select(runs.c.pk, runs.c.id, runs.c.started_at, suites.c.root)
                .join(suites, suites.c.run_pk == runs.c.pk)
                .where(mine, suites.c.framework.in_(("playwright", "pytest")))
                .distinct()
                .order_by(runs.c.started_at.desc(), runs.c.pk.desc())
            )
            rows = connection.execute(query).all()
        for row in rows:
            yield row.root, DriftRun(RunId(row.id), row.started_at, counted.get((row.pk, row.root), {}))
