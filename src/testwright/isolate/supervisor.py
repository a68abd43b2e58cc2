"""The process between us and a child: it starts the child, adopts its orphans, and ends all of them.

Runs as a process of its own, a fork of ours or our interpreter with `-I -S`: standard library only, and little
of it, since every child waits for it to start. It reads a plan from its control socket, then orders
(`SIGNAL GRACE`), and answers in lines: `started PID` or `failed REASON`, then
`ended STATUS SURVIVORS CPU_MS MAX_RSS_BYTES`. It takes the closing of that socket, which is what
happens when Testwright is killed, as the order to end everything at once.
"""

from __future__ import annotations

import os
import resource
import select
import sys
import time

from testwright.isolate import system_calls
from testwright.isolate.child_plan import in_namespaces, read_plan
from testwright.isolate.command_start import COULD_NOT_START, become_command, failure_text, ignore_polite_signals
from testwright.isolate.process_tree import descendants, end_descendants, reap, send
from testwright.isolate.quick_signal import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from testwright.isolate.child_plan import Plan

_BROKEN = int(signal.SIGKILL)  # the wait status of a child that did not live to give one
_AROUND_THE_COMMAND = 2  # processes of ours between us and a command in namespaces


def main() -> None:
    supervise(int(sys.argv[2]))


def supervise(control: int) -> None:
    """Start what the plan says and see it to its end; `control` is the socket that leads to Testwright."""
    os.set_inheritable(control, False)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # our parent may have blocked SIGCHLD, which wakes us up
    ignore_polite_signals()  # we outlive our child; only the socket's end stops us
    system_calls.prctl(system_calls.PR_SET_CHILD_SUBREAPER, 1)
    try:
        plan = read_plan(control)
    except EOFError:
        return  # the child is not wanted any more
    wake_up = _wake_up_on_child_exit()
    news_read, news_write = os.pipe()
    supervisor = os.getpid()
    child = os.fork()
    if child == 0:
        _start(plan, news_write, supervisor)
    os.close(news_write)
    _let_go_of(plan)
    status, survivors = _Watch(plan, child, control, news_read).until_the_end(wake_up)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_ms = (used.ru_utime + used.ru_stime) * 1000
    _say(control, f"ended {status} {survivors} {cpu_ms} {used.ru_maxrss * 1024}")


def _start(plan: Plan, news: int, supervisor: int) -> NoReturn:
    guard = plan["guard"]
    if guard is None or not in_namespaces(plan):
        become_command(plan, news, supervisor)
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        system_calls.prctl(system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
        if guard["level"] == 2:  # IsolationLevel.R2; importing enums and dataclasses would cost
            from testwright.isolate.namespaces import run_in_namespaces  # late: start-up: R2 only

            run_in_namespaces(plan, guard, news)
        else:
            from testwright.isolate.bubblewrap import run_in_bubblewrap  # late: start-up: R3 only

            run_in_bubblewrap(plan, guard, news)
    except BaseException as error:  # noqa: BLE001  any failure must reach the parent, and nothing may run on past here
        os.write(news, b"failed " + failure_text(error) + b"\n")
    os._exit(COULD_NOT_START)


class _Watch:
    """Waits for the child, reads its news and our orders, and leaves nothing alive."""

    def __init__(self, plan: Plan, child: int, control: int, news: int) -> None:
        self._in_namespaces = in_namespaces(plan)
        self._child, self._control, self._news = child, control, news
        self._text, self._orders = b"", b""
        self._news_is_open, self._start_is_known = True, False
        self._kill_at: float | None = None
        os.set_blocking(news, False)

    def until_the_end(self, wake_up: int) -> tuple[int, int]:
        """The child's wait status, and how many processes it left."""
        while (status := reap(self._child)) is None:
            if self._kill_at is not None and time.monotonic() >= self._kill_at:
                return self._end_by_force()
            timeout = None if self._kill_at is None else max(0.0, self._kill_at - time.monotonic())
            sources = [self._control, wake_up, *([self._news] if self._news_is_open else [])]
            ready, _, _ = select.select(sources, [], [], timeout)
            if wake_up in ready:
                os.read(wake_up, 4096)
            if self._news in ready:
                self._read_news()
            if self._control in ready:
                self._obey()
        _, survivors = end_descendants(self._child)
        self._read_news()
        true_status, left_inside = self._told_end() or (status, 0)
        return true_status, survivors + left_inside

    def _end_by_force(self) -> tuple[int, int]:
        status, others = end_descendants(self._child)
        self._read_news()
        if self._in_namespaces:
            others = max(0, others - _AROUND_THE_COMMAND)
        true_status, left_inside = self._told_end() or (_BROKEN if status is None else status, 0)
        return true_status, others + left_inside

    def _obey(self) -> None:
        """`SIGNAL GRACE`: pass the signal on to all, and note when to stop waiting."""
        chunk = os.read(self._control, 4096)
        if not chunk:
            end_descendants(self._child)
            os._exit(1)
        *orders, self._orders = (self._orders + chunk).split(b"\n")
        for order in orders:
            number, grace = order.split()
            send(int(number), descendants())
            self._kill_at = time.monotonic() + float(grace)

    def _read_news(self) -> None:
        while self._news_is_open:
            try:
                chunk = os.read(self._news, 1 << 16)
            except BlockingIOError:
                break
            self._text += chunk
            self._news_is_open = bool(chunk)
        if not self._start_is_known:
            self._tell_start()

    def _tell_start(self) -> None:
        failure = self._failure_to_start()
        if failure is not None:
            self._start_is_known = True
            _say(self._control, f"failed {failure}" if failure else f"started {self._child}")

    def _failure_to_start(self) -> str | None:
        """Why it could not start; nothing if it could; None while that is not known."""
        text = self._text.decode(errors="replace")
        if self._in_namespaces:
            for line in text.splitlines():
                if line == "started":
                    return ""
                if line.startswith("failed "):
                    return line.removeprefix("failed ")
        if self._news_is_open:
            return None
        # The end of the news, unread, is how becoming the command looks. Inside namespaces it is not.
        return " ".join(text.split()) or ("the isolation broke down" if self._in_namespaces else "")

    def _told_end(self) -> tuple[int, int] | None:
        """What the first process inside the namespaces said: the command's own status, and what it left."""
        for line in self._text.splitlines() if self._in_namespaces else []:
            if line.startswith(b"ended "):
                status, left = line.split()[1:]
                return int(status), int(left)
        return None


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


def _say(control: int, line: str) -> None:
    try:
        os.write(control, line.encode(errors="replace") + b"\n")
    except OSError:
        return  # no process is left that reads it
