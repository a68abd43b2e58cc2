"""Journals reach the store, whatever happened to those who wrote them."""

import os
import random
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaigns import campaign, repetitions
from testwright.model.case import Framework, TestCase
from testwright.model.errors import StoreLocked
from testwright.model.events import AttemptFinished, SuiteStarted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunResult
from testwright.store.journal import Intake, Journal, take_in, take_in_pending
from testwright.store.project_store import Store, open_store

CASE = TestCase(Framework.PYTEST, "tests/test_a.py", ("one",))
WRITER = Path(__file__).with_name("killed_writer.py")
KILLS = repetitions(full=50, usual=8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".testwright" / "pending"


def begun(folder: Path, run: RunResult) -> Journal:
    journal = Journal.create(folder, run)
    journal.append(SuiteStarted(Framework.PYTEST, "", ""))
    journal.append(AttemptFinished(CASE, Attempt(Outcome.PASSED)))
    return journal


def test_a_finished_journal_is_stored_and_removed(
    store: Store, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    journal = begun(folder, make_run())
    journal.finish(duration_ms=3.0)

    run = take_in(journal.path, store.runs)

    assert run is not None
    assert store.runs.get_run(run.id) == run
    assert not journal.path.exists()


def test_an_abandoned_journal_is_stored_as_an_interrupted_run(
    store: Store, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    run = make_run()
    begun(folder, run).close()

    assert take_in_pending(folder, store.runs) == Intake(runs=(run.id,))

    stored = store.runs.get_run(run.id)
    assert stored.interrupted
    assert [result.outcome for result in stored.results] == [Outcome.PASSED]


def test_a_journal_that_is_still_written_is_left_alone(
    store: Store, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    journal = begun(folder, make_run())

    assert take_in(journal.path, store.runs) is None
    assert take_in_pending(folder, store.runs) == Intake()

    assert journal.path.exists()
    journal.close()


def test_a_journal_that_comes_twice_is_stored_once(
    store: Store, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    journal = begun(folder, make_run())
    journal.finish(duration_ms=3.0)
    content = journal.path.read_bytes()
    take_in(journal.path, store.runs)

    journal.path.write_bytes(content)  # as if we had died between the commit and the removal
    take_in(journal.path, store.runs)

    assert len(store.runs.list_runs()) == 1
    assert not journal.path.exists()


def test_a_journal_that_another_process_took_in_is_no_error(store: Store, folder: Path) -> None:
    assert take_in(folder / "gone.jsonl", store.runs) is None


def test_an_unreadable_journal_is_put_aside_and_holds_up_no_other(
    store: Store, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    bad, good = make_run(), make_run()
    begun(folder, bad).close()
    begun(folder, good).close()
    (folder / f"{bad.id}.jsonl").write_bytes(b"rubbish\n")

    taken = take_in_pending(folder, store.runs)

    aside = folder / f"{bad.id}.jsonl.unreadable"
    assert taken == Intake(runs=(good.id,), unreadable=(aside,))
    assert aside.read_bytes() == b"rubbish\n"
    assert take_in_pending(folder, store.runs) == Intake()


def test_a_store_that_is_locked_leaves_the_journal_for_later(
    tmp_path: Path, folder: Path, make_run: Callable[..., RunResult]
) -> None:
    journal = begun(folder, make_run())
    journal.finish(duration_ms=3.0)
    file = tmp_path / "store.db"
    with open_store(file, wait_seconds=0) as store, open_store(file) as other:
        with other.database.writing(), pytest.raises(StoreLocked):
            take_in_pending(folder, store.runs)
        assert journal.path.exists()

        assert len(take_in_pending(folder, store.runs).runs) == 1


@campaign
def test_no_acknowledged_result_is_lost_when_the_writer_is_killed(where: str, folder: Path) -> None:
    chance = random.Random(20240501)
    acknowledged: defaultdict[str, list[str]] = defaultdict(list)
    finished: set[str] = set()
    with subprocess.Popen(
        [sys.executable, WRITER, folder, where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(KILLS):
            print(file=program.stdin, flush=True)
            pid, left = 0, chance.randint(0, 40)
            for line in program.stdout:
                word, *rest = line.split(maxsplit=2)
                if word == "gone":
                    break
                if word == "pid":
                    pid = int(rest[0])
                elif word == "acknowledged":
                    acknowledged[rest[0]].append(rest[1].strip())
                elif word == "finished":
                    finished.add(rest[0])
                left -= 1
                if left <= 0 and pid:
                    os.kill(pid, signal.SIGKILL)
                    pid = 0

    with open_store(where) as store:
        assert take_in_pending(folder, store.runs).unreadable == ()
        for run_id, test_ids in acknowledged.items():
            run = store.runs.get_run(run_id)
            passed = [result.case.id for result in run.results if result.outcome is Outcome.PASSED]
            assert set(test_ids) <= set(passed)
            assert run.interrupted <= (run_id not in finished)
    assert len(acknowledged) >= KILLS / 2
