"""A place for a child: its supervisor, waiting for a plan, and the sockets and pipes between us.

A supervisor takes an interpreter's start to come up. Whoever knows early that it will need a child
calls `prepare`, and the next child finds its berth ready.
"""

import contextlib
import os
import socket
import subprocess
import sys

from testwright.model.errors import SpawnFailed

_PACKAGE_PARENT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The path travels as an argument: nothing about it can turn into code.
_SUPERVISE = "import sys; sys.path.append(sys.argv[1]); from testwright.isolate.supervisor import main; main()"

_ready: "list[Berth]" = []


class Berth:
    """`control` leads to the supervisor; `channel`, where there is one, is the pair that our reporter will use."""

    def __init__(self, *, with_channel: bool) -> None:
        self.channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM) if with_channel else None
        self.control, theirs = socket.socketpair()
        argv = [sys.executable, "-I", "-S", "-c", _SUPERVISE, _PACKAGE_PARENT, str(theirs.fileno())]
        inherited = [theirs.fileno(), *([self.channel[1].fileno()] if self.channel is not None else [])]
        try:
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=inherited,
                bufsize=0,
                process_group=0,  # a Ctrl-C in the terminal is for us to pass on, not for the supervisor
            )
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


def prepare() -> None:
    """Start a supervisor ahead of time."""
    _ready.append(Berth(with_channel=True))


def take(*, with_channel: bool) -> Berth:
    """A berth that was prepared, or a new one."""
    if with_channel:
        with contextlib.suppress(IndexError):
            return _ready.pop()
    return Berth(with_channel=with_channel)


def discard_prepared() -> None:
    """End the supervisors that nobody took."""
    while _ready:
        _ready.pop().close()
