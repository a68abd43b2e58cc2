"""The link to a child's supervisor, which waits for a plan: the process, and the sockets and pipes between us.

A supervisor needs the start of an interpreter to come up. A caller that knows early that it will need a child
calls `prepare`, and the next child takes the prepared link.
"""

import contextlib
import fcntl
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, NoReturn, Protocol

from testwright.model.errors import SpawnFailed

if TYPE_CHECKING:
    import subprocess

_PACKAGE_PARENT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The path travels as an argument: nothing about it can turn into code.
_SUPERVISE = "import sys; sys.path.append(sys.argv[1]); from testwright.isolate.supervisor import main; main()"
_CHANNEL_BYTES = 1 << 20  # the system may allow less
_ABOVE_STANDARD = 3  # the first descriptor that is not stdin, stdout or stderr

_ready: "list[SupervisorLink]" = []


class Supervisor(Protocol):
    """A process, as `subprocess` shows it."""

    @property
    def pid(self) -> int: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...
    @property
    def stderr(self) -> IO[bytes] | None: ...
    @property
    def returncode(self) -> int | None: ...

    def wait(self) -> int: ...


class SupervisorLink:
    """`control` leads to the supervisor; `channel`, where there is one, is the pair that our reporter will use."""

    def __init__(self, start: Callable[[Sequence[int]], Supervisor], *, with_channel: bool) -> None:
        """`start` gives a supervisor that has some descriptors of ours open, its control socket first."""
        self.channel = _channel() if with_channel else None
        self.control, theirs = socket.socketpair()
        inherited = [theirs.fileno(), *([self.channel[1].fileno()] if self.channel is not None else [])]
        try:
            self.process = start(inherited)
        except OSError as error:
            self._close_sockets()
            raise SpawnFailed(f"A child process could not be started: {error.strerror}.") from error
        finally:
            theirs.close()

    def close(self) -> None:
        """Let go of everything; a supervisor that still runs takes this as the order to end all that is below it."""
        self._close_sockets()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        self.process.wait()

    def _close_sockets(self) -> None:
        for end in (self.control, *(self.channel or ())):
            with contextlib.suppress(OSError):
                end.close()


def _channel() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _CHANNEL_BYTES)  # or a runner would wait while we rest
    return ours, theirs


def prepare() -> None:
    """Start a supervisor ahead of time.

    Early in a process's life a copy of it comes up in a fraction of the time that an interpreter takes. Only a process
    without threads may be copied: in the copy, locks of other threads would never be released.
    """
    start = _Forked if threading.active_count() == 1 else _spawned
    _ready.append(SupervisorLink(start, with_channel=True))


def take(*, with_channel: bool) -> SupervisorLink:
    """A link that was prepared, or a new one."""
    if with_channel:
        with contextlib.suppress(IndexError):
            return _ready.pop()
    return SupervisorLink(_spawned, with_channel=with_channel)


def discard_prepared() -> None:
    """End the supervisors that were not taken."""
    while _ready:
        _ready.pop().close()


# --- starting a supervisor -------------------------------------------------------------------


def _spawned(inherited: Sequence[int]) -> "subprocess.Popen[bytes]":
    import subprocess  # late: start-up: a forked supervisor does without

    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SUPERVISE, _PACKAGE_PARENT, str(inherited[0])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=inherited,
        bufsize=0,
        process_group=0,  # a Ctrl-C in the terminal is for us to pass on, not for the supervisor
    )


class _Forked:
    """A supervisor that is a copy of this process."""

    def __init__(self, inherited: Sequence[int]) -> None:
        out_read, out_write = os.pipe()
        error_read, error_write = os.pipe()
        self.stdout: IO[bytes] = os.fdopen(out_read, "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(error_read, "rb", buffering=0)
        self.returncode: int | None = None
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become_supervisor(out_write, error_write, inherited)
        finally:
            os.close(out_write)
            os.close(error_write)

    def wait(self) -> int:
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode


def _become_supervisor(stdout: int, stderr: int, inherited: Sequence[int]) -> NoReturn:
    """In the copy: leave everything of ours behind but what a supervisor needs."""
    code = 1
    try:
        os.setpgid(0, 0)  # a Ctrl-C in the terminal is for Testwright to pass on
        # late: start-up: only the copy needs them
        from testwright.isolate.command_start import close_all_but
        from testwright.isolate.supervisor import supervise

        standard = [os.open(os.devnull, os.O_RDONLY), stdout, stderr]
        # Out of the way first: where we were started without a stdin, one of these may have its number.
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, _ABOVE_STANDARD) for descriptor in standard]
        for number, descriptor in enumerate(moved):
            os.dup2(descriptor, number)
        close_all_but(*range(_ABOVE_STANDARD), *inherited)
        for descriptor in inherited:
            os.set_inheritable(descriptor, True)
        supervise(inherited[0])
        code = 0
    finally:
        os._exit(code)  # nothing of ours may run on here, nor be written out a second time
