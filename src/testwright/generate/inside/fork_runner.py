"""Do a piece of work in a forked copy of this process, and survive any end of it."""

import contextlib
import ctypes
import mmap
import os
import pickle
import select
import signal
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LENGTH = struct.Struct("<I")
_STEP = struct.Struct("<q")
_DONE = _STEP.size  # where the shared memory says that the work came to its end
_POLL_SECONDS = 0.2
_MOMENTS = 100
_PR_SET_CHILD_SUBREAPER = 36
_MOST_GENERATIONS = 20


@dataclass(frozen=True)
class ForkEnd:
    """How a fork ended. `step` is the last one it began: the one to blame when it did not finish."""

    finished: bool
    step: int
    reason: str = ""


class Fork:
    """What the forked side holds: a way to send messages, and a mark of how far it came."""

    def __init__(self, pipe: int, shared: mmap.mmap) -> None:
        self._pipe, self._shared = pipe, shared
        self._pid = os.getpid()

    def begin(self, step: int) -> None:
        """Called before each step that may crash or hang; costs next to nothing."""
        _STEP.pack_into(self._shared, 0, step)

    def send(self, message: Any) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        rest = memoryview(_LENGTH.pack(len(data)) + data)
        while rest:
            rest = rest[os.write(self._pipe, rest) :]

    def leave_if_copied(self) -> None:
        """The explored code may fork: its copy must not go on exploring."""
        if os.getpid() != self._pid:
            os._exit(0)


def _nothing() -> None:
    pass


def in_fork(
    work: Callable[[Fork], None],
    receive: Callable[[Any], None],
    *,
    patience_seconds: float,
    leave_behind: Callable[[], None] = _nothing,
) -> ForkEnd:
    """Run `work` in a fork and pass each message it sends to `receive`.

    A step that takes longer than `patience_seconds` of wall time is the end of it: the fork and all that it
    started are killed. `leave_behind` is called in the fork before all else: it gives up what is not the fork's to
    use. Nothing raised in the fork reaches the caller other than as `ForkEnd.reason`.
    """
    shared = mmap.mmap(-1, mmap.PAGESIZE)
    _STEP.pack_into(shared, 0, -1)
    reading, writing = os.pipe()
    known = _children()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        leave_behind()
        _work_and_leave(work, writing, shared)
    os.close(writing)
    try:
        return _received_to_the_end(pid, reading, shared, receive, patience_seconds)
    finally:
        _end_orphans(known)
        os.close(reading)
        shared.close()


def _work_and_leave(work: Callable[[Fork], None], pipe: int, shared: mmap.mmap) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        work(Fork(pipe, shared))
        shared[_DONE] = 1  # the exit status is not enough: explored code may exit with any
        code = 0
    except BaseException as error:  # noqa: BLE001 - it must always end here
        with contextlib.suppress(BaseException):
            Fork(pipe, shared).send(("failed", f"{type(error).__name__}: {error}"))
    finally:
        os._exit(code)


def _received_to_the_end(
    pid: int, pipe: int, shared: mmap.mmap, receive: Callable[[Any], None], patience: float
) -> ForkEnd:
    buffer = bytearray()
    last_step, since = -1, time.monotonic()
    reason = ""
    while True:
        readable, _, _ = select.select([pipe], [], [], _POLL_SECONDS)
        if readable:
            chunk = os.read(pipe, 1 << 20)
            if not chunk:
                reason = reason or _why_it_hung_up(pid)
                break
            buffer += chunk
            reason = _deliver(buffer, receive) or reason
        step = _STEP.unpack_from(shared, 0)[0]
        if step != last_step or readable:
            last_step, since = step, time.monotonic()
        elif time.monotonic() - since > patience:
            reason = f"took longer than {patience:g} s"
            break
        elif _is_gone(pid):
            break
    _end_group(pid)
    _, status = os.waitpid(pid, 0)
    _end_group(pid)
    finished = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 and shared[_DONE] == 1
    if not finished and not reason:
        reason = _why(status)
    return ForkEnd(finished, _STEP.unpack_from(shared, 0)[0], reason)


def _is_gone(pid: int) -> bool:
    """Ended, though something it started still holds the pipe open."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _why_it_hung_up(pid: int) -> str:
    """Its end of the pipe is closed: nearly always because it has ended, which takes a moment to be seen."""
    for _ in range(_MOMENTS):
        if _is_gone(pid):
            return ""
        time.sleep(_POLL_SECONDS / _MOMENTS)
    return "closed descriptors that are not its own"


def adopt_orphans() -> None:
    """What a fork starts and leaves behind becomes a child of this process, and ends with the fork."""
    with contextlib.suppress(OSError, AttributeError):  # not on this kernel: then it lives as long as the sandbox does
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_orphans(known: set[int]) -> None:
    """End every child of this process but those that were `known` before the fork."""
    for _ in range(_MOST_GENERATIONS):  # when one ends, those that it started become orphans
        orphans = _children() - known
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        if not orphans:
            return


def _children() -> set[int]:
    try:
        return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()}
    except OSError:
        return set()


def _deliver(buffer: bytearray, receive: Callable[[Any], None]) -> str:
    failure = ""
    while len(buffer) >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(buffer)
        if len(buffer) < _LENGTH.size + length:
            break
        message = pickle.loads(bytes(buffer[_LENGTH.size : _LENGTH.size + length]))  # noqa: S301 - from our own fork
        del buffer[: _LENGTH.size + length]
        if isinstance(message, tuple) and message and message[0] == "failed":
            failure = message[1]
        else:
            receive(message)
    return failure


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _why(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"crashed with {signal.Signals(number).name}"
        except ValueError:
            return f"crashed with signal {number}"
    return f"exited with status {os.WEXITSTATUS(status)}"
