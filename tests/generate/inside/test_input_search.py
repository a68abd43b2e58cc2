"""The search for one unit: promising inputs first, then neighbours of what was kept, the same each time."""

import random
from pathlib import Path

from tests.generate.inside.loaded_modules import Loaded, call, loaded
from testwright.generate.inside.corpus import Corpus, KeptCase
from testwright.generate.inside.generated_case import Call, Case, CaseOutcome, Observation, Use
from testwright.generate.inside.input_search import Search, SearchLimits, SearchTally, lines_mask, use_of

SOURCE = """
import contextlib


def grade(points: int) -> str:
    if points > 990:
        return "perfect"
    if points < 0:
        raise ValueError("points are never negative")
    return "fair"


class Counter:
    def __init__(self, start: int = 0) -> None:
        self.count = start

    def add(self, number: int) -> int:
        self.count += number
        return self.count

    @property
    def is_high(self) -> bool:
        return self.count > 10


def letters():
    yield "a"


async def later():
    return 1


@contextlib.contextmanager
def opened():
    yield "open"
"""
EFFORT = SearchLimits(first=80, neighbours=160, patience=120)


def search(
    it: Loaded, name: str, corpus: Corpus | None = None, *, seed: str = "1"
) -> tuple[SearchTally, list[KeptCase]]:
    kept: list[KeptCase] = []
    found = Search(it.unit(name), it.units, it.under_test, it.inputs, corpus or Corpus(seen=it.at_import), seed=seed)
    return found.run(EFFORT, lambda _: True, kept.append), kept


def test_inputs_for_every_branch_are_found(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        tried, kept = search(it, "grade")

        hits = 0
        for each in kept:
            hits |= each.hits
        assert not lines_mask(it.under_test, it.unit("grade")) & ~(hits | it.at_import)
        assert tried.usable >= len(kept) >= 3
        assert {each.observation.outcome for each in kept} == {CaseOutcome.RETURNED, CaseOutcome.RAISED}


def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        _, first = search(it, "grade")
        _, second = search(it, "grade")

        assert [each.case for each in first] == [each.case for each in second]


def test_a_step_that_is_refused_is_counted_and_not_run(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        found = Search(it.unit("grade"), it.units, it.under_test, it.inputs, Corpus(), seed="1")
        kept: list[KeptCase] = []

        tried = found.run(SearchLimits(first=5, neighbours=0, patience=50), lambda _: False, kept.append)

        assert tried.count > 0
        assert tried.usable == 0
        assert kept == []


def test_methods_are_called_on_objects_that_can_really_be_built(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        _, kept = search(it, "Counter.add")
        _, got = search(it, "Counter.is_high")

        assert all(each.case.subject is not None for each in kept)
        assert all(each.case.action.callee == "subject.add" for each in kept)
        assert {each.case.use for each in got} == {Use.GET}


def test_neighbours_vary_subject_history_and_arguments(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        found = Search(it.unit("Counter.add"), it.units, it.under_test, it.inputs, Corpus(), seed="1")
        base = Case(
            "Counter.add", call("x", "1").action, subject=Call("_under_test.Counter", call("x", "5").action.arguments)
        )
        near = [found.neighbour(base, random.Random(number)) for number in range(60)]

        assert any(each.subject != base.subject for each in near)
        assert any(each.before for each in near)
        assert any(each.action != base.action for each in near)


def test_each_kind_of_unit_is_used_as_it_is_meant(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        used = {name: use_of(it.unit(name)) for name in ("grade", "letters", "later", "opened")}

    assert used == {"grade": Use.CALL, "letters": Use.ITERATE, "later": Use.AWAIT, "opened": Use.ENTER}


def test_the_tally_says_how_the_tries_went() -> None:
    tried = SearchTally()
    tried.note(Observation(CaseOutcome.UNUSABLE, reason="too slow"))
    tried.note(Observation(CaseOutcome.RETURNED))

    assert (tried.count, tried.usable, tried.since_news, tried.last_reason) == (2, 1, 2, "too slow")
