"""Run one child under its supervisor, and read its records and output."""

import contextlib
import os
import selectors
import signal
import socket
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import IO, TYPE_CHECKING, NamedTuple, Self

from testwright.isolate import supervisor_link
from testwright.isolate.channel_listener import CHANNEL_VARIABLE, ChannelListener, Record
from testwright.isolate.child_plan import packed
from testwright.isolate.command import Command
from testwright.isolate.guard import UNGUARDED, Guard
from testwright.isolate.limits import Limits
from testwright.isolate.output import Output, OutputKeeper
from testwright.isolate.process_tree import end_marked
from testwright.model.errors import SpawnFailed
from testwright.model.resource_usage import ResourceUsage

if TYPE_CHECKING:
    from testwright.isolate.child_plan import GuardPlan, Plan

MARK_VARIABLE = "TESTWRIGHT_CHILD"  # by its value we find a child's processes should their supervisor be killed
_CHUNK = 1 << 16
# A quick runner reports a thousand times a second. Waking up for each record slows the runner down, most of all on
# machines with few processors; after a rest there are many records to read at once. The longer a child goes on
# reporting, the longer we rest, up to what a person who watches would not notice.
_SHORTEST_REST, _LONGEST_REST = 0.001, 0.050  # seconds
_A_LOT = 3 << 14  # bytes after one rest: a child that may soon have to wait for us finds us awake
_DRAIN_SECONDS = 1.0  # for output still in the pipes once everybody who could write is gone


class Ending(StrEnum):
    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output_limit"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class ChildReport:
    """How a child ended and what it used; `survivors` counts the processes it left, which were ended too."""

    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    stdout: Output = field(default_factory=Output)
    stderr: Output = field(default_factory=Output)
    usage: ResourceUsage = field(default_factory=ResourceUsage)
    duration_ms: float = 0.0
    survivors: int = 0
    forged_records: int = 0


class _Ended(NamedTuple):
    """The supervisor's last answer."""

    status: int  # as wait(2) gives it
    survivors: int = 0
    usage: ResourceUsage = ResourceUsage()


class Cancel:
    """A flag that one thread raises and every running child notices at once."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        self._raised = threading.Event()
        weakref.finalize(self, self._read.close)
        weakref.finalize(self, self._write.close)

    def __call__(self) -> None:
        if not self._raised.is_set():
            self._raised.set()
            self._write.close()  # readable from now on, by any number of children

    @property
    def raised(self) -> bool:
        return self._raised.is_set()

    def fileno(self) -> int:
        return self._read.fileno()


class Child:
    """A child process, from start to certain end.

    Use as a context manager; iterate `records()` or `batches()` to its end, then read `report`. Leaving the
    block early ends the child. `deadline`, on the monotonic clock, may be moved at any time between
    records: that is how a time limit for each test is kept.
    """

    def __init__(
        self,
        command: Command,
        *,
        limits: Limits | None = None,
        guard: Guard = UNGUARDED,
        channel: Mapping[str, object] | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self._command, self._guard, self._cancel = command, guard, cancel
        self._limits = limits or Limits()
        self._greeting = channel
        self._is_started = False
        self._channel: ChannelListener | None = None
        self._selector = selectors.DefaultSelector()
        self._urgent = selectors.DefaultSelector()  # what no rest may delay
        self._records: list[Record] = []
        self._rest_seconds = _SHORTEST_REST
        self._received_before = 0
        self._answers = b""
        self._mark = os.urandom(16).hex()
        self._started = time.monotonic()
        self._stopped_by: Ending | None = None
        self._ended: _Ended | None = None
        self._duration_ms = 0.0
        self._drain_until = 0.0
        self._had_events = True
        self._keepers = {name: OutputKeeper(self._limits.keep_output_bytes) for name in ("stdout", "stderr")}
        self.deadline: float | None = None if self._limits.seconds is None else self._started + self._limits.seconds

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        """Start it now, if it has not been; a caller that starts a child must enter it too, to be sure of its end."""
        if self._is_started:
            return
        self._is_started = True
        self._link = supervisor_link.take(with_channel=self._greeting is not None)
        self._control = self._link.control
        if self._greeting is not None and self._link.channel is not None:
            self._channel = ChannelListener(self._greeting, self._link.channel)
        self._send(packed(self._plan()))
        if self._channel is not None:
            self._channel.child_end.close()
        self._register()

    def heed(self, cancel: Cancel) -> None:
        """Stop when `cancel` is raised, as if it had been given from the start."""
        self._cancel = cancel
        if self._is_started:
            self._listen_at_once(cancel, "cancel")

    def _plan(self) -> "Plan":
        env = {**self._command.env, MARK_VARIABLE: self._mark}
        child_descriptors = []
        if self._channel is not None:
            child_descriptors.append(self._channel.child_end.fileno())
            env[CHANNEL_VARIABLE] = str(child_descriptors[0])
        limits = asdict(self._limits)
        return {
            "argv": list(self._command.argv),
            # A guarded child may not see the links that lead to its folder.
            "cwd": os.path.realpath(self._command.cwd) if self._guard.guarded else str(self._command.cwd),
            "env": env,
            "limits": {name: limits[name] for name in ("cpu_seconds", "memory_bytes", "file_bytes", "processes")},
            "guard": self._guard_plan() if self._guard.guarded else None,
            "child_descriptors": child_descriptors,
        }

    def _guard_plan(self) -> "GuardPlan":
        return {
            "level": int(self._guard.level),
            "project": self._guard.project,
            "private": self._guard.private,
            "writable": list(self._guard.writable),
            "readable": list(self._guard.readable),
        }

    def _register(self) -> None:
        process = self._link.process
        assert process.stdout is not None
        assert process.stderr is not None
        for name, pipe in (("stdout", process.stdout), ("stderr", process.stderr)):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, name)
        self._control.setblocking(False)
        self._listen_at_once(self._control, "control")
        if self._channel is not None:
            self._selector.register(self._channel.ours, selectors.EVENT_READ | selectors.EVENT_WRITE, "channel")
        if self._cancel is not None:
            self._listen_at_once(self._cancel, "cancel")

    def _listen_at_once(self, source: "socket.socket | Cancel", name: str) -> None:
        self._selector.register(source, selectors.EVENT_READ, name)
        self._urgent.register(source, selectors.EVENT_READ)

    def records(self) -> Iterator[Record]:
        """Each record of the private channel; ends when the child and all it started are gone."""
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[list[Record]]:
        """The same, as many at a time as have come together."""
        while not self._is_over():
            self._wait_once()
            if self._records:
                batch, self._records = self._records, []
                yield batch
                self._rest()

    def _rest(self) -> None:
        if self._ended is not None:
            return
        received = self._bytes_received()
        is_calm = received - self._received_before < _A_LOT
        self._received_before = received
        self._rest_seconds = min(2 * self._rest_seconds, _LONGEST_REST) if is_calm else _SHORTEST_REST
        self._urgent.select(self._rest_seconds)

    @property
    def was_stopped(self) -> bool:
        """Whether the child was ordered to end, by us or by one of its limits."""
        return self._stopped_by is not None

    def _bytes_received(self) -> int:
        printed = sum(keeper.total_bytes for keeper in self._keepers.values())
        return printed + (self._channel.total_bytes if self._channel is not None else 0)

    def stop(self, ending: Ending, *, with_signal: int = signal.SIGTERM) -> None:
        """Ask the whole tree to end; after the grace time it is made to. Only the first call counts."""
        if self._stopped_by is None and self._ended is None:
            self._stopped_by = ending
            self._send(b"%d %f\n" % (with_signal, self._limits.grace_seconds))

    @property
    def report(self) -> ChildReport:
        assert self._ended is not None, "a child has a report once its records have ended"
        status = self._ended.status
        killed = os.WIFSIGNALED(status)
        return ChildReport(
            ending=self._stopped_by or (Ending.SIGNALLED if killed else Ending.EXITED),
            exit_code=None if killed else os.waitstatus_to_exitcode(status),
            signal=os.WTERMSIG(status) if killed else None,
            stdout=self._keepers["stdout"].output(),
            stderr=self._keepers["stderr"].output(),
            usage=self._ended.usage,
            duration_ms=self._duration_ms,
            survivors=self._ended.survivors,
            forged_records=self._channel.forged if self._channel is not None else 0,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._ended is None:
                self.stop(Ending.CANCELLED)
                for _ in self.records():
                    pass
        finally:
            self._selector.close()
            self._urgent.close()
            self._link.close()

    # --- one wait of the loop ----------------------------------------------------------------

    def _is_over(self) -> bool:
        if self._ended is None:
            return False
        open_ends = {key.data for key in self._selector.get_map().values()} - {"control", "cancel"}
        # Time alone does not end it: the caller may be slow with our records, and what was written is still to come.
        return not open_ends or (not self._had_events and time.monotonic() >= self._drain_until)

    def _wait_once(self) -> None:
        ready = self._selector.select(self._patience())
        self._had_events = bool(ready)
        for key, mask in ready:
            match key.data:
                case "control":
                    self._read_control()
                case "channel":
                    self._use_channel(mask)
                case "cancel":
                    self._selector.unregister(key.fileobj)
                    self._urgent.unregister(key.fileobj)
                    self.stop(Ending.CANCELLED, with_signal=signal.SIGINT)
                case name:
                    self._keep_output(name, key.fileobj)  # type: ignore[arg-type]  # pipes are all that is left
        if self.deadline is not None and time.monotonic() >= self.deadline:
            self.stop(Ending.TIMEOUT)

    def _patience(self) -> float | None:
        times = [self._drain_until if self._ended is not None else None]
        if self._stopped_by is None and self._ended is None:
            times.append(self.deadline)
        waits = [max(0.0, at - time.monotonic()) for at in times if at is not None]
        return min(waits, default=None)

    def _keep_output(self, name: str, pipe: IO[bytes]) -> None:
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:  # nothing there after all
            return
        if not chunk:
            self._selector.unregister(pipe)
            return
        self._keepers[name].add(chunk)
        if sum(keeper.total_bytes for keeper in self._keepers.values()) > self._limits.output_bytes:
            self.stop(Ending.OUTPUT_LIMIT)
            if self._ended is not None:  # who still writes is not ours to end, and must not keep us
                self._selector.unregister(pipe)

    def _use_channel(self, mask: int) -> None:
        assert self._channel is not None
        if mask & selectors.EVENT_WRITE:
            self._channel.send_some()
            if not self._channel.wants_to_send:
                self._selector.modify(self._channel.ours, selectors.EVENT_READ, "channel")
        if mask & selectors.EVENT_READ:
            records, more = self._channel.receive()
            self._records.extend(records)
            if not more:
                self._selector.unregister(self._channel.ours)

    def _read_control(self) -> None:
        try:
            chunk = self._control.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._answers += chunk
        *lines, rest = self._answers.split(b"\n")
        self._answers = rest
        for line in lines:
            self._note(line.decode(errors="replace"))
        if not chunk:
            self._selector.unregister(self._control)
            if self._ended is None:  # the supervisor itself was killed, and its child with it
                self._end(_Ended(status=signal.SIGKILL, survivors=end_marked(MARK_VARIABLE, self._mark)))

    def _note(self, answer: str) -> None:
        kind, _, rest = answer.partition(" ")
        if kind == "ended":
            status, survivors, cpu_ms, max_rss_bytes = rest.split()
            self._end(_Ended(int(status), int(survivors), ResourceUsage(float(cpu_ms), int(max_rss_bytes))))
        elif kind == "failed":
            raise SpawnFailed(
                f"{self._command.argv[0]} could not be started: {rest}.",
                next_step="Check that the program is installed and may be run: `testwright doctor` says what it found.",
            )

    def _end(self, ended: _Ended) -> None:
        self._ended = ended
        self._duration_ms = (time.monotonic() - self._started) * 1000
        self._drain_until = time.monotonic() + _DRAIN_SECONDS

    def _send(self, order: bytes) -> None:
        with contextlib.suppress(OSError):  # the supervisor is gone; its closed socket says so
            self._control.setblocking(True)
            self._control.sendall(order)
            self._control.setblocking(False)


def run_child(
    command: Command, *, limits: Limits | None = None, guard: Guard = UNGUARDED, cancel: Cancel | None = None
) -> ChildReport:
    """Run `command` to its end and say how that went."""
    with Child(command, limits=limits, guard=guard, cancel=cancel) as child:
        for _ in child.records():
            pass
        return child.report
