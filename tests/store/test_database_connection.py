"""Many processes use one store at the same time, and full disks and lost servers are told plainly."""

import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import text

from tests.campaigns import campaign, repetitions
from testwright.model.errors import StoreLocked, StoreUnavailable
from testwright.model.outcome import Outcome
from testwright.model.proposal import Proposal, ProposalStatus
from testwright.model.result import RunResult
from testwright.store.project_store import Store, open_store


class Server(Protocol):
    def fresh_url(self) -> str: ...


HERE = Path(__file__).parent


def crowd(task: str, where: str, *, workers: int, repetitions: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, HERE / "crowd.py", task, where, str(workers), str(repetitions)],
        capture_output=True,
        text=True,
        check=False,
    )


@campaign
def test_eight_processes_open_a_new_store_and_save_many_results_each_without_an_error(where: str) -> None:
    runs = repetitions(full=10, usual=2)

    done = crowd("save", where, workers=8, repetitions=runs)

    assert (done.returncode, done.stderr) == (0, "")
    with open_store(where) as store:
        assert [run.total for run in store.runs.list_runs(limit=100)] == [100] * (8 * runs)
        counts = [(test.runs, test.passed) for test in store.runs.list_tests(limit=200)]
        assert counts == [(8 * runs, 8 * runs)] * 100


@campaign
def test_of_many_who_decide_at_once_one_is_heard_and_an_apply_begins_once(
    where: str, make_proposal: Callable[..., Proposal]
) -> None:
    with open_store(where) as store:
        for _ in range(20):
            store.proposals.add(make_proposal())

    done = crowd("decide", where, workers=6, repetitions=repetitions(full=60, usual=20))

    assert (done.returncode, done.stderr) == (0, "")
    said = Counter(done.stdout.splitlines())
    assert set(said.values()) == {1}, "each apply begins once and ends once"
    with open_store(where) as store:
        unfinished = {apply.id for apply in store.proposals.unfinished_applies()}
        for proposal in store.proposals.list():
            statuses = [decision.status for decision in proposal.decisions]
            begun, ended = said[f"begun {proposal.id}"], said[f"ended {proposal.id}"]
            assert statuses in (
                [],
                [ProposalStatus.REJECTED],
                [ProposalStatus.ACCEPTED],
                [ProposalStatus.ACCEPTED, ProposalStatus.APPLIED],
                [ProposalStatus.ACCEPTED, ProposalStatus.FAILED],
            )
            assert proposal.status is (statuses[-1] if statuses else ProposalStatus.PENDING)
            assert begun <= (ProposalStatus.ACCEPTED in statuses)
            assert ended == (len(statuses) == 2)
            assert (proposal.id in unfinished) == (begun > ended)


def test_a_store_that_stays_locked_is_told_so(where: str, make_run: Callable[..., RunResult]) -> None:
    with open_store(where) as busy, open_store(where, wait_seconds=0.05) as store:
        project = store.runs._project_pk
        with busy.database.writing(project), pytest.raises(StoreLocked, match="in use by another process"):
            store.runs.save_run(make_run(a=Outcome.PASSED))

        assert store.runs.save_run(make_run(a=Outcome.PASSED))


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_file_that_another_process_holds_is_told_so_from_the_first_step(tmp_path: Path, lock: str) -> None:
    file = tmp_path / "store.db"
    open_store(file).close()
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute(f"BEGIN {lock}")

    with pytest.raises(StoreLocked):
        open_store(file, wait_seconds=0.01, project="new")

    holder.close()


def test_a_write_that_fails_half_way_leaves_nothing_behind(store: Store) -> None:
    def write_and_fail() -> None:
        with store.database.writing() as connection:
            connection.execute(text("INSERT INTO meta (name, value) VALUES ('a', 'b')"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_fail()

    with store.database.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM meta")) == 0


def test_a_store_can_be_opened_by_one_thread_and_used_by_another(
    where: str, make_run: Callable[..., RunResult]
) -> None:
    with ThreadPoolExecutor(1) as thread:
        store = thread.submit(open_store, where).result()
    with store:
        assert store.runs.save_run(make_run(a=Outcome.PASSED))


def test_a_full_disk_harms_nothing_and_work_goes_on_when_there_is_room(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" "$3" "$1"'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    try:
        probe = subprocess.run([*command, tmp_path, "true", ""], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("unshare is not installed")
    if probe.returncode != 0:
        pytest.skip(f"no small disk can be made here: {probe.stderr.strip()}")

    done = subprocess.run(
        [*command, tmp_path, sys.executable, HERE / "full_disk.py"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs_postgres
def test_a_connection_that_is_cut_during_a_write_is_told_and_the_write_can_be_repeated(
    postgres: Server, make_run: Callable[..., RunResult]
) -> None:
    url = postgres.fresh_url()
    run = make_run(a=Outcome.PASSED)
    with open_store(url) as store, open_store(url) as executioner:

        def write_and_be_cut() -> None:
            with store.database.writing() as connection:
                victim = connection.scalar(text("SELECT pg_backend_pid()"))
                with executioner.database.reading() as other:
                    other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": victim})
                connection.execute(text("INSERT INTO meta (name, value) VALUES ('a', 'b')"))

        with pytest.raises(StoreUnavailable, match="not known whether"):
            write_and_be_cut()

        assert store.runs.save_run(run)
        assert not store.runs.save_run(run), "a run that was kept after all is not kept twice"
        assert len(store.runs.list_runs()) == 1
