"""The process between us and a child: it starts the child, adopts its orphans, and ends all of them.

Runs as a process of its own, from our interpreter with `-I -S`: standard library only. It is told
what to start over its control socket, answers there, and takes the closing of that socket, which is
what happens when Testwright is killed, as the order to end everything at once.
"""

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SWEEP_SECONDS = 10.0  # a tree that still grows after this is reported, not waited for

Plan = dict[str, Any]


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[2]))
    control.set_inheritable(False)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # we outlive our child; only the socket's end stops us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    reader = control.makefile("rb")
    plan: Plan = json.loads(reader.readline())
    wake_up = _wake_up_on_child_exit()
    failure_read, failure_write = os.pipe()
    child = os.fork()
    if child == 0:
        _become(plan, failure_write)
    os.close(failure_write)
    _let_go_of(plan)
    failure = os.read(failure_read, 4096).decode(errors="replace")  # empty once exec closed it
    _say(control, {"started": child, "failure": failure})
    status, survivors = _supervise(child, control, wake_up)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _say(
        control,
        {
            "ended": status,
            "survivors": survivors,
            "cpu_ms": (used.ru_utime + used.ru_stime) * 1000,
            "max_rss_bytes": used.ru_maxrss * 1024,
        },
    )


def _supervise(child: int, control: socket.socket, wake_up: int) -> tuple[int, int]:
    """Wait for the child, ending it when told to; then end what it left. Its wait status, and how many were left."""
    kill_at: float | None = None
    while (status := _reaped(child)) is None:
        if kill_at is not None and time.monotonic() >= kill_at:
            return _end_tree(child)
        timeout = None if kill_at is None else kill_at - time.monotonic()
        ready, _, _ = select.select([control, wake_up], [], [], timeout)
        if wake_up in ready:
            os.read(wake_up, 4096)
        if control in ready:
            orders = control.recv(4096)
            if not orders:
                _end_tree(child)
                os._exit(1)
            order = json.loads(orders.splitlines()[-1])
            _signal_tree(order["signal"])
            kill_at = time.monotonic() + order["grace"]
    return status, _end_tree(child)[1]


def _reaped(child: int) -> int | None:
    """Collect everything that has exited; the child's wait status if it was among them."""
    found: int | None = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == child:
                found = status
    return found


def _end_tree(child: int) -> tuple[int, int]:
    """Kill every descendant until none is left. The child's wait status, and how many others were alive."""
    status = int(signal.SIGKILL)  # what it will be unless the child had ended by itself
    others: set[int] = set()
    deadline = time.monotonic() + SWEEP_SECONDS
    while (alive := _descendants()) and time.monotonic() < deadline:
        # Stop them all before killing any: a process that forks in a loop cannot outrun us while stopped.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        others |= alive - {child}
        time.sleep(0.001)
        found = _reaped(child)
        status = status if found is None else found
    return status, len(others)


def _signal_tree(number: int) -> None:
    for pid in _descendants():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _descendants() -> set[int]:
    """The living processes below us, zombies left out. One pass over /proc."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                after_name = file.read().rpartition(b") ")[2].split()
        except OSError:
            continue  # gone since the listing
        if after_name[0] not in (b"Z", b"X"):
            parents[int(name)] = int(after_name[1])
    found: set[int] = set()
    frontier = {os.getpid()}
    while frontier:
        frontier = {pid for pid, parent in parents.items() if parent in frontier}
        found |= frontier
    return found


def _become(plan: Plan, failure_write: int) -> None:
    """In the new process: take on the limits and the guard, then turn into the command. Never returns."""
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.chdir(plan["cwd"])
        _limit(plan["limits"])
        if plan["guard"] is not None:
            from testwright.isolate.guarded import enter

            enter(plan["guard"])
        os.execvpe(plan["argv"][0], plan["argv"], plan["env"])
    except BaseException as error:  # noqa: BLE001  any failure must reach the parent, and nothing may run on past here
        text = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        os.write(failure_write, f"{type(error).__name__}: {text}".encode(errors="replace")[:4000])
    os._exit(127)


def _limit(limits: dict[str, int | None]) -> None:
    kinds = {
        "cpu_seconds": resource.RLIMIT_CPU,
        "memory_bytes": resource.RLIMIT_DATA,
        "file_bytes": resource.RLIMIT_FSIZE,
    }
    for name, kind in kinds.items():
        wanted = limits[name]
        if wanted is None:
            continue
        _, hard = resource.getrlimit(kind)
        ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # The hard CPU limit lies a second above the soft one, so that SIGXCPU comes before SIGKILL.
        spare = 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else 0
        resource.setrlimit(kind, (ceiling, ceiling + spare))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _let_go_of(plan: Plan) -> None:
    """Close our copies of what only the child may hold, or its output would never be seen to end."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for descriptor in (null, *plan["child_descriptors"]):
        os.close(descriptor)


def _wake_up_on_child_exit() -> int:
    """A descriptor that turns readable when a child exits."""
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read


def _say(control: socket.socket, message: dict[str, object]) -> None:
    with contextlib.suppress(OSError):  # nobody is left to tell
        control.sendall(json.dumps(message).encode() + b"\n")


def _prctl(option: int, value: int) -> None:
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
