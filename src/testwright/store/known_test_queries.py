"""Questions about tests over many runs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, and_, case, func, or_, select, tuple_, type_coerce

from testwright.model.case import TestCase, TestId
from testwright.model.history import IN_REVERSE, History, PastAttempt, PastRun, has_failed
from testwright.model.outcome import Outcome
from testwright.model.result import RunId
from testwright.store.database_connection import AnyRow, Database
from testwright.store.database_errors import no_single_match
from testwright.store.run_rows import case_from_row, key_of_test
from testwright.store.schema import attempts, results, runs, tests
from testwright.store.schema import runs as kept_runs
from testwright.store.summaries import HistoryEntry, TestFilter, TestHistory, TestSummary
from testwright.store.text_escapes import unescaped_text

_PASSES = [outcome for outcome in Outcome if outcome.is_pass]
# An interrupted test was not heard to the end: that is not a failure of the test.
_FAILURES = [outcome for outcome in Outcome if not outcome.is_success and outcome is not Outcome.INTERRUPTED]


def page(
    connection: Connection, project_pk: int, wanted: TestFilter, *, limit: int, after: TestId | None
) -> list[TestSummary]:
    query = _known(project_pk).where(*_conditions(wanted)).order_by(tests.c.id).limit(limit)
    if after is not None:
        query = query.where(tests.c.id > after)
    return _summaries(connection, connection.execute(query).all())


def history(connection: Connection, project_pk: int, test_id: TestId, *, limit: int) -> TestHistory:
    key = key_of_test(project_pk, test_id)
    rows = connection.execute(_known(project_pk).where(tests.c.key == key)).all()
    if not rows:
        raise no_single_match("test", test_id, [])
    query = (
        select(runs.c.id, runs.c.started_at, runs.c.commit_id, runs.c.dirty, results)
        .join(results, results.c.run_pk == runs.c.pk)
        .where(results.c.test_key == key)
        .order_by(runs.c.started_at.desc(), runs.c.pk.desc(), results.c.position)
        .limit(limit)
    )
    found = connection.execute(query).all()
    tries = _tries(connection, [(row.run_pk, row.position) for row in found])
    entries = (_entry(row, tries[row.run_pk, row.position]) for row in found)
    return TestHistory(_summaries(connection, rows)[0], tuple(entries))


def last_failed(connection: Connection, project_pk: int) -> list[TestCase]:
    failed = and_(tests.c.project_pk == project_pk, tests.c.last_outcome.in_(_FAILURES))
    return [case_from_row(row) for row in connection.execute(select(tests).where(failed).order_by(tests.c.id))]


def _known(project_pk: int) -> Select[*tuple[Any, ...]]:
    """The tests of a project, each with the id of the run that told of it last."""
    return (
        select(tests, runs.c.id.label("last_run"))
        .join(runs, runs.c.pk == tests.c.last_run_pk)
        .where(tests.c.project_pk == project_pk)
    )


def _conditions(wanted: TestFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.text:
        conditions.append(tests.c.id.icontains(wanted.text, autoescape=True))
    if wanted.file:
        folder = wanted.file.removesuffix("/") + "/"
        conditions.append(or_(tests.c.file == wanted.file, tests.c.file.startswith(folder, autoescape=True)))
    if wanted.framework is not None:
        conditions.append(tests.c.framework == wanted.framework)
    if wanted.outcomes:
        conditions.append(tests.c.last_outcome.in_(wanted.outcomes))
    return conditions


def _summaries(connection: Connection, rows: Sequence[AnyRow]) -> list[TestSummary]:
    """The rows with the counts that belong to them; only these tests' results are read."""
    counts = (
        select(results.c.test_key, func.count().label("runs"), _how_many(_PASSES), _how_many(_FAILURES))
        .where(results.c.test_key.in_([row.key for row in rows]))
        .group_by(results.c.test_key)
    )
    counted = {key: numbers for key, *numbers in connection.execute(counts)}
    return [_summary(row, *counted[row.key]) for row in rows]


def _how_many(outcomes: Sequence[Outcome]) -> ColumnElement[int]:
    return func.sum(case((results.c.outcome.in_(outcomes), 1), else_=0))


def _summary(row: AnyRow, in_runs: int, passed: int, failed: int) -> TestSummary:
    return TestSummary(
        case=case_from_row(row),
        last_run=RunId(row.last_run),
        last_run_at=row.last_run_at,
        last_outcome=Outcome(row.last_outcome),
        last_duration_ms=row.last_duration_ms,
        runs=in_runs,
        passed=passed,
        failed=failed,
    )


def _tries(
    connection: Connection, places: Sequence[tuple[int, int]]
) -> defaultdict[tuple[int, int], list[tuple[Outcome, str]]]:
    """How each attempt ended and what it said, by run and place in the run."""
    query = (
        select(attempts.c.run_pk, attempts.c.result_position, attempts.c.outcome, attempts.c.message)
        .where(tuple_(attempts.c.run_pk, attempts.c.result_position).in_(places))
        .order_by(attempts.c.position)
    )
    found: defaultdict[tuple[int, int], list[tuple[Outcome, str]]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.run_pk, row.result_position].append((Outcome(row.outcome), row.message))
    return found


def _entry(row: AnyRow, tries: Sequence[tuple[Outcome, str]]) -> HistoryEntry:
    return HistoryEntry(
        run=RunId(row.id),
        started_at=row.started_at,
        commit=row.commit_id,
        dirty=row.dirty,
        outcome=Outcome(row.outcome),
        duration_ms=row.duration_ms,
        attempts=tuple(outcome for outcome, _ in tries),
        message=tries[-1][1],
    )


_HAS_FAILED = {str(outcome): has_failed(outcome) for outcome in Outcome}


def histories(database: Database, project_pk: int, *, runs: int = 200) -> tuple[History, ...]:
    """Every try at every test in the newest `runs` runs, oldest first; tests by id."""
    # Names come as they are kept, with each try, and are put right once: there may be a hundred thousand tries.
    newest = (
        select(
            kept_runs.c.pk,
            type_coerce(kept_runs.c.id, Text).label("run"),
            kept_runs.c.started_at,
            type_coerce(kept_runs.c.commit_id, Text).label("commit_id"),
            kept_runs.c.dirty,
        )
        .where(kept_runs.c.project_pk == project_pk)
        .order_by(kept_runs.c.started_at.desc(), kept_runs.c.pk.desc())
        .limit(runs)
        .subquery()
    )
    query = (
        select(
            newest,
            type_coerce(tests.c.id, Text).label("test"),
            results.c.suite_position,
            results.c.position,
            attempts.c.outcome,
        )
        .join(results, results.c.run_pk == newest.c.pk)
        .join(tests, tests.c.key == results.c.test_key)
        .join(attempts, (attempts.c.run_pk == results.c.run_pk) & (attempts.c.result_position == results.c.position))
        .where(attempts.c.reason != IN_REVERSE)
        .order_by(newest.c.started_at, newest.c.pk, results.c.position, attempts.c.position)
    )
    with database.reading() as connection:
        return _grouped(connection.execute(query))


def _grouped(rows: Iterable[AnyRow]) -> tuple[History, ...]:
    past: dict[int, PastRun] = {}
    tries: dict[str, list[PastAttempt]] = {}
    for pk, run_id, started_at, commit, dirty, test, suite, position, outcome in rows:
        failed = _HAS_FAILED[outcome]
        if failed is None:
            continue
        if pk not in past:
            past[pk] = PastRun(RunId(unescaped_text(run_id)), started_at, unescaped_text(commit), dirty)
        tries.setdefault(test, []).append(PastAttempt(past[pk], failed, suite, position))
    named = sorted(((unescaped_text(test), of_test) for test, of_test in tries.items()), key=lambda pair: pair[0])
    return tuple(History(TestId(test), tuple(of_test)) for test, of_test in named)
