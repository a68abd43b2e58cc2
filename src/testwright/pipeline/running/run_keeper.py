"""How a run is kept: at once in a journal, in the store when somebody looks.

A journal is durable from its first line, so a run needs no database, neither while it runs nor at its end: loading one
costs more than many test runs take. The next command that opens the store takes in the journals that wait.
So a store that is locked, corrupt or out of reach loses nothing.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.case import TestCase
from testwright.model.errors import TestwrightError
from testwright.model.result import RunResult
from testwright.model.state_folder import JOURNAL_SUFFIX
from testwright.pipeline.running.event_book import RunRecorder

if TYPE_CHECKING:
    from testwright.store.journal import Journal
    from testwright.store.project_store import Store

MOST_WAITING = 20  # journals; where no one ever looks, a run that finds more of them takes them in


class RunKeeper:
    """Where one process keeps its run, and finds earlier ones."""

    def __init__(self, pending: Path, open_store: "Callable[[], Store]", *, shared: bool = False) -> None:
        """`pending`: where journals wait to be taken into the store.

        `shared`: others look at the store too, so a run is taken in as soon as it has ended.
        """
        self._pending = pending
        self._open_store = open_store
        self._shared = shared
        self._journal: Journal | None = None
        self.put_aside: tuple[Path, ...] = ()  # journals that could not be read, under the names they have now

    def begin(self, header: RunResult) -> RunRecorder:
        from testwright.store.journal import Journal  # late: start-up: a run may keep nothing

        self._journal = Journal.create(self._pending, header)
        return self._journal

    def finish(self, run: RunResult) -> TestwrightError | None:
        """See that the run will be found; what prevented it, if anything did."""
        if self._journal is not None and not self._shared and self._waiting() <= MOST_WAITING:
            return None
        try:
            with self.open() as store:
                if self._journal is None:  # no room for a journal: there may be room in the store
                    store.runs.save_run(run)
        except TestwrightError as error:
            return error
        return None

    def _waiting(self) -> int:
        return sum(1 for _ in self._pending.glob(f"*{JOURNAL_SUFFIX}"))

    def last_failed(self) -> list[TestCase]:
        """The tests that failed when they last ran."""
        with self.open() as store:
            return store.runs.last_failed()

    def open(self) -> "Store":
        """The store, with every journal taken in that waited for it."""
        from testwright.store.journal import take_in_pending  # late: start-up: a run may keep nothing

        store = self._open_store()
        self.put_aside = take_in_pending(self._pending, store.runs).unreadable
        return store
