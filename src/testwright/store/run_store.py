"""The runs of one project and the tests they ran."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, true, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError

from testwright.model.case import TestCase, TestId
from testwright.model.errors import MalformedReport
from testwright.model.history import History
from testwright.model.outcome import Outcome
from testwright.model.result import RunId, RunResult
from testwright.store import known_test_queries
from testwright.store.database_connection import AnyRow, Database, insert_one
from testwright.store.database_errors import no_single_match
from testwright.store.run_rows import RunRows, Values, run_from_row, run_values
from testwright.store.schema import artifacts, results, runs, suite_artifacts, tests
from testwright.store.summaries import Pruned, RunSummary, TestFilter, TestHistory, TestSummary

_NO_FILTER = TestFilter()
_KEYS_PER_QUERY = 500  # databases limit how many values one statement may name
_LAST = ("last_run_pk", "last_run_at", "last_outcome", "last_duration_ms")
_NEWEST_FIRST = (runs.c.started_at.desc(), runs.c.pk.desc())


class RunStore:
    def __init__(self, database: Database, project_pk: int) -> None:
        self._database = database
        self._project_pk = project_pk

    def save_run(self, run: RunResult) -> bool:
        """Keep the run, all of it or nothing. False when a run with that id is kept already, which is left as it is."""
        with self._database.writing(self._project_pk) as connection:
            if connection.scalar(select(runs.c.pk).where(self._mine(), runs.c.id == run.id)) is not None:
                return False
            try:
                self._insert(connection, run)
            except (OverflowError, DataError) as error:
                raise MalformedReport(
                    f"Run {run.id} holds a number that is too large to keep.",
                    next_step="Check the report it was read from.",
                ) from error
        return True

    def list_runs(self, *, limit: int = 50, before: RunId | None = None) -> list[RunSummary]:
        """The newest runs, or the newest of those that are older than `before`."""
        with self._database.reading() as connection:
            older: ColumnElement[bool] = true()
            if before is not None:
                cursor = self._row(connection, before)
                older = tuple_(runs.c.started_at, runs.c.pk) < (cursor.started_at, cursor.pk)
            query = select(runs).where(self._mine(), older).order_by(*_NEWEST_FIRST).limit(limit)
            return [_summary(row) for row in connection.execute(query)]

    def find_run(self, id_or_prefix: str) -> RunId:
        """The id of the run that `id_or_prefix` means."""
        with self._database.reading() as connection:
            return RunId(self._row(connection, id_or_prefix).id)

    def get_run(self, id_or_prefix: str) -> RunResult:
        """The run with that id, or the only one whose id starts so."""
        with self._database.reading() as connection:
            return run_from_row(connection, self._row(connection, id_or_prefix))

    def list_tests(
        self, wanted: TestFilter = _NO_FILTER, *, limit: int = 100, after: TestId | None = None
    ) -> list[TestSummary]:
        """Tests by id; `after` continues a list behind its last test."""
        with self._database.reading() as connection:
            return known_test_queries.page(connection, self._project_pk, wanted, limit=limit, after=after)

    def get_test(self, test_id: TestId, *, limit: int = 100) -> TestHistory:
        """A test and its newest results."""
        with self._database.reading() as connection:
            return known_test_queries.history(connection, self._project_pk, test_id, limit=limit)

    def last_failed(self) -> list[TestCase]:
        """The tests whose most recent verdict was no success, by id."""
        with self._database.reading() as connection:
            return known_test_queries.last_failed(connection, self._project_pk)

    def histories(self, *, runs: int = 200) -> tuple[History, ...]:
        """Every try at every test in the newest `runs` runs, oldest first; tests by id."""
        return known_test_queries.histories(self._database, self._project_pk, runs=runs)

    def prune(self, *, keep: int | None = None, older_than: datetime | None = None) -> Pruned:
        """Remove the runs beyond the newest `keep`, and those that started before `older_than`."""
        with self._database.writing(self._project_pk) as connection:
            doomed = self._doomed(connection, keep, older_than)
            files: list[str] = []
            removed_results = 0
            for keys in _portions(doomed):
                for table in (artifacts, suite_artifacts):
                    files += connection.scalars(select(table.c.path).where(table.c.run_pk.in_(keys)))
                removed_results += connection.scalar(select(func.count()).where(results.c.run_pk.in_(keys))) or 0
                connection.execute(delete(runs).where(runs.c.pk.in_(keys)))
            removed_tests = self._forget_tests(connection) if doomed else 0
            for keys in _portions(doomed):
                _look_again(connection, keys)
        return Pruned(tuple(RunId(name) for name in doomed.values()), removed_results, removed_tests, tuple(files))

    def _mine(self) -> ColumnElement[bool]:
        return runs.c.project_pk == self._project_pk

    def _row(self, connection: Connection, id_or_prefix: str) -> AnyRow:
        query = select(runs).where(self._mine())
        row = connection.execute(query.where(runs.c.id == id_or_prefix)).one_or_none()
        if row is not None:
            return row
        alike = query.where(runs.c.id.startswith(id_or_prefix, autoescape=True)).order_by(*_NEWEST_FIRST)
        rows = connection.execute(alike.limit(6)).all() if id_or_prefix else []
        if len(rows) == 1:
            return rows[0]
        raise no_single_match("run", id_or_prefix, [row.id for row in rows])

    def _insert(self, connection: Connection, run: RunResult) -> None:
        run_pk = insert_one(connection, insert(runs).values(run_values(self._project_pk, run)))
        rows = RunRows.of(run, run_pk=run_pk, project_pk=self._project_pk)
        _remember_tests(connection, rows.tests)
        rows.write(connection)

    def _doomed(self, connection: Connection, keep: int | None, older_than: datetime | None) -> dict[int, RunId]:
        """The runs to remove, by their keys."""
        doomed: dict[int, RunId] = {}
        mine = select(runs.c.pk, runs.c.id, runs.c.started_at).where(self._mine()).order_by(*_NEWEST_FIRST)
        for place, row in enumerate(connection.execute(mine)):
            too_many = keep is not None and place >= keep
            too_old = older_than is not None and row.started_at < older_than
            if too_many or too_old:
                doomed[row.pk] = RunId(row.id)
        return doomed

    def _forget_tests(self, connection: Connection) -> int:
        """Remove the tests that no run tells of any more."""
        told_of = select(results.c.run_pk).where(results.c.test_key == tests.c.key).exists()
        return connection.execute(delete(tests).where(tests.c.project_pk == self._project_pk, ~told_of)).rowcount


def _remember_tests(connection: Connection, rows: list[Values]) -> None:
    """Add the tests that are new, and note the last verdict of those that are not."""
    if not rows:
        return
    # The two dialects spell this alike, but SQLAlchemy has no common word for it.
    upsert = sqlite.insert(tests) if connection.dialect.name == "sqlite" else postgresql.insert(tests)
    new, interrupted = upsert.excluded, Outcome.INTERRUPTED
    newer = and_(
        new.last_run_at >= tests.c.last_run_at,
        or_(new.last_outcome != interrupted, tests.c.last_outcome == interrupted),
    )
    first_verdict = and_(tests.c.last_outcome == interrupted, new.last_outcome != interrupted)
    changing = {name: new[name] for name in ("line", "native_id", *_LAST)}
    statement = upsert.on_conflict_do_update(
        index_elements=[tests.c.key], set_=changing, where=or_(newer, first_verdict)
    )
    connection.execute(statement, rows)


def _look_again(connection: Connection, removed: list[int]) -> None:
    """Tests whose last verdict was removed, but which a kept run tells of: that run interrupted them."""
    for key in connection.scalars(select(tests.c.key).where(tests.c.last_run_pk.in_(removed))).all():
        newest = connection.execute(
            select(runs.c.pk, runs.c.started_at, results.c.outcome, results.c.duration_ms)
            .join(results, results.c.run_pk == runs.c.pk)
            .where(results.c.test_key == key)
            .order_by(*_NEWEST_FIRST)
            .limit(1)
        ).one()
        connection.execute(update(tests).where(tests.c.key == key).values(dict(zip(_LAST, newest, strict=True))))


def _portions(keys: Iterable[int]) -> Iterator[list[int]]:
    everything = list(keys)
    for start in range(0, len(everything), _KEYS_PER_QUERY):
        yield everything[start : start + _KEYS_PER_QUERY]


def _summary(row: AnyRow) -> RunSummary:
    return RunSummary(
        id=RunId(row.id),
        started_at=row.started_at,
        duration_ms=row.duration_ms,
        interrupted=row.interrupted,
        commit=row.commit_id,
        dirty=row.dirty,
        source=row.source,
        success=row.success,
        total=row.total,
        passed=row.passed,
        failed=row.failed,
        skipped=row.skipped,
        flaky=row.flaky,
        problems=row.problems,
    )
