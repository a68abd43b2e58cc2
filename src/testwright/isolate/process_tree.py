"""End a tree of processes so that nothing of it is left, by one who adopts its orphans."""

from __future__ import annotations

import os
import time

from testwright.isolate.quick_signal import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A tree that still lives after this is not ours to end: another user's, or stuck in the kernel.
_PATIENCE_SECONDS = 10.0
_QUICK_ROUNDS = 50


def end_descendants(child: int) -> tuple[int | None, int]:
    """Kill every descendant. The child's wait status if it was collected, and the most others seen alive at once.

    Having no children left is proof: a subreaper's descendants become its children when their own
    parents die, so while one lives, we have a child.
    """
    status: int | None = None
    most = 0
    give_up_at = time.monotonic() + _PATIENCE_SECONDS
    while _has_children() and time.monotonic() < give_up_at:
        # Stop them all before killing any: a process that forks in a loop cannot outrun us while stopped.
        alive = descendants()
        most = max(most, len(alive - {child}))
        send(signal.SIGSTOP, alive)
        send(signal.SIGKILL, alive)
        # One that forks and exits, over and over, is gone before a walk through /proc is done. As our child it is near.
        for _ in range(_QUICK_ROUNDS):
            found = reap(child)
            status = status if found is None else found
            nearest = _children_of_ours()
            if not nearest:
                break
            send(signal.SIGKILL, nearest)
        time.sleep(0.001)
        found = reap(child)
        status = status if found is None else found
    return status, most


def end_marked(variable: str, value: str) -> int:
    """The last resort, for one who did not adopt them: kill every process that was started with this variable.

    Returns how many there were. Misses those that were given another environment.
    """
    mark = f"{variable}={value}".encode()
    ended: set[int] = set()
    give_up_at = time.monotonic() + _PATIENCE_SECONDS
    while (alive := _marked(mark)) and time.monotonic() < give_up_at:
        send(signal.SIGSTOP, alive)
        send(signal.SIGKILL, alive)
        ended |= alive
        time.sleep(0.001)
    return len(ended)


def _marked(mark: bytes) -> set[int]:
    found = set()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open(f"/proc/{name}/environ", "rb") as file:
                    found |= {int(name)} if mark in file.read().split(b"\0") else set()
        except OSError:
            continue  # gone since the listing, or another user's
    return found


def reap(child: int) -> int | None:
    """Collect everything that has exited; the child's wait status if it was among them."""
    found: int | None = None
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return found
            if pid == child:
                found = status
    except ChildProcessError:
        return found


def send(number: int, pids: Iterable[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue  # gone since we looked, or another user's


def descendants() -> set[int]:
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


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _children_of_ours() -> list[int]:
    try:
        with open("/proc/thread-self/children", "rb") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []  # a kernel without this list: the walk through /proc finds them
