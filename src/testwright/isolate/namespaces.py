"""R2: namespaces of the child's own for users, processes, network, mounts, IPC and host name."""

from __future__ import annotations

import fcntl
import os
import socket
import struct

from testwright.isolate import system_calls
from testwright.isolate.command_start import close_all_but
from testwright.isolate.first_process import be_the_first_process
from testwright.isolate.mounts import build_view
from testwright.isolate.quick_signal import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from testwright.isolate.child_plan import GuardPlan, Plan

_ALL = (
    system_calls.CLONE_NEWUSER
    | system_calls.CLONE_NEWPID
    | system_calls.CLONE_NEWNET
    | system_calls.CLONE_NEWNS
    | system_calls.CLONE_NEWIPC
    | system_calls.CLONE_NEWUTS
)
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


def run_in_namespaces(plan: Plan, guard: GuardPlan, news: int) -> NoReturn:
    """Stay outside, as the one the supervisor waits for, while the first process inside runs the command."""
    user, group = os.geteuid(), os.getegid()
    system_calls.unshare(_ALL)
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(line)
    system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)  # new credentials cleared it
    first = os.fork()
    if first == 0:
        be_the_first_process(plan, news, lambda: _prepare(plan, guard))
    close_all_but()
    os.waitpid(first, 0)
    os._exit(0)


def _prepare(plan: Plan, guard: GuardPlan) -> None:
    _bring_loopback_up()
    build_view(plan, guard)


def _bring_loopback_up() -> None:
    """So that a test can talk to a server it started itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh22x", b"lo", 0)
        flags = struct.unpack("16sh22x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | _IFF_UP))
