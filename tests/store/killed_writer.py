"""Runs as a process of its own, to be killed: journals runs and takes them in, saying on stdout what is safe by now.

For each line on stdin it forks a writer, says `pid N`, and says `gone` once somebody has killed that writer.
"""

import os
import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import psycopg  # noqa: F401  loaded here once, not in each of the many forks

from testwright.model.case import Framework, TestCase
from testwright.model.events import AttemptFinished, Collected, SuiteEnded, SuiteStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult
from testwright.store.journal import Journal, take_in
from testwright.store.project_store import open_store

TESTS = 10


def say(*words: object) -> None:
    os.write(1, " ".join(map(str, words)).encode() + b"\n")


def write_runs(pending: Path, where: str) -> None:
    cases = tuple(TestCase(Framework.PYTEST, "tests/test_a.py", (f"test_{number}",)) for number in range(TESTS))
    for number in count():
        run = RunResult(RunId(f"{os.getpid()}-{number}"), datetime.now(UTC))
        journal = Journal.create(pending, run)
        journal.append(SuiteStarted(Framework.PYTEST, "", ""))
        journal.append(Collected(cases))
        for case in cases:
            journal.append(AttemptFinished(case, Attempt(Outcome.PASSED, stdout="x" * 5000)))
            say("acknowledged", run.id, case.id)
        journal.append(SuiteEnded(Framework.PYTEST, "", 1.0))
        journal.finish(duration_ms=1.0)
        say("finished", run.id)
        with open_store(where) as store:
            take_in(journal.path, store.runs)
        say("stored", run.id)


def main() -> None:
    pending, where = Path(sys.argv[1]), sys.argv[2]
    for _ in sys.stdin:
        writer = os.fork()
        if writer == 0:
            write_runs(pending, where)
        say("pid", writer)
        os.waitpid(writer, 0)
        say("gone")


main()
