"""Enforce a guard: what a guarded process gives up right before it becomes its command.

On every level from R1 on: privileges, files and network (Landlock), and dangerous system calls
(seccomp). None of it can be taken back, and all of it holds for everything the process starts.
"""

from __future__ import annotations

from testwright.isolate import landlock, seccomp, system_calls, visible_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from testwright.isolate.child_plan import GuardPlan, Plan

R1, R2, R3 = 1, 2, 3  # IsolationLevel, as it travels in a plan

# R1 shares the machine's network, and the sockets in its file system (a container engine's, an agent's):
# no sockets at all. R2 has a network of its own, and may list it, but still sees such files. R3 sees none of them.
_OWN_NETWORK = (seccomp.AF_INET, seccomp.AF_INET6, seccomp.AF_NETLINK)
_SOCKET_FAMILIES = {R1: (), R2: _OWN_NETWORK, R3: (*_OWN_NETWORK, seccomp.AF_UNIX)}


def enforce_guard(plan: Plan, guard: GuardPlan) -> None:
    level = guard["level"]
    if level < R1:
        return
    system_calls.drop_capabilities()
    system_calls.prctl(system_calls.PR_SET_NO_NEW_PRIVS, 1)
    version = landlock.abi()
    if version:
        readable, writable = _allowed(plan, guard)
        landlock.restrict(version, readable=readable, writable=writable, own_network=level >= R2)
    elif level < R3:  # R3 shows so little that it can do without
        raise OSError("this kernel has no Landlock")
    # From R2 on nothing outside can be changed at all: what is not the child's own is mounted read-only or not there.
    seccomp.install(_SOCKET_FAMILIES[level], metadata=level > R1)


def _allowed(plan: Plan, guard: GuardPlan) -> tuple[list[str], list[str]]:
    """The readable and the writable paths."""
    readable = [*visible_files.readable_folders(plan, guard), *visible_files.READABLE_DEVICES, "/proc"]
    writable = [*visible_files.writable_folders(guard), *visible_files.WRITABLE_DEVICES]
    if guard["level"] >= R2:  # what is written there is thrown away, or lies in a file system of its own
        writable += [*visible_files.COVERED, "/dev/pts", "/dev/ptmx", *([guard["project"]] if guard["project"] else [])]
    return readable, writable
