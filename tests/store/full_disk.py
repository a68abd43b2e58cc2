"""Runs as a process of its own, on a disk of one megabyte: fills the store, then a journal, then goes on with room."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from testwright.model.case import Framework, TestCase
from testwright.model.errors import DiskFull
from testwright.model.events import AttemptFinished, SuiteStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.store.journal import Journal, take_in_pending
from testwright.store.project_store import open_store


def until_full(write: Callable[[str], object]) -> tuple[list[str], str]:
    """Call `write` with new names until the disk is full: the names that were written, and what was said then."""
    written: list[str] = []
    for number in count():
        try:
            write(f"number-{number:03d}")
        except DiskFull as error:
            return written, error.message
        written.append(f"number-{number:03d}")
    raise AssertionError("a small disk must fill up")


def main(folder: Path) -> None:
    small, large = folder / "small", folder / "large"
    small.write_bytes(b"x" * 100_000)
    large.write_bytes(b"x" * 300_000)
    case = TestCase(Framework.PYTEST, "tests/test_a.py", ("one",))
    attempt = Attempt(Outcome.PASSED, stdout="x" * 20_000)
    run = RunResult(
        RunId("journalled"), datetime.now(UTC), (SuiteResult(Framework.PYTEST, "", (TestResult(case, (attempt,)),)),)
    )
    with open_store(folder / "store.db") as store:
        saved, message = until_full(lambda name: store.runs.save_run(replace(run, id=RunId(name))))
        assert saved
        assert "store.db" in message
        assert sorted(found.id for found in store.runs.list_runs(limit=100)) == saved

        small.unlink()
        journal = Journal.create(folder / "pending", run)
        journal.append(SuiteStarted(Framework.PYTEST, "", ""))
        kept, message = until_full(lambda name: journal.append(AttemptFinished(replace(case, title=(name,)), attempt)))
        journal.close()
        assert kept
        assert "journalled" in message

        large.unlink()
        assert take_in_pending(folder / "pending", store.runs).runs == (run.id,)
        assert [result.case.name for result in store.runs.get_run(run.id).results] == kept
        assert len(store.runs.list_runs(limit=100)) == len(saved) + 1


main(Path(sys.argv[1]))
