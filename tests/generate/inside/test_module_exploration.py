"""A module is explored as a whole: every unit searched in forks, the steady kept, the rest named with the reason."""

import time
from pathlib import Path

from tests.generate.inside.loaded_modules import Loaded, loaded
from testwright.generate.inside.corpus import union
from testwright.generate.inside.module_exploration import (
    Exploration,
    ExplorationResult,
    WorkBudget,
    sample_mutants,
    work_budget,
)
from testwright.instrument.mutants import list_mutants

SOURCE = """
import os
import random

_seen = []


def sign(number: int) -> str:
    if number < 0:
        return "minus"
    if number == 0:
        return "zero"
    return "plus"


def leave():
    os._exit(0)


def chance():
    return [random.random() for _ in range(3)]


def _helper(number):
    return number
"""
LITTLE = WorkBudget(cases=600, cases_per_unit=100, mutants=60, hunts_per_function=20, shrinks_per_case=10)


def exploration(it: Loaded, said: list[str], *, deadline: float | None = None, seed: str = "1") -> Exploration:
    return Exploration(
        it.under_test,
        it.units,
        it.inputs,
        LITTLE,
        seed=seed,
        deadline=time.monotonic() + 600 if deadline is None else deadline,
        at_import=it.at_import,
        report=lambda stage, *_: said.append(stage),
        leave_behind=lambda: None,
    )


def chosen_cases(explored: ExplorationResult) -> list[str]:
    return [repr(each.case) for each in explored.chosen]


def test_what_is_chosen_covers_the_honest_and_what_ends_the_process_is_named(tmp_path: Path) -> None:
    said: list[str] = []
    with loaded(tmp_path, SOURCE) as it:
        explored = exploration(it, said).run()

        hits = union(each.hits for each in explored.chosen)
        lines = {probe.line for probe in it.under_test.twin.probes if hits >> (8 * probe.index) & 1}
        assert {9, 10, 11, 12} <= lines
        assert {each.qualname: each.reason for each in explored.skipped}["leave"] == "exited with status 0"
        assert explored.tried > 0
        assert explored.kills.by_mutant
        assert not explored.cap_hit
    assert said.index("found") < said.index("mutated")


def test_the_same_seed_explores_the_same(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        first, second = (chosen_cases(exploration(it, []).run()) for _ in range(2))

        assert first == second


def test_past_the_deadline_it_stops_and_says_so(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        explored = exploration(it, [], deadline=0.0).run()

        assert explored.cap_hit
        assert explored.chosen == []


def test_mutants_are_sampled_in_order_and_the_same_each_time(tmp_path: Path) -> None:
    mutants = list_mutants(SOURCE)

    some = sample_mutants(mutants, 5, "seed")

    assert len(some) <= 6
    assert [each.number for each in some] == sorted(each.number for each in some)
    assert some == sample_mutants(mutants, 5, "seed")
    assert sample_mutants(mutants, 10_000, "seed") == mutants


def test_more_seconds_are_more_of_everything() -> None:
    small, large = work_budget(1), work_budget(10)

    assert small.cases < large.cases
    assert small.mutants < large.mutants
    assert small.search_limits(4).first <= large.search_limits(4).first
    assert work_budget(1).search_limits(1000).first > 0
