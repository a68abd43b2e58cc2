"""A run as it happens: events as appended lines, on disk before anyone hears of them.

A line that was written survives the death of this process at any moment, and the writer's lock tells a
journal that is still being written from one that was left behind: those are taken into the store.
"""

import contextlib
import fcntl
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from testwright.model.errors import InvalidPath, MalformedReport, TestwrightError
from testwright.model.events import AttemptFinished, CaughtUp, Collected, RunEvent, RunnerStarted, TestStarted
from testwright.model.result import RunId, RunResult
from testwright.model.state_folder import JOURNAL_SUFFIX
from testwright.store.private_files import append_lines, named_file_errors, prepare_folder
from testwright.store.run_line_encoder import encode_end, encode_event, encode_run

if TYPE_CHECKING:
    from testwright.store.run_store import RunStore

_CASES_PER_LINE = 1000  # a runner may announce any number of tests at once; a line has a largest size


class Journal:
    """The journal this process writes. An event is safe once `append` has returned."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def create(cls, folder: Path, run: RunResult) -> Self:
        """Begin the journal of `run`, of which only the head is read: its results are still to come."""
        if not run.id or run.id.startswith(".") or {"/", "\0"} & set(run.id):
            raise InvalidPath(f"The run id {run.id!r} cannot name a file.", next_step="Use letters, digits and dashes.")
        prepare_folder(folder)
        path = folder / f"{run.id}{JOURNAL_SUFFIX}"
        with named_file_errors(path):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW
            descriptor = os.open(path, flags, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)  # may wait a moment for somebody who looks whether we are alive
        journal = cls(path, descriptor)
        try:
            journal._write(encode_run(run))
        except TestwrightError:
            journal.close()
            path.unlink()  # it holds nothing
            raise
        return journal

    def append(self, *events: RunEvent) -> None:
        """Write the events down, all at once. Raises DiskFull when there is no room; what is on disk stays whole."""
        # That a test has started only matters while nothing is known of its end.
        finished = {event.case.id for event in events if isinstance(event, AttemptFinished)}
        lines: list[bytes] = []
        try:
            for event in events:
                if not isinstance(event, TestStarted) or event.case.id not in finished:
                    lines.extend(_lines(event))
        finally:  # an event that is too large to keep does not take those before it along
            if lines:
                self._write(b"".join(lines))

    def finish(self, *, duration_ms: float, interrupted: bool = False) -> None:
        """Write the last line, and make all of it safe from a power cut too."""
        self._write(encode_end(duration_ms, interrupted=interrupted))
        with named_file_errors(self.path):
            os.fsync(self._open_descriptor())
            _sync_folder(self.path.parent)  # or the file might be whole, and its name gone
        self.close()

    def close(self) -> None:
        """Let go of the journal; without `finish` before, it counts as left behind."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, lines: bytes) -> None:
        descriptor = self._open_descriptor()
        with named_file_errors(self.path):
            append_lines(descriptor, lines)

    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise ValueError(f"the journal {self.path} is closed")
        return self._descriptor


def _lines(event: RunEvent) -> Iterator[bytes]:
    if isinstance(event, Collected):
        for start in range(0, len(event.cases), _CASES_PER_LINE):
            yield encode_event(Collected(event.cases[start : start + _CASES_PER_LINE]))
    elif not isinstance(event, RunnerStarted | CaughtUp):  # of interest to those who watch, not to history
        yield encode_event(event)


def read_journal(path: Path) -> RunResult:
    """The run a journal tells of. A last line that was cut off by a kill is left out; any other fault is refused."""
    # late: start-up: a run writes its journal without what reads one
    from testwright.store.run_lines import RunReader, lines_of

    reader = RunReader(str(path))
    run: RunResult | None = None
    with named_file_errors(path), path.open("rb") as file:
        written = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
        for line in lines_of(file):
            if not line.endswith(b"\n") and _at_end(file):
                break
            if run is not None:
                raise reader.malformed("it comes after the end of the run", line_number=reader.line_number + 1)
            run = reader.read(line)
    if run is not None:
        return run
    if reader.assembly is None:
        raise reader.malformed("the journal has no complete line", line_number=1)
    run = reader.assembly.abandoned(duration_ms=0.0)
    # The last line was written when the run was last seen alive.
    return replace(run, duration_ms=max(0.0, (written - run.started_at).total_seconds() * 1000))


def pending(folder: Path) -> list[Path]:
    """The journals in `folder` that are not written any more, oldest name first: finished ones and abandoned ones."""
    return [path for path in sorted(folder.glob(f"*{JOURNAL_SUFFIX}")) if _is_left_behind(path)]


@contextlib.contextmanager
def taken(path: Path) -> Iterator[bool]:
    """Hold the journal, so no other process takes it in meanwhile; False when its writer lives or it is gone."""
    from testwright.store.private_files import try_lock  # late: start-up: random

    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # taken in by another process, or never a journal
        yield False
        return
    try:
        yield try_lock(descriptor, fcntl.LOCK_EX) and os.path.lexists(path)
    finally:
        os.close(descriptor)


def _is_left_behind(path: Path) -> bool:
    from testwright.store.private_files import try_lock  # late: start-up: random

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        status = os.fstat(descriptor)
        # An empty one belongs to a process that has just made it, or died before it wrote a word.
        return stat.S_ISREG(status.st_mode) and status.st_size > 0 and try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _at_end(file: BinaryIO) -> bool:
    position = file.tell()
    more = file.read(1)
    file.seek(position)
    return not more


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the journals that were waiting."""

    runs: tuple[RunId, ...] = ()
    unreadable: tuple[Path, ...] = ()  # put aside under these names


def take_in(journal: Path, store: "RunStore") -> RunResult | None:
    """Store the run of a journal and remove the journal; None when it is still written or already taken in.

    The journal goes only after the store has committed. Dying in between costs nothing: the same run is
    then taken in again, and a run is stored once however often it comes.
    """
    with taken(journal) as ours:
        if not ours:
            return None
        run = read_journal(journal)
        store.save_run(run)
        with named_file_errors(journal):
            journal.unlink(missing_ok=True)
        return run


def take_in_pending(folder: Path, store: "RunStore") -> Intake:
    """Take in every journal that is not written any more. One that cannot be read is put aside, not thrown away."""
    runs: list[RunId] = []
    unreadable: list[Path] = []
    for journal in pending(folder):
        try:
            run = take_in(journal, store)
        except MalformedReport:
            aside = journal.with_name(f"{journal.name}.unreadable")
            with named_file_errors(journal):
                journal.rename(aside)
            unreadable.append(aside)
        else:
            if run is not None:
                runs.append(run.id)
    return Intake(tuple(runs), tuple(unreadable))
