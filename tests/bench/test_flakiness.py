"""The made-up worlds that flakiness is measured in are what they are said to be."""

from collections import Counter

import pytest

from bench.flakiness import make_world


@pytest.mark.parametrize("mode", ["no reruns", "one retry", "30 % of commits rerun"])
def test_a_world_is_the_same_each_time_and_has_the_tests_and_outages_it_should(mode: str) -> None:
    world = make_world(7, mode, runs=20)

    assert world == make_world(7, mode, runs=20)
    assert (len(world.histories), len(world.flaky), len(world.outages)) == (1080, 170, 3)


def test_a_retry_comes_after_a_failure_only_and_a_rerun_is_another_run_of_the_commit() -> None:
    retried = make_world(1, "one retry", runs=20).histories
    rerun = make_world(1, "30 % of commits rerun", runs=20).histories[0]

    for history in retried:
        tries = Counter(attempt.run.id for attempt in history.tries)
        first_failed = {a.run.id for a, b in zip(history.tries, history.tries[1:], strict=False) if a.run == b.run}
        assert {run for run, count in tries.items() if count > 1} == first_failed
    commits = Counter(attempt.run.commit for attempt in rerun.tries)
    assert len(commits) == 20
    assert set(commits.values()) == {1, 2}
