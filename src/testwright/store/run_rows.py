"""A run as rows of tables, and rows as a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from math import isfinite
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.outcome import Outcome
from testwright.model.resource_usage import ResourceUsage
from testwright.model.result import (
    Artifact,
    Attempt,
    CounterValue,
    Counts,
    Problem,
    RunId,
    RunResult,
    SuiteResult,
    TestResult,
)
from testwright.store.database_connection import AnyRow
from testwright.store.schema import artifacts, attempts, counters, problems, results, suite_artifacts, suites, tests

Values = dict[str, Any]


def key_of_test(project_pk: int, test_id: TestId) -> bytes:
    """What a test is known by in the tables: as good as its id, and short enough for an index."""
    name = f"{project_pk}:{test_id}"
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def run_values(project_pk: int, run: RunResult) -> Values:
    return {
        "project_pk": project_pk,
        "id": run.id,
        "started_at": run.started_at,
        "duration_ms": _finite(run.duration_ms),
        "interrupted": run.interrupted,
        "commit_id": run.commit,
        "dirty": run.dirty,
        "command": list(run.command),
        "source": run.source,
        "success": run.success,
        "total": sum(suite.total_tests for suite in run.suites),
        "passed": sum(result.outcome.is_pass for result in run.results),
        "failed": sum(not result.outcome.is_success for result in run.results),
        "skipped": sum(suite.total_skipped for suite in run.suites),
        "flaky": sum(result.is_flaky for result in run.results),
        "problems": sum(len(suite.problems) for suite in run.suites),
    }


@dataclass(slots=True)
class RunRows:
    """Everything below a run, ready to be written many rows at a time."""

    suites: list[Values] = field(default_factory=list)
    tests: list[Values] = field(default_factory=list)
    results: list[Values] = field(default_factory=list)
    attempts: list[Values] = field(default_factory=list)
    artifacts: list[Values] = field(default_factory=list)
    suite_artifacts: list[Values] = field(default_factory=list)
    problems: list[Values] = field(default_factory=list)
    counters: list[Values] = field(default_factory=list)

    @classmethod
    def of(cls, run: RunResult, *, run_pk: int, project_pk: int) -> "RunRows":
        rows = cls()
        for position, suite in enumerate(run.suites):
            rows._add_suite(run_pk, position, suite)
            for result in suite.results:
                rows._add_result(run, run_pk, project_pk, position, result)
        rows.counters += (
            {"run_pk": run_pk, "name": found.name, "module": found.module, "value": _finite(found.value)}
            for found in run.counters
        )
        return rows

    def write(self, connection: Connection) -> None:
        """Write all but the tests, which may be known already."""
        for table, rows in self._tables():
            if rows:
                connection.execute(insert(table), rows)

    def _tables(self) -> Iterator[tuple[Table, list[Values]]]:
        yield suites, self.suites
        yield results, self.results
        yield attempts, self.attempts
        yield artifacts, self.artifacts
        yield suite_artifacts, self.suite_artifacts
        yield problems, self.problems
        yield counters, self.counters

    def _add_suite(self, run_pk: int, position: int, suite: SuiteResult) -> None:
        self.suites.append(
            {
                "run_pk": run_pk,
                "position": position,
                "framework": suite.framework,
                "root": suite.root,
                "duration_ms": _finite(suite.duration_ms),
                "isolation": suite.isolation,
                "cpu_ms": _finite(suite.usage.cpu_ms),
                "max_rss_bytes": suite.usage.max_rss_bytes,
                "left_processes": suite.left_processes,
            }
        )
        of_suite: Values = {"run_pk": run_pk, "suite_position": position}
        self.suite_artifacts += _artifact_values(of_suite, suite.artifacts)
        for number, problem in enumerate(suite.problems):
            self.problems.append({**of_suite, "position": number, **asdict(problem)})

    def _add_result(
        self, run: RunResult, run_pk: int, project_pk: int, suite_position: int, result: TestResult
    ) -> None:
        position, case = len(self.results), result.case
        key, duration_ms = key_of_test(project_pk, case.id), _finite(result.duration_ms)
        self.tests.append(
            {
                "key": key,
                "project_pk": project_pk,
                "id": case.id,
                "framework": case.framework,
                "file": case.file,
                "title": list(case.title),
                "variant": case.variant,
                "occurrence": case.occurrence,
                "line": case.line,
                "native_id": case.native_id,
                "last_run_pk": run_pk,
                "last_run_at": run.started_at,
                "last_outcome": result.outcome,
                "last_duration_ms": duration_ms,
            }
        )
        self.results.append(
            {
                "run_pk": run_pk,
                "position": position,
                "suite_position": suite_position,
                "test_key": key,
                "outcome": result.outcome,
                "duration_ms": duration_ms,
                "flaky": result.is_flaky,
                "line": case.line,
                "native_id": case.native_id,
            }
        )
        for number, attempt in enumerate(result.attempts):
            self._add_attempt({"run_pk": run_pk, "result_position": position}, number, attempt)

    def _add_attempt(self, of_result: Values, position: int, attempt: Attempt) -> None:
        counts = attempt.counts
        self.attempts.append(
            {
                **of_result,
                "position": position,
                "number": attempt.number,
                "outcome": attempt.outcome,
                "duration_ms": _finite(attempt.duration_ms),
                "started_at": attempt.started_at,
                "message": attempt.message,
                "stack": attempt.stack,
                "reason": attempt.reason,
                "stdout": attempt.stdout,
                "stderr": attempt.stderr,
                "errors": list(attempt.errors),
                "counted_passed": None if counts is None else counts.passed,
                "counted_failed": None if counts is None else counts.failed,
            }
        )
        self.artifacts += _artifact_values({**of_result, "attempt_position": position}, attempt.artifacts)


def _artifact_values(owner: Values, files: Iterable[Artifact]) -> Iterator[Values]:
    for position, file in enumerate(files):
        yield {**owner, "position": position, **asdict(file)}


def run_from_row(connection: Connection, row: AnyRow) -> RunResult:
    found = _attempts(connection, row.pk)
    return RunResult(
        id=RunId(row.id),
        started_at=row.started_at,
        suites=tuple(_suites(connection, row.pk, found)),
        duration_ms=row.duration_ms,
        interrupted=row.interrupted,
        commit=row.commit_id,
        dirty=row.dirty,
        command=tuple(row.command),
        source=row.source,
        counters=_counters(connection, row.pk),
    )


def case_from_row(row: AnyRow) -> TestCase:
    return TestCase(
        framework=Framework(row.framework),
        file=row.file,
        title=tuple(row.title),
        variant=row.variant,
        occurrence=row.occurrence,
        line=row.line,
        native_id=row.native_id,
    )


def _suites(connection: Connection, run_pk: int, attempts_of: dict[int, list[Attempt]]) -> Iterator[SuiteResult]:
    results_of, problems_of = _results(connection, run_pk, attempts_of), _problems(connection, run_pk)
    files_of: defaultdict[int, list[Artifact]] = defaultdict(list)
    for row in _of_run(connection, suite_artifacts, run_pk):
        files_of[row.suite_position].append(Artifact(row.name, row.path, row.content_type))
    for row in _of_run(connection, suites, run_pk):
        yield SuiteResult(
            framework=Framework(row.framework),
            root=row.root,
            results=tuple(results_of[row.position]),
            problems=tuple(problems_of[row.position]),
            duration_ms=row.duration_ms,
            isolation=row.isolation,
            usage=ResourceUsage(row.cpu_ms, row.max_rss_bytes),
            left_processes=row.left_processes,
            artifacts=tuple(files_of[row.position]),
        )


def _results(
    connection: Connection, run_pk: int, attempts_of: dict[int, list[Attempt]]
) -> defaultdict[int, list[TestResult]]:
    named = [tests.c.framework, tests.c.file, tests.c.title, tests.c.variant, tests.c.occurrence]
    query = (
        select(results.c.position, results.c.suite_position, results.c.line, results.c.native_id, *named)
        .join(tests, tests.c.key == results.c.test_key)
        .where(results.c.run_pk == run_pk)
        .order_by(results.c.position)
    )
    found: defaultdict[int, list[TestResult]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.suite_position].append(TestResult(case_from_row(row), tuple(attempts_of[row.position])))
    return found


def _problems(connection: Connection, run_pk: int) -> defaultdict[int, list[Problem]]:
    found: defaultdict[int, list[Problem]] = defaultdict(list)
    for row in _of_run(connection, problems, run_pk):
        found[row.suite_position].append(Problem(row.code, row.message, row.next_step, row.file))
    return found


def _attempts(connection: Connection, run_pk: int) -> dict[int, list[Attempt]]:
    files: defaultdict[tuple[int, int], list[Artifact]] = defaultdict(list)
    for row in _of_run(connection, artifacts, run_pk):
        files[row.result_position, row.attempt_position].append(Artifact(row.name, row.path, row.content_type))
    found: defaultdict[int, list[Attempt]] = defaultdict(list)
    for row in _of_run(connection, attempts, run_pk):
        counted = row.counted_passed is not None
        found[row.result_position].append(
            Attempt(
                outcome=Outcome(row.outcome),
                number=row.number,
                duration_ms=row.duration_ms,
                started_at=row.started_at,
                message=row.message,
                stack=row.stack,
                reason=row.reason,
                stdout=row.stdout,
                stderr=row.stderr,
                errors=tuple(row.errors),
                counts=Counts(row.counted_passed, row.counted_failed) if counted else None,
                artifacts=tuple(files[row.result_position, row.position]),
            )
        )
    return found


def _counters(connection: Connection, run_pk: int) -> tuple[CounterValue, ...]:
    query = select(counters).where(counters.c.run_pk == run_pk).order_by(counters.c.module, counters.c.name)
    return tuple(CounterValue(row.name, row.module, row.value) for row in connection.execute(query))


def _of_run(connection: Connection, table: Table, run_pk: int) -> Iterable[AnyRow]:
    """What a table holds of one run, in order."""
    return connection.execute(select(table).where(table.c.run_pk == run_pk).order_by(table.c.position))


def _finite(number: float) -> float:
    """A duration that is not a number says nothing, and databases differ in what they make of it."""
    return number if isfinite(number) else 0.0
