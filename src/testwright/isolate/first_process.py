"""The first process inside a child's namespaces: it starts the command, adopts orphans, and says how it ended.

Its end is the end of everything in there: the kernel sees to that. What it has to say goes to the
supervisor as lines on the news descriptor: `started`, or `failed REASON`; then `ended STATUS LEFTOVERS`.
"""

from __future__ import annotations

import os
import sys

from testwright.isolate import system_calls
from testwright.isolate.child_plan import read_plan
from testwright.isolate.command_start import COULD_NOT_START, close_all_but, failure_text, start_command
from testwright.isolate.mounts import discard_changes_in_new_view
from testwright.isolate.quick_signal import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from testwright.isolate.child_plan import Plan


def be_the_first_process(plan: Plan, news: int, prepare: Callable[[], None]) -> NoReturn:
    """`prepare` builds what the command is to see; then run it to its end."""
    try:
        system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
        system_calls.prctl(system_calls.PR_SET_DUMPABLE, 0)  # the command must not look into us
        prepare()
        command, failure_read = start_command(plan, [news])
        close_all_but(news, failure_read)
        failure = os.read(failure_read, 4096)
        os.close(failure_read)
        os.write(news, b"failed " + failure + b"\n" if failure else b"started\n")
        status = _end_of(command)
        os.write(news, b"ended %d %d\n" % (status, _others()))
    except BaseException as error:  # noqa: BLE001  any failure must reach the supervisor, and nothing may run on past here
        os.write(news, b"failed " + failure_text(error) + b"\n")
        os._exit(COULD_NOT_START)
    os._exit(0)


def _end_of(command: int) -> int:
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == command:
            return status


def _others() -> int:
    """How many other processes live in here."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    count += file.read().rpartition(b") ")[2][:1] not in (b"Z", b"X")
            except OSError:
                continue  # gone since the listing
    return count


def main() -> None:
    """Inside bubblewrap, which started us: the descriptors it was told to keep are our arguments."""
    plan_read, news, stderr = (int(argument) for argument in sys.argv[2:5])
    os.dup2(stderr, 2)  # bubblewrap's own complaints went to the news
    plan = read_plan(plan_read)
    for descriptor in (plan_read, stderr):
        os.close(descriptor)
    os.set_inheritable(news, False)
    guard = plan["guard"]
    assert guard is not None
    be_the_first_process(plan, news, lambda: discard_changes_in_new_view(guard))
