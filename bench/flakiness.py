"""How well flaky tests are told from broken ones, in worlds that are made up and where the truth is known.

    python -m bench.flakiness     # the table; `make bench` holds the figures to their limits

A world has 1,080 tests and 60 runs, most of them of a new commit. 170 tests are flaky: 140 at a fixed rate, 20 in
bursts, 10 until something breaks them for good. Others break, are mended, or both, and a few runs are outages that hit
a large part of all tests. It shares assumptions with the model that judges it: it says what the model can do, not
what it does in the field.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean

from bench.measure import Figure
from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.flakiness_report import Flakiness, FlakinessVerdict
from testwright.classify.flakiness.patterns import find_patterns
from testwright.model.case import TestId
from testwright.model.history import History, PastAttempt, PastRun
from testwright.model.result import RunId

WORLDS = 3
RUNS = 60
_SLIP = 0.0005  # of any test, per attempt
_OUTAGES = 3  # runs of each world, each of which hits a quarter of all tests or many more
_RERUN = 0.3
_MODES = ("no reruns", "one retry", "30 % of commits rerun")
# What was measured when the method was chosen, in other worlds of the same kind: recall and F1.
_AIMS = {
    ("confirmed", "no reruns"): (0.624, 0.768),
    ("confirmed", "one retry"): (0.639, 0.780),
    ("confirmed", "30 % of commits rerun"): (0.680, 0.810),
    ("suspected", "no reruns"): (0.794, 0.861),
    ("suspected", "one retry"): (0.845, 0.865),
    ("suspected", "30 % of commits rerun"): (0.820, 0.884),
}
_RANKING = 0.87  # average precision, in each mode
_TOLERANCE = 0.04  # two standard deviations of a share of 510 flaky tests
# Nobody who reads "flaky" may find a test that is not. A suspicion may be wrong: 800 tests that slip once in 2,000
# tries give 24 isolated failures in 60 runs, which look like those of a test that fails once in a hundred. Where
# to draw the line there is a matter of taste, so precision is shown, and F1 and the ranking are held.
_CONFIRMED_PRECISION = 0.99
_STARTED = datetime(2024, 1, 1, tzinfo=UTC)

Fails = Callable[[int], float]  # how likely a test fails, by the number of the commit


@dataclass(frozen=True)
class World:
    histories: list[History]
    flaky: set[TestId]
    outages: set[RunId]


@dataclass(frozen=True)
class Score:
    precision: float
    recall: float
    false_alarms: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def __str__(self) -> str:
        return f"{self.precision:.3f} / {self.recall:.3f} / {self.f1:.3f}"


@dataclass(frozen=True)
class Measured:
    """The mean of several worlds."""

    scores: dict[str, Score]  # of each way to call tests flaky
    ranking: float  # average precision
    outages: int
    outages_wrong: int  # missed, or imagined


def _kinds(chance: random.Random, commits: int) -> Iterator[tuple[str, Fails]]:
    """Every test of a world: its kind, and how likely it fails at each commit."""

    def steady(rate: float) -> Fails:
        return lambda _commit: rate

    def bad_between(start: int, end: int, otherwise: float = _SLIP) -> Fails:
        return lambda commit: 1.0 if start <= commit < end else otherwise

    def bursts() -> Fails:
        rates, in_burst = [], False
        for _ in range(commits):
            in_burst = chance.random() < (0.8 if in_burst else 0.04)
            rates.append(0.5 if in_burst else _SLIP)
        return lambda commit: rates[commit]

    yield from (("stable", steady(_SLIP)) for _ in range(800))
    for rate in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
        yield from (("flaky", steady(rate)) for _ in range(20))
    yield from (("flaky bursts", bursts()) for _ in range(20))

    def some_commit(low: float = 0.1, high: float = 0.9) -> int:
        return chance.randint(round(commits * low), round(commits * high))

    for _ in range(10):
        yield "flaky, then broken", bad_between(some_commit(), commits, chance.choice((0.05, 0.1, 0.2, 0.3)))
    yield from (("broken", bad_between(some_commit(), commits)) for _ in range(40))
    yield from (("mended", bad_between(0, some_commit())) for _ in range(40))
    for _ in range(30):
        start = some_commit(high=0.6)
        yield "broken, then mended", bad_between(start, start + chance.randint(1, round(commits * 0.3)))


def make_world(seed: int, mode: str, *, runs: int = RUNS) -> World:
    chance = random.Random(f"{seed}:{mode}:{runs}")
    commits = _commits(chance, mode, runs)
    past = [
        PastRun(RunId(f"run-{number:03d}"), _STARTED + timedelta(hours=number), f"commit-{commit:03d}")
        for number, commit in enumerate(commits)
    ]
    struck = set(chance.sample(range(len(past)), _OUTAGES))
    hit = [chance.uniform(0.25, 0.9) if number in struck else 0.0 for number in range(len(past))]
    histories, flaky = [], set()
    for number, (kind, fails) in enumerate(_kinds(chance, commits[-1] + 1)):
        test = TestId(f"pytest:tests/test_world.py::test_{number:04d}")
        if kind.startswith("flaky"):
            flaky.add(test)
        tries: list[PastAttempt] = []
        for run, commit, share in zip(past, commits, hit, strict=True):
            is_hit = chance.random() < share
            for _ in range(2 if mode == "one retry" else 1):
                failed = is_hit or chance.random() < fails(commit)
                tries.append(PastAttempt(run, failed))
                if not failed:
                    break
        histories.append(History(test, tuple(tries)))
    return World(histories, flaky, {run.id for run, share in zip(past, hit, strict=True) if share})


def _commits(chance: random.Random, mode: str, runs: int) -> list[int]:
    """The number of the commit of each run: every commit has one, and some have a second."""
    again = _RERUN if mode.endswith("rerun") else 0.0
    return [commit for commit in range(runs) for _ in range(2 if chance.random() < again else 1)]


_RULES: dict[str, Callable[[Flakiness], bool]] = {
    "confirmed": lambda test: test.is_flaky,
    "suspected": lambda test: test.verdict in (FlakinessVerdict.CONFIRMED, FlakinessVerdict.SUSPECTED),
    "passed and failed": lambda test: bool(test.passed and test.failed),
}


def measure(mode: str, *, runs: int = RUNS) -> Measured:
    found: dict[str, list[Score]] = {name: [] for name in _RULES}
    ranking = 0.0
    there = wrong = 0
    for seed in range(WORLDS):
        world = make_world(seed, mode, runs=runs)
        report = judge_flakiness(world.histories)
        for name, is_called in _RULES.items():
            called = {test.test for test in report.tests if is_called(test)}
            right = len(called & world.flaky)
            precision = right / len(called) if called else 1.0
            found[name].append(Score(precision, right / len(world.flaky), len(called - world.flaky)))
        ranking += _average_precision(report.tests, world.flaky) / WORLDS
        there += len(world.outages)
        wrong += len(world.outages ^ {outage.run.id for outage in report.outages})
    return Measured({name: _mean(scores) for name, scores in found.items()}, ranking, there, wrong)


def _mean(scores: Sequence[Score]) -> Score:
    return Score(
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.false_alarms for score in scores),
    )


def _average_precision(tests: Sequence[Flakiness], flaky: set[TestId]) -> float:
    ranked = sorted(tests, key=lambda test: (-test.probability, test.test))
    right, total = 0, 0.0
    for place, test in enumerate(ranked, start=1):
        if test.test in flaky:
            right += 1
            total += right / place
    return total / len(flaky)


def figures(folder: Path) -> Iterator[Figure]:
    for mode in _MODES:
        measured = measure(mode)
        beside = f'(precision / recall / F1 of "passed and failed": {measured.scores["passed and failed"]})'
        precision = measured.scores["confirmed"].precision
        yield Figure(f"flaky confirmed, {mode}: precision", precision, _CONFIRMED_PRECISION, "", at_least=True)
        for name in ("confirmed", "suspected"):
            score, aims = measured.scores[name], _AIMS[name, mode]
            for what, value, aim in zip(("recall", "F1"), (score.recall, score.f1), aims, strict=True):
                limit = round(aim - _TOLERANCE, 3)
                detail = f"precision {score.precision:.2f} {beside}"
                yield Figure(f"flaky {name}, {mode}: {what}", value, limit, "", at_least=True, detail=detail)
        limit = round(_RANKING - _TOLERANCE, 3)
        yield Figure(f"flaky tests ranked, {mode}: average precision", measured.ranking, limit, "", at_least=True)
        detail = f"of {measured.outages}"
        yield Figure(f"outages missed or imagined, {mode}", measured.outages_wrong, 0, "", detail=detail)
    yield from _costs(folder)


def _costs(folder: Path) -> Iterator[Figure]:
    histories = make_world(0, _MODES[0]).histories[-1000:]  # with every test that ever fails
    started = time.process_time()
    report = judge_flakiness(histories)
    find_patterns(histories, outages=[outage.run.id for outage in report.outages])
    yield Figure("1,000 tests over 60 runs judged, processor time", time.process_time() - started, 3.0, " s")
    yield Figure("60 runs of 1,000 tests read from the store, processor time", _read_seconds(folder), 1.0, " s")


def _read_seconds(folder: Path) -> float:
    from sqlalchemy import select

    from testwright.model.case import Framework, TestCase
    from testwright.model.outcome import Outcome
    from testwright.model.result import Attempt, RunResult, SuiteResult, TestResult
    from testwright.store.known_test_queries import histories
    from testwright.store.project_store import open_store
    from testwright.store.schema import projects

    results = tuple(
        TestResult(TestCase(Framework.PYTEST, f"tests/test_{i % 50}.py", (f"test_{i}",)), (Attempt(Outcome.PASSED),))
        for i in range(1000)
    )
    suites = (SuiteResult(Framework.PYTEST, ".", results),)
    with open_store(folder / "store" / "testwright.db") as store:
        for number in range(60):
            run = RunResult(RunId(f"run-{number:03d}"), _STARTED + timedelta(hours=number), suites)
            store.runs.save_run(run)
        with store.database.reading() as connection:
            project = connection.scalars(select(projects.c.pk)).one()
        started = time.process_time()
        found = histories(store.database, project, runs=60)
        seconds = time.process_time() - started
    assert sum(len(history.tries) for history in found) == 60_000
    return seconds


def main() -> int:
    for mode in _MODES:
        measured = measure(mode)
        print(f"{mode}: average precision {measured.ranking:.3f}; {measured.outages} outages, ", end="")
        print(f"{measured.outages_wrong} missed or imagined")
        for name, score in measured.scores.items():
            print(f"  {name:20} {score}   false alarms {score.false_alarms:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
