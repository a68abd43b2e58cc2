"""What is said of a test over time: the verdict, the numbers behind it, and their plain shape."""

from dataclasses import dataclass
from enum import StrEnum
from math import floor
from typing import Any

from testwright.classify.flakiness.outages import Outage
from testwright.model.case import TestId
from testwright.model.history import PastRun
from testwright.model.result import RunId


class FlakinessVerdict(StrEnum):
    """What can be said of a test over time, the most pressing first."""

    CONFIRMED = "confirmed"  # flaky
    SUSPECTED = "suspected"  # perhaps flaky
    BROKEN = "broken"  # fails, and for a reason that stays
    INSUFFICIENT_DATA = "insufficient_data"
    HEALTHY = "healthy"


@dataclass(frozen=True, slots=True)
class Flakiness:
    """One test over time. Counts are of all its tries; the verdict is without the runs that were left out."""

    test: TestId
    verdict: FlakinessVerdict
    probability: float  # that it is flaky
    rate: float  # how often it fails while the code is good, with a 90 % interval
    low: float
    high: float
    bad_now: float  # probability that the code it tests is bad now
    broken_since: PastRun | None  # the first run of the newest break; None: it is probably not broken
    always_broken: bool  # the break began no later than the first run that is known
    tries: int  # that the verdict rests on
    passed: int
    failed: int
    discordant: tuple[PastRun, ...] = ()  # the first runs of code on which it both passed and failed
    flips: int = 0  # from passing to failing or back
    left_out: tuple[Outage, ...] = ()  # runs in which it failed, as did too many others
    failed_in: tuple[RunId, ...] = ()  # the runs behind the numbers, newest first
    reasons: tuple[str, ...] = ()

    @property
    def flaky_rate(self) -> int:
        """The smaller of passes and failures in percent of both. For display: a clean break looks like a coin here."""
        total = self.passed + self.failed
        return floor(min(self.passed, self.failed) / total * 100 + 0.5) if total else 0

    @property
    def is_flaky(self) -> bool:
        return self.verdict is FlakinessVerdict.CONFIRMED

    @property
    def state(self) -> str:
        """How it is now: broken, flaky or healthy. A flaky test may be broken as well."""
        if self.broken_since is not None:
            return "broken"
        return "flaky" if self.is_flaky else "healthy"


@dataclass(frozen=True, slots=True)
class FlakinessReport:
    """All tests, the most pressing first, and the runs that were left out."""

    tests: tuple[Flakiness, ...]
    outages: tuple[Outage, ...]
    runs: int

    def of(self, *verdicts: FlakinessVerdict) -> tuple[Flakiness, ...]:
        return tuple(test for test in self.tests if test.verdict in verdicts)


def flakiness_shape(test: Flakiness) -> dict[str, Any]:
    """The verdict on one test as plain dictionaries and lists."""
    since = test.broken_since
    return {
        "testId": test.test,
        "verdict": str(test.verdict),
        "state": test.state,
        "passCount": test.passed,
        "failCount": test.failed,
        "flakyRate": test.flaky_rate,
        "probability": round(test.probability, 4),
        "rate": {"estimate": round(test.rate, 4), "low": round(test.low, 4), "high": round(test.high, 4)},
        "badNow": round(test.bad_now, 4),
        "brokenSince": {"commit": since.commit, "run": since.id, "orEarlier": test.always_broken} if since else None,
        "discordantCommits": [run.commit for run in test.discordant],
        "flips": test.flips,
        "leftOutRuns": [outage.run.id for outage in test.left_out],
        "failedIn": list(test.failed_in),
        "reasons": list(test.reasons),
    }


def report_shape(report: FlakinessReport) -> dict[str, Any]:
    """The whole report; tests that never failed are only counted, as there is nothing to say of them."""
    return {
        "runs": report.runs,
        "tests": len(report.tests),
        "counts": {str(verdict): len(report.of(verdict)) for verdict in FlakinessVerdict},
        "flakyTests": [flakiness_shape(test) for test in report.tests if test.failed],
        "outages": [
            {"run": outage.run.id, "commit": outage.run.commit, "failed": outage.failed, "ran": outage.ran}
            for outage in report.outages
        ],
    }
