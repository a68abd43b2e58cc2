"""From a fork to the command: what a new process does before it becomes somebody else's code."""

from __future__ import annotations

import os
import resource

from testwright.isolate import system_calls
from testwright.isolate.child_plan import in_namespaces
from testwright.isolate.quick_signal import signal
from testwright.isolate.visible_files import found_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from testwright.isolate.child_plan import Plan

COULD_NOT_START = 127
_LIMITS = {
    "cpu_seconds": resource.RLIMIT_CPU,
    "memory_bytes": resource.RLIMIT_DATA,
    "file_bytes": resource.RLIMIT_FSIZE,
    "processes": resource.RLIMIT_NPROC,
}


def start_command(plan: Plan, own_descriptors: list[int]) -> tuple[int, int]:
    """Fork and become the command. Its pid, and a descriptor that ends empty if all went well, else with the reason."""
    failure_read, failure_write = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        for descriptor in (failure_read, *own_descriptors):
            os.close(descriptor)
        become_command(plan, failure_write, parent)
    os.close(failure_write)
    return pid, failure_read


def become_command(plan: Plan, failure_write: int, parent: int) -> NoReturn:
    """In the new process: take on the limits and the guard, then turn into the command."""
    try:
        os.setsid()
        _forget_our_signals()
        system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before it could take us along
            os._exit(COULD_NOT_START)
        os.chdir(plan["cwd"])
        # Found now: behind a guard neither we nor Python's own search can look around any more.
        program = found_program(plan["argv"][0], plan["env"].get("PATH", os.defpath), plan["cwd"])
        _limit(plan)
        if plan["guard"] is not None:
            from testwright.isolate.guard_enforcement import enforce_guard  # late: start-up: only under a guard

            enforce_guard(plan, plan["guard"])
        os.execve(program, plan["argv"], plan["env"])  # noqa: S606  there is no shell to inject into
    except BaseException as error:  # noqa: BLE001  any failure must reach the parent, and nothing may run on past here
        os.write(failure_write, failure_text(error))
    os._exit(COULD_NOT_START)


def failure_text(error: BaseException) -> bytes:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{type(error).__name__}: {text}".replace("\n", " ").encode(errors="replace")[:4000]


def _forget_our_signals() -> None:
    """As a shell would hand them over: nothing ignored that Python or we ignore."""
    signal.set_wakeup_fd(-1)
    for number in (
        signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ
    ):  # fmt: skip
        signal.signal(number, signal.SIG_DFL)


def ignore_polite_signals() -> None:
    """For the processes of ours around a command: they end when it does, not when it is asked to.

    Said once, in the supervisor: a fork and even another program inherit it.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


def _limit(plan: Plan) -> None:
    for name, kind in _LIMITS.items():
        wanted = plan["limits"][name]
        if wanted is None:
            continue
        if name == "processes" and not in_namespaces(plan):
            continue  # there it would count all that the user has running
        _, hard = resource.getrlimit(kind)
        ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # The hard CPU limit lies a second above the soft one, so that SIGXCPU comes before SIGKILL.
        spare = 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else 0
        resource.setrlimit(kind, (ceiling, ceiling + spare))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def close_all_but(*kept: int) -> None:
    """Let go of every other descriptor, or what a child printed would never be seen to end."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                continue  # the one the listing itself used
