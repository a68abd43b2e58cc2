"""Runs in which something outside of the tests went wrong: far more of them failed than ever do."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from testwright.model.history import History, PastRun
from testwright.model.result import RunId

_FLOOR = 0.08  # of all tests, above the usual share
_SPREADS = 5.0
_TO_SIGMA = 1.4826  # the median distance from the median, as a standard deviation
# In a small suite a single failure is a large share, and one broken page or fixture often takes two or three tests
# with it. Of 8,550 runs without an outage, of made-up suites of 12 tests, 956 were dropped without this bound, 36 with
# a bound of three, none with five. In suites of more than 62 tests it changes nothing.
FEWEST_FAILING = 5
# Somebody who runs again just what failed has no outage, however large the share: the share of a run that leaves out
# half of the tests is not compared with those of whole runs.
_WHOLE = 0.5
# Runs over the limit at the very end of the history have not been seen to pass. One may be an outage; from two on
# it may as well be a break that is still there, and what is broken now must not go unsaid.
STILL_THERE = 2


@dataclass(frozen=True, slots=True)
class Outage:
    """A run that is left out for all tests."""

    run: PastRun
    failed: int
    ran: int

    @property
    def share(self) -> float:
        return self.failed / self.ran


@dataclass(frozen=True, slots=True)
class Outages:
    found: tuple[Outage, ...]  # oldest first
    at_the_end: frozenset[RunId]  # those that no other run has followed

    @property
    def ids(self) -> frozenset[RunId]:
        return frozenset(outage.run.id for outage in self.found)


def find_outages(histories: Iterable[History]) -> Outages:
    """The runs in which so many tests failed that it says nothing of any single one."""
    counted = _counted(histories)
    whole = _WHOLE * median(outage.ran for outage in counted) if counted else 0.0
    compared = [outage for outage in counted if outage.ran >= whole]
    shares = [outage.share for outage in compared]
    if not shares:
        return Outages((), frozenset())
    middle = median(shares)
    spread = _TO_SIGMA * median(abs(share - middle) for share in shares)
    limit = middle + max(_FLOOR, _SPREADS * spread)
    found = tuple(outage for outage in compared if outage.share > limit and outage.failed >= FEWEST_FAILING)
    ids = {outage.run.id for outage in found}
    at_the_end: set[RunId] = set()
    for outage in reversed(compared):
        if outage.run.id not in ids:
            break
        at_the_end.add(outage.run.id)
    return Outages(found, frozenset(at_the_end))


def _counted(histories: Iterable[History]) -> list[Outage]:
    """Every run, oldest first, with how many tests ran in it and how many of those failed at least once."""
    runs: dict[RunId, PastRun] = {}
    ran: dict[RunId, int] = {}
    failed: dict[RunId, int] = {}
    for history in histories:
        did_fail: dict[RunId, bool] = {}
        for attempt in history.tries:
            run = attempt.run.id
            did_fail[run] = attempt.failed or did_fail.get(run, False)
            runs.setdefault(run, attempt.run)
        for run, has_failed in did_fail.items():
            ran[run] = ran.get(run, 0) + 1
            failed[run] = failed.get(run, 0) + has_failed
    in_order = sorted(runs.values(), key=lambda run: run.started_at)
    return [Outage(run, failed[run.id], ran[run.id]) for run in in_order]
