"""How a run is kept: at once in a journal, at its end in the store.

A store that is locked, corrupt or out of reach loses nothing: the journal stays where it is, and the
next command that opens the store takes it in.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.case import TestCase
from testwright.model.errors import TestwrightError
from testwright.model.result import RunResult
from testwright.pipeline.running import Recorder

if TYPE_CHECKING:
    from concurrent.futures import Future

    from testwright.store.database import Store
    from testwright.store.journal import Journal

PENDING = "pending"  # the folder of journals that wait to be taken in


class Keeping:
    """Where one process keeps its run, and finds earlier ones."""

    def __init__(self, folder: Path, open_store: "Callable[[], Store]") -> None:
        self._pending = folder / PENDING
        self._open_store = open_store
        self._journal: Journal | None = None
        self._opening: Future[Store] | None = None

    def begin(self, header: RunResult) -> Recorder:
        """Open the journal, and the store in the background: loading it takes longer than many a test run."""
        from concurrent.futures import ThreadPoolExecutor

        self._opening = ThreadPoolExecutor(1).submit(self._open_store)
        from testwright.store.journal import Journal

        self._journal = Journal.create(self._pending, header)
        return self._journal

    def finish(self, run: RunResult) -> TestwrightError | None:
        """Take the run into the store; what prevented it, if anything did."""
        from testwright.store.intake import take_in_pending

        try:
            store = self._opening.result() if self._opening is not None else self._open_store()
            with store:
                if self._journal is None:
                    store.runs.save_run(run)
                take_in_pending(self._pending, store.runs)
        except TestwrightError as error:
            return error
        return None

    def last_failed(self) -> list[TestCase]:
        """The tests that failed when they last ran."""
        with self.open() as store:
            return store.runs.last_failed()

    def open(self) -> "Store":
        """The store, with every journal taken in that waited for it."""
        from testwright.store.intake import take_in_pending

        store = self._open_store()
        take_in_pending(self._pending, store.runs)
        return store
