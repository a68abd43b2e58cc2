"""How a run is kept: at once in a journal, at its end in the store.

A store that is locked, corrupt or out of reach loses nothing: the journal stays where it is, and the
next command that opens the store takes it in.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.case import TestCase
from testwright.model.errors import TestwrightError
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.pipeline.running import Recorder

if TYPE_CHECKING:
    from testwright.store.database import Store
    from testwright.store.journal import Journal

PENDING = "pending"  # the folder of journals that wait to be taken in


class Keeping:
    """Where one process keeps its run, and finds earlier ones."""

    def __init__(self, folder: Path, open_store: "Callable[[], Store]") -> None:
        self._pending = folder / PENDING
        self._open_store = open_store
        self._journal: Journal | None = None
        self._opening: _Opening | None = None

    def begin(self, header: RunResult) -> Recorder:
        """Open the journal, and the store in the background: loading it takes longer than many a test run."""
        self._opening = _Opening(self._open_store)
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
        from testwright.store.summaries import TestFilter

        failures = tuple(
            outcome for outcome in Outcome if not outcome.is_success and outcome is not Outcome.INTERRUPTED
        )
        with self.open() as store:
            return [test.case for test in store.runs.list_tests(TestFilter(outcomes=failures), limit=100_000)]

    def open(self) -> "Store":
        """The store, with every journal taken in that waited for it."""
        from testwright.store.intake import take_in_pending

        store = self._open_store()
        take_in_pending(self._pending, store.runs)
        return store


class _Opening:
    """A store being opened by another thread."""

    def __init__(self, open_store: "Callable[[], Store]") -> None:
        self._open_store = open_store
        self._store: Store | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._store = self._open_store()
        except BaseException as error:  # noqa: BLE001  raised again where the store is asked for
            self._error = error

    def result(self) -> "Store":
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._store is not None
        return self._store
