"""The histories of all tests of a project over its newest runs, in one query."""

from collections.abc import Iterable

from sqlalchemy import Text, select, type_coerce

from testwright.model.case import TestId
from testwright.model.history import IN_REVERSE, History, PastRun, Try, has_failed
from testwright.model.outcome import Outcome
from testwright.model.result import RunId
from testwright.store.any_text import original
from testwright.store.connection import AnyRow, Database
from testwright.store.schema import attempts, results, tests
from testwright.store.schema import runs as kept_runs

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
    tries: dict[str, list[Try]] = {}
    for pk, run_id, started_at, commit, dirty, test, suite, position, outcome in rows:
        failed = _HAS_FAILED[outcome]
        if failed is None:
            continue
        if pk not in past:
            past[pk] = PastRun(RunId(original(run_id)), started_at, original(commit), dirty)
        tries.setdefault(test, []).append(Try(past[pk], failed, suite, position))
    named = sorted(((original(test), of_test) for test, of_test in tries.items()), key=lambda pair: pair[0])
    return tuple(History(TestId(test), tuple(of_test)) for test, of_test in named)
