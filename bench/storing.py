"""What 10,000 results cost to store and to list."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import Figure
from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult

RESULTS = 10_000


def figures(folder: Path) -> Iterator[Figure]:
    from testwright.store.project_store import open_store

    results = tuple(
        TestResult(
            TestCase(Framework.PYTEST, f"tests/test_{i % 100}.py", (f"test_{i}",)),
            (
                Attempt(
                    Outcome.FAILED if i % 50 == 0 else Outcome.PASSED,
                    duration_ms=1.5,
                    message="boom" if i % 50 == 0 else "",
                ),
            ),
        )
        for i in range(RESULTS)
    )
    run = RunResult(RunId("20260101-000000-bench"), datetime.now(UTC), (SuiteResult(Framework.PYTEST, ".", results),))
    with open_store(folder / "store" / "testwright.db") as store:
        started = time.perf_counter()
        store.runs.save_run(run)
        stored = time.perf_counter() - started
        started = time.perf_counter()
        page = store.runs.list_tests(limit=100)
        store.runs.list_runs(limit=20)
        listed = time.perf_counter() - started
    assert len(page) == 100
    yield Figure("10,000 results stored", stored, 2.0, " s")
    yield Figure("a page of 10,000 results listed", listed * 1000, 200, " ms")
