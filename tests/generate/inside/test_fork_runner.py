"""Work in a fork: its messages arrive, and its death is only news."""

import ctypes
import faulthandler
import os
import signal
import time
from pathlib import Path
from typing import Any

from testwright.generate.inside.fork_runner import Fork, ForkEnd, in_fork


def _run(work: Any, patience: float = 20.0) -> tuple[ForkEnd, list[Any]]:
    heard: list[Any] = []
    return in_fork(work, heard.append, patience_seconds=patience), heard


def test_what_is_sent_arrives_in_order_however_large() -> None:
    large = "x" * 3_000_000

    def work(fork: Fork) -> None:
        fork.send(("first", 1))
        fork.send(large)
        fork.send(["last"])

    ended, heard = _run(work)

    assert ended.finished
    assert heard == [("first", 1), large, ["last"]]


def test_a_crash_is_blamed_on_the_step_that_was_begun_last_and_what_came_before_is_kept() -> None:
    def work(fork: Fork) -> None:
        faulthandler.disable()  # which would print about the crash that is wanted here
        for step in range(10):
            fork.begin(step)
            if step == 7:
                ctypes.string_at(0)
            fork.send(step)

    ended, heard = _run(work)

    assert not ended.finished
    assert ended.step == 7
    assert ended.reason == "crashed with SIGSEGV"
    assert heard == list(range(7))


def test_leaving_the_interpreter_is_told_with_its_status() -> None:
    ended, _ = _run(lambda _: os._exit(13))

    assert not ended.finished
    assert ended.reason == "exited with status 13"


def test_an_exception_is_told_and_goes_no_further() -> None:
    def work(fork: Fork) -> None:
        raise KeyboardInterrupt("not ours")

    ended, _ = _run(work)

    assert not ended.finished
    assert ended.reason == "KeyboardInterrupt: not ours"


def test_a_step_that_does_not_end_is_ended_even_where_signals_are_ignored() -> None:
    def work(fork: Fork) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        fork.begin(4)
        time.sleep(3600)

    ended, _ = _run(work, patience=0.5)

    assert not ended.finished
    assert ended.step == 4
    assert ended.reason == "took longer than 0.5 s"


def test_what_the_fork_started_ends_with_it() -> None:
    def work(fork: Fork) -> None:
        child = os.fork()
        if child == 0:
            time.sleep(3600)
        fork.send(child)

    ended, heard = _run(work)

    assert ended.finished
    assert _is_gone(heard[0])


def test_a_copy_that_explored_code_makes_of_the_fork_does_not_go_on() -> None:
    def work(fork: Fork) -> None:
        child = os.fork()
        fork.leave_if_copied()
        os.waitpid(child, 0)
        fork.send("once")

    _, heard = _run(work)

    assert heard == ["once"]


def _is_gone(pid: int) -> bool:
    """Killed and waited for, or a zombie that the process that adopted it will wait for: it no longer runs."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False
