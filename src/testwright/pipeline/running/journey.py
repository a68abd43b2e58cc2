"""The journey of a run: suites one after another, every event written down before it is shown.

Events that come together are written together: a quick runner finishes many tests between two looks at it.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from testwright.model.events import AttemptFinished, RunEvent
from testwright.model.result import RunId, RunResult
from testwright.pipeline.running.event_book import EventBook, Finished, RunRecorder
from testwright.run.driver import Driver
from testwright.run.suite_plan import PlannedSuite

Listener = Callable[[RunEvent], None]
# What is done about a run once its suites have ended, such as healing; its events are part of the run.
Afterwards = Callable[[RunResult], Iterable[RunEvent]]


class Habits(NamedTuple):
    """How a run goes about its suites."""

    retries: int = 0
    parallel: int = 1
    fail_fast: bool = False


def new_run(command: Sequence[str]) -> RunResult:
    """A run that is about to begin. Its id sorts by time."""
    now = datetime.now(UTC)
    return RunResult(RunId(f"{now:%Y%m%d-%H%M%S}-{os.urandom(3).hex()}"), now, command=tuple(command))


def run_suites(
    planned: Sequence[PlannedSuite],
    driver: Driver,
    header: RunResult,
    *,
    habits: Habits,
    record: Callable[[RunResult], RunRecorder] | None,
    provenance: Callable[[], tuple[str, bool]],
    listen: Listener,
    afterwards: Afterwards | None = None,
) -> Finished:
    """Run everything that is planned. `listen` hears of a result only once `record` has it."""
    started = time.monotonic()
    book = EventBook(header, record, provenance)
    _write_then_show(_suite_events(planned, driver, habits), book, listen)
    if afterwards is not None and not driver.cancel.raised:
        _write_then_show(afterwards(book.so_far()), book, listen)
    duration_ms = (time.monotonic() - started) * 1000
    return book.close(duration_ms=duration_ms, interrupted=driver.cancel.raised)


def _suite_events(planned: Sequence[PlannedSuite], driver: Driver, habits: Habits) -> Iterator[RunEvent]:
    for item in planned:
        if driver.cancel.raised:
            return
        failed = False
        for event in driver.run(
            item.adapter, item.suite, item.request, retries=habits.retries, parallel=habits.parallel
        ):
            failed |= isinstance(event, AttemptFinished) and not event.attempt.outcome.is_success
            yield event
        if failed and habits.fail_fast:
            return


def _write_then_show(events: Iterable[RunEvent], book: EventBook, listen: Listener) -> None:
    for event in events:
        for written in book.write(event):
            listen(written)
