"""What failures have in common: tests that fail for the order they run in, and tests that fail together.

Both are said only where chance is an unlikely explanation even after looking at every pair of tests.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import comb
from typing import Any

from testwright.classify.sentence_parts import first_few
from testwright.model.case import TestId
from testwright.model.history import History
from testwright.model.result import RunId

_CHANCE = 0.01  # of finding anything at all where there is nothing
_FEWEST = 3  # runs of each kind, or shared failures
_OVERLAP = 0.5  # of the times that either of two tests begins to fail, both do
# Code that broke and was mended changes twice. An order that comes and goes more often than that has nothing to do with
# when somebody changed something.
_CHANGES = 3
_NAMED = 3


@dataclass(frozen=True, slots=True)
class OrderDependence:
    """A test that failed in just those runs in which others came before it, or in which they did not."""

    test: TestId
    others: tuple[TestId, ...]  # one of them, or several, is the reason; the data cannot tell them apart
    fails_after: bool  # False: it fails unless they came before
    failed_in: tuple[RunId, ...]
    passed_in: tuple[RunId, ...]

    @property
    def sentence(self) -> str:
        others = _named(self.others, "or" if self.fails_after else "and")
        when = "only after" if self.fails_after else "unless it comes after"
        return (
            f"{self.test} fails {when} {others}: so in {len(self.failed_in)} runs that failed and"
            f" {len(self.passed_in)} that passed. Look for state that one leaves and the other needs to be different."
        )


@dataclass(frozen=True, slots=True)
class CoFailure:
    """Tests that begin to fail in the same runs."""

    tests: tuple[TestId, ...]
    runs: tuple[RunId, ...]  # in which at least half of them did, oldest first

    @property
    def sentence(self) -> str:
        return (
            f"{_named(self.tests, 'and')} fail together, in {len(self.runs)} runs ({_named(self.runs, 'and')})."
            " Look for what they share, such as a fixture, a service or data."
        )


@dataclass(frozen=True, slots=True)
class Patterns:
    order: tuple[OrderDependence, ...]
    together: tuple[CoFailure, ...]


def find_patterns(histories: Iterable[History], *, outages: Collection[RunId] = ()) -> Patterns:
    """What the failures of these tests have in common, outside of the runs in `outages`."""
    known = sorted((history for history in histories if history.tries), key=lambda history: history.test)
    return Patterns(
        order=tuple(order_dependences(known, outages=outages)), together=tuple(co_failures(known, outages=outages))
    )


# Order dependence -----------------------------------------------------------------------------------------------------

Places = dict[RunId, dict[TestId, tuple[int, int]]]


def order_dependences(histories: Sequence[History], *, outages: Collection[RunId] = ()) -> list[OrderDependence]:
    """The tests whose failures follow from what ran before them; nothing where every run has the same order."""
    places, firsts = _places(histories, outages)
    found: list[OrderDependence] = []
    for test, runs in firsts.items():
        failed = [run for run, did_fail in runs.items() if did_fail]
        passed = [run for run, did_fail in runs.items() if not did_fail]
        changes = sum(before != after for before, after in pairwise(runs.values()))
        if min(len(failed), len(passed)) < _FEWEST or changes < _CHANGES:
            continue
        if 2 * len(firsts) / comb(len(runs), len(failed)) >= _CHANCE:
            continue  # with so many tests to choose from, one fits by chance
        for fails_after, where, elsewhere in ((True, failed, passed), (False, passed, failed)):
            others = _always_and_never_before(test, where, elsewhere, places)
            if others:
                found.append(OrderDependence(test, others, fails_after, tuple(failed), tuple(passed)))
    return found


def _places(histories: Iterable[History], outages: Collection[RunId]) -> tuple[Places, dict[TestId, dict[RunId, bool]]]:
    """Where each test stood in each run, and whether its first try there failed: a retry comes after other tests."""
    places: Places = {}
    firsts: dict[TestId, dict[RunId, bool]] = {}
    for history in histories:
        of_test = firsts.setdefault(history.test, {})
        for attempt in history.tries:
            if attempt.position is None or attempt.run.id in outages or attempt.run.id in of_test:
                continue
            of_test[attempt.run.id] = attempt.failed
            places.setdefault(attempt.run.id, {})[history.test] = (attempt.suite, attempt.position)
    return places, firsts


def _always_and_never_before(
    test: TestId, always: Sequence[RunId], never: Sequence[RunId], places: Places
) -> tuple[TestId, ...]:
    others = _before(test, places[always[0]]) - _before(test, places[never[0]])  # none where all orders are the same
    for run in always[1:]:
        others = others and others & _before(test, places[run])
    for run in never[1:]:
        others = others and others - _before(test, places[run])
    return tuple(sorted(others))


def _before(test: TestId, run: dict[TestId, tuple[int, int]]) -> set[TestId]:
    """The tests of its suite that came before it; other suites are other processes."""
    suite, position = run[test]
    return {other for other, place in run.items() if place[0] == suite and place[1] < position}


# Failing together -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bits:
    """Runs as bits of a number: in which a test ran, and in which it began to fail.

    A failure that goes on is one event: two tests that one commit broke share one, however long it stays.
    """

    ran: int
    began: int


def co_failures(histories: Sequence[History], *, outages: Collection[RunId] = ()) -> list[CoFailure]:
    """Groups of tests that begin to fail in the same runs far more often than chance would have it."""
    numbers = _run_numbers(histories, outages)
    bits = {history.test: _bits(history, numbers) for history in histories}
    candidates = {test: found for test, found in bits.items() if found.began.bit_count() >= _FEWEST}
    links: dict[TestId, set[TestId]] = {test: set() for test in candidates}
    tail = cache(_tail)
    allowed = _CHANCE / max(1, comb(len(candidates), 2))
    for (one, its), (other, others) in combinations(candidates.items(), 2):
        if _are_linked(its, others, allowed, tail):
            links[one].add(other)
            links[other].add(one)
    runs = list(numbers)
    return [CoFailure(group, _shared_runs(group, bits, runs)) for group in _groups(links)]


def _run_numbers(histories: Iterable[History], outages: Collection[RunId]) -> dict[RunId, int]:
    started: dict[RunId, Any] = {}
    for history in histories:
        for attempt in history.tries:
            if attempt.run.id not in outages:
                started.setdefault(attempt.run.id, attempt.run.started_at)
    in_order = sorted(started, key=lambda run: started[run])
    return {run: number for number, run in enumerate(in_order)}


def _bits(history: History, numbers: dict[RunId, int]) -> _Bits:
    failed: dict[int, bool] = {}
    for attempt in history.tries:
        number = numbers.get(attempt.run.id)
        if number is not None:
            failed[number] = attempt.failed or failed.get(number, False)
    ran = began = 0
    was_failing = False
    for number, did_fail in failed.items():
        ran |= 1 << number
        if did_fail and not was_failing:
            began |= 1 << number
        was_failing = did_fail
    return _Bits(ran, began)


def _are_linked(one: _Bits, other: _Bits, allowed: float, tail: Callable[[int, int, int, int], float]) -> bool:
    shared = (one.began & other.began).bit_count()
    if shared < _FEWEST:
        return False
    of_one, of_other = (one.began & other.ran).bit_count(), (other.began & one.ran).bit_count()
    if shared < _OVERLAP * (of_one + of_other - shared):
        return False
    return tail((one.ran & other.ran).bit_count(), of_one, of_other, shared) < allowed


def _tail(runs: int, of_one: int, of_other: int, shared: int) -> float:
    """How likely at least `shared` are in common, if each test picked its runs by itself (hypergeometric)."""
    ways = sum(
        comb(of_one, common) * comb(runs - of_one, of_other - common)
        for common in range(shared, min(of_one, of_other) + 1)
    )
    return ways / comb(runs, of_other)


def _groups(links: dict[TestId, set[TestId]]) -> list[tuple[TestId, ...]]:
    """Each test with most links takes those it is linked to: all of a group resemble one of them, with no chains."""
    groups: list[tuple[TestId, ...]] = []
    left = {test: set(linked) for test, linked in links.items() if linked}
    while left:
        centre = min(left, key=lambda test: (-len(left[test]), test))
        group = {centre, *left[centre]}
        groups.append(tuple(sorted(group)))
        left = {test: linked - group for test, linked in left.items() if test not in group}
        left = {test: linked for test, linked in left.items() if linked}
    return groups


def _shared_runs(group: Sequence[TestId], bits: dict[TestId, _Bits], runs: Sequence[RunId]) -> tuple[RunId, ...]:
    return tuple(
        run
        for number, run in enumerate(runs)
        if 2 * sum(bits[test].began >> number & 1 for test in group) >= len(group)
    )


def _named(names: Sequence[str], last: str) -> str:
    if len(names) > _NAMED:
        return first_few(names, _NAMED, last)
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
