"""Run pieces of work in forked copies of this process, several at a time, each until its time is up."""

import contextlib
import os
import resource
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Tell = Callable[[str], None]
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Job:
    """`work` runs in the copy and tells what it finds, a line at a time; the process ends when it returns."""

    about: Any
    work: Callable[[Tell], None]
    cpu_seconds: "int | None" = None
    wall_seconds: float = float("inf")


@dataclass(frozen=True)
class JobEnd:
    """What a copy told, and whether it came to its own end."""

    about: Any
    lines: tuple[str, ...]
    finished: bool
    out_of_time: bool


@dataclass(eq=False)
class _Running:
    job: Job
    pid: int
    ended: int  # a descriptor that is readable once the process is gone
    pipe: int
    deadline: float
    told: bytearray = field(default_factory=bytearray)
    out_of_time: bool = False


def run_jobs(next_job: "Callable[[], Job | None]", at_once: int) -> Iterator[JobEnd]:
    """Each job's end, as it comes. The next job is asked for when there is room: it may depend on those ends."""
    selector = selectors.DefaultSelector()
    running: dict[int, _Running] = {}
    while True:
        while len(running) < at_once:
            job = next_job()
            if job is None:
                break
            one = _started(job, selector)
            running[one.pid] = one
        if not running:
            break
        yield from _wait_once(selector, running)
    selector.close()


def run_job(job: Job) -> JobEnd:
    jobs = [job]
    [ended] = run_jobs(lambda: jobs.pop() if jobs else None, 1)
    return ended


def lines_of(work: Callable[[Tell], None]) -> Iterator[str]:
    """What a copy without limits tells, as it tells it. Its exit status, when it is not 0, is the last line."""
    read, write = os.pipe()
    pid = _forked(lambda: work(lambda line: _write(write, line)))
    os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as told:
        yield from told
    _, status = os.waitpid(pid, 0)
    if status != 0:
        yield str(os.waitstatus_to_exitcode(status))


def _forked(live: Callable[[], None]) -> int:
    """The process that lives that life. It never returns into the code that forked it."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid != 0:
        return pid
    code = 1
    try:
        live()
        code = 0
    except BaseException:  # the fork must end below, for anything a test raises
        traceback.print_exc()
    finally:
        os._exit(code)


def _started(job: Job, selector: selectors.BaseSelector) -> _Running:
    read, write = os.pipe()
    pid = _forked(lambda: _live(job, write))
    os.close(write)
    os.set_blocking(read, False)
    with contextlib.suppress(OSError):  # the copy does it too: the first one counts
        os.setpgid(pid, pid)
    one = _Running(job, pid, os.pidfd_open(pid), read, time.monotonic() + job.wall_seconds)
    selector.register(one.ended, selectors.EVENT_READ, one)
    selector.register(one.pipe, selectors.EVENT_READ, one)
    return one


def _live(job: Job, pipe: int) -> None:
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    if job.cpu_seconds is not None:
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        allowed = job.cpu_seconds if most == resource.RLIM_INFINITY else min(job.cpu_seconds, most)
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, most))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    job.work(lambda line: _write(pipe, line))


def _write(pipe: int, line: str) -> None:
    data = memoryview(line.encode("utf-8", "backslashreplace") + b"\n")
    while data:
        data = data[os.write(pipe, data) :]


def _wait_once(selector: selectors.BaseSelector, running: "dict[int, _Running]") -> Iterator[JobEnd]:
    first = min((one.deadline for one in running.values() if not one.out_of_time), default=float("inf"))
    patience = None if first == float("inf") else max(0.0, first - time.monotonic())
    gone: list[_Running] = []
    for key, _ in selector.select(patience):
        one: _Running = key.data
        if key.fd == one.ended:
            gone.append(one)
        elif not _read_report(one):  # no process is left that could report more
            selector.unregister(one.pipe)
    for one in running.values():
        if time.monotonic() >= one.deadline and not one.out_of_time:
            one.out_of_time = True
            _kill(one)
    for one in gone:
        del running[one.pid]
        yield _concluded(one, selector)


def _read_report(one: _Running) -> bool:
    try:
        chunk = os.read(one.pipe, _CHUNK)
    except BlockingIOError:
        return False
    one.told += chunk
    return bool(chunk)


def _kill(one: _Running) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(one.pid, signal.SIGKILL)


def _concluded(one: _Running, selector: selectors.BaseSelector) -> JobEnd:
    _kill(one)  # what it started and left behind
    _, status = os.waitpid(one.pid, 0)
    while _read_report(one):
        pass
    for descriptor in (one.ended, one.pipe):
        with contextlib.suppress(KeyError):  # a pipe that was read to its end
            selector.unregister(descriptor)
        os.close(descriptor)
    by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    # SIGKILL that is not ours comes from the hard limit, or from a machine that ran out of memory.
    return JobEnd(
        one.job.about,
        tuple(one.told.decode("utf-8", "replace").splitlines()),
        finished=status == 0,
        out_of_time=one.out_of_time or by_signal in (signal.SIGXCPU, signal.SIGKILL),
    )
