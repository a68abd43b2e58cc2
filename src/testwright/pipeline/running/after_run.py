"""What comes after the suites of a run: lost elements are looked for, and what passing tests found is remembered.

Almost nothing is loaded for a run in which no browser test failed and nothing was recorded.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from testwright.model.artifact_names import OUR_TRACE, TARGETS, TRACE
from testwright.model.case import Framework
from testwright.model.errors import TestwrightError
from testwright.model.events import RunEvent
from testwright.model.result import RunResult, SuiteResult
from testwright.pipeline.healing.recording_schedule import (
    forget_old_pages,
    is_of_all_tests,
    is_recorded,
    note_recording,
    remove_our_traces,
)
from testwright.run.driver import Driver
from testwright.run.suite_plan import PlannedSuite

if TYPE_CHECKING:
    from testwright.pipeline.healing.heal_report import HealEntry, HealReport
    from testwright.store.project_store import Store

_RECORDS = frozenset({TRACE, OUR_TRACE, TARGETS})  # artifacts that tell what a test found


class Stop(Protocol):
    @property
    def raised(self) -> bool: ...


class AfterRun:
    """Called with the run once its suites have ended; `lines` and `add_to` then say what came of it."""

    def __init__(
        self,
        root: Path,
        planned: Sequence[PlannedSuite],
        driver_at: Callable[[Path], Driver],
        open_store: "Callable[[], Store]",
        stop: Stop,
    ) -> None:
        self._root, self._planned, self._driver_at = root, planned, driver_at
        self._open_store, self._stop = open_store, stop
        self._report: HealReport | None = None
        self._troubles: list[str] = []

    def __call__(self, run: RunResult) -> Iterator[RunEvent]:
        if any(_lost_an_element(suite) for suite in run.suites):
            from testwright.pipeline.healing.journey import HealPass  # late: start-up: only where an element was lost

            healing = HealPass(self._root, self._planned, self._driver_at, self._open_store)
            self._report = healing.report
            try:
                yield from healing.events(run)
            except Exception as fault:  # noqa: BLE001  a fault of ours must not cost the user the verdict of the run
                self._troubles.append(f"Healing broke off, by a fault of Testwright's own: {fault!r}")
        if any(is_recorded(item) for item in self._planned):
            if not self._stop.raised:
                self._record(run)
            remove_our_traces(run, self._root)
        if any(item.request.pages is not None for item in self._planned):
            forget_old_pages(self._root)

    @property
    def entries(self) -> "Sequence[HealEntry]":
        """What was said of each failure that was looked at."""
        return tuple(self._report.entries) if self._report is not None else ()

    def lines(self) -> list[str]:
        """What a person reads: a line for each failure that was looked at."""
        entries = [entry.line() for entry in self._report.entries] if self._report is not None else []
        return [*entries, *self._all_troubles()]

    def add_to(self, shape: dict[str, Any]) -> None:
        """Put what was done about each failure beside it, in a run's JSON form."""
        for suite in shape["suites"]:
            for result in suite["results"]:
                entries = self._report.of(result["id"]) if self._report is not None else []
                result["heals"] = [entry.as_dict() for entry in entries]
        shape["healTroubles"] = self._all_troubles()

    def _all_troubles(self) -> list[str]:
        return [*(self._report.troubles if self._report is not None else ()), *self._troubles]

    def _record(self, run: RunResult) -> None:
        watched = [suite for suite in run.suites if _shows_what_was_found(suite)]
        if not watched:
            return
        from testwright.pipeline.healing.sightings import record_run  # late: start-up: only where tests were watched

        try:
            with self._open_store() as store:
                recorded = record_run(run, self._root, store.fingerprints)
            note_recording(
                self._root,
                {result.case.file for suite in watched for result in suite.results},
                unfinished=recorded.unfinished,
                places={(place.file, place.line) for place in recorded.places},
                in_part=not all(is_of_all_tests(item) for item in self._planned if is_recorded(item)),
            )
        except (TestwrightError, OSError) as error:
            self._troubles.append(f"What the tests found could not be remembered: {error}")


def _lost_an_element(suite: SuiteResult) -> bool:
    failed = [result for result in suite.results if not result.outcome.is_success]
    if not failed or suite.framework not in (Framework.PLAYWRIGHT, Framework.PYTEST):
        return False
    from testwright.run.selector_miss import has_lost_an_element  # late: start-up: only where a test failed

    return any(has_lost_an_element(result.last) for result in failed)


def _shows_what_was_found(suite: SuiteResult) -> bool:
    return any(artifact.name in _RECORDS for result in suite.results for artifact in result.last.artifacts)
