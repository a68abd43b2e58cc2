"""Runs as a process of its own: many workers, forked at once, use one store at the same time.

`crowd.py save WHERE WORKERS RUNS` has each worker open the store, which may not exist yet, and save runs.
`crowd.py decide WHERE WORKERS DECISIONS` has each worker decide at random about the proposals it finds there.
Exits 0 when no worker met an error that it should not meet.
"""

import contextlib
import os
import random
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg  # noqa: F401  loaded here once, not in each fork

from testwright.model.case import Framework, TestCase
from testwright.model.errors import WrongStatus
from testwright.model.outcome import Outcome
from testwright.model.proposal import Decision, ProposalStatus
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.store.project_store import Store, open_store

RESULTS = 100


def save(store: Store, worker: int, runs: int) -> None:
    cases = [TestCase(Framework.PYTEST, "tests/test_a.py", (f"test_{number}",)) for number in range(RESULTS)]
    random.Random(worker).shuffle(cases)  # writers that meet the same tests in different orders could deadlock
    results = tuple(TestResult(case, (Attempt(Outcome.PASSED),)) for case in cases)
    for number in range(runs):
        suite = SuiteResult(Framework.PYTEST, "", results)
        assert store.runs.save_run(RunResult(RunId(f"{worker}-{number}"), datetime.now(UTC), (suite,)))
        assert store.runs.list_runs(limit=5)


def decide(store: Store, worker: int, decisions: int) -> None:
    chance = random.Random(worker)
    ids = [proposal.id for proposal in store.proposals.list()]
    for _ in range(decisions):
        chosen = chance.choice(ids)
        with contextlib.suppress(WrongStatus):  # somebody else was quicker
            match chance.choice(["accept", "reject", "begin", "finish"]):
                case "accept":
                    yes = Decision(ProposalStatus.ACCEPTED, f"worker {worker}", datetime.now(UTC))
                    store.proposals.transition(chosen, allowed=[ProposalStatus.PENDING], decision=yes)
                case "reject":
                    no = Decision(ProposalStatus.REJECTED, f"worker {worker}", datetime.now(UTC))
                    store.proposals.transition(chosen, allowed=[ProposalStatus.PENDING], decision=no)
                case "begin":
                    store.proposals.begin_apply(chosen, base_sha256=None, new_sha256="ab", temp_name=f"{worker}")
                    os.write(1, f"begun {chosen}\n".encode())
                case "finish":
                    outcome = chance.choice([ProposalStatus.APPLIED, ProposalStatus.FAILED])
                    store.proposals.finish_apply(chosen, Decision(outcome, f"worker {worker}", datetime.now(UTC)))
                    os.write(1, f"ended {chosen}\n".encode())


def in_a_fork(task: Callable[[Store], None], where: str, pipe: tuple[int, int]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        start, go = pipe
        os.close(go)
        os.read(start, 1)  # returns for all at once, when the last holder of the other end lets go
        with open_store(where) as store:
            task(store)
        status = 0
    except BaseException:  # noqa: BLE001  a fork must end here, and say why
        traceback.print_exc()
    finally:
        os._exit(status)


def main() -> int:
    work, where = {"save": save, "decide": decide}[sys.argv[1]], sys.argv[2]
    workers, repetitions = int(sys.argv[3]), int(sys.argv[4])
    pipe = os.pipe()

    def task(worker: int) -> Callable[[Store], None]:
        return lambda store: work(store, worker, repetitions)

    pids = [in_a_fork(task(worker), where, pipe) for worker in range(workers)]
    os.close(pipe[1])
    return sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)


sys.exit(main())
