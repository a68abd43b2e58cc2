"""Mutants are run against the cases that reach them, and new cases are looked for where no case noticed a mutant."""

import ast
import random
from collections.abc import Sequence
from pathlib import Path

from tests.generate.inside.loaded_modules import Loaded, call, loaded
from testwright.generate.inside.corpus import KeptCase
from testwright.generate.inside.fork_runner import Fork, in_fork
from testwright.generate.inside.mutant_killer import Kills, MutantKiller, reaches, statement_lines
from testwright.instrument.mutants import list_mutants

SOURCE = """
LIMIT = 10


def fits(size):
    if size < LIMIT:
        return "fits"
    return "too large"


def countdown(number):
    while number > 0:
        number -= 1
    return number
"""


def killing(it: Loaded) -> MutantKiller:
    return MutantKiller(it.under_test, list_mutants(it.under_test.source), lambda: None)


def decided(it: Loaded, *kept: KeptCase) -> dict[str, bool]:
    """For each mutant by its description and line: whether these cases notice it."""
    killer, kills = killing(it), Kills()
    killer.round(list(kept), list(killer.mutants), kills)
    return {
        f"{mutant.line}: {mutant.description}": number in kills.by_mutant for number, mutant in killer.mutants.items()
    }


def test_a_case_notices_the_mutants_that_change_what_it_shows_and_no_others(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        far = decided(it, it.kept("fits", "1"), it.kept("fits", "99"))
        near = decided(it, it.kept("fits", "9"), it.kept("fits", "10"))

    assert any(far.values())
    assert {name for name, noticed in far.items() if noticed} < {name for name, noticed in near.items() if noticed}
    assert all(noticed for name, noticed in near.items() if name.startswith("6:"))


def test_a_mutant_of_what_runs_at_import_is_tried_too(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        near = decided(it, it.kept("fits", "9"), it.kept("fits", "10"))
        mutants = [name for name in near if name.startswith("2:")]

        assert mutants
        assert any(near[name] for name in mutants)
        assert it.under_test.module.LIMIT == 10


def test_a_mutant_that_never_ends_is_noticed(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        noticed = decided(it, it.kept("countdown", "3"))

    assert any(value for name, value in noticed.items() if name.startswith("13:"))


def test_only_those_who_run_its_statement_reach_a_mutant(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        killer = killing(it)
        inner = [mutant for mutant in killer.mutants.values() if mutant.function == "fits"]

        assert inner
        assert any(killer.reaches(mutant, it.kept("fits", "1").hits) for mutant in inner)
        assert not any(killer.reaches(mutant, it.kept("countdown", "1").hits) for mutant in inner)
        assert all(reaches(it.under_test, inner).values())


def test_the_module_is_as_it_was_when_the_mutants_are_through(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        kept = it.kept("fits", "10")
        decided(it, kept)

        assert it.under_test.holds(kept.case, kept.observation)


def test_the_hunt_finds_the_input_that_shows_the_difference(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        killer = killing(it)
        base = it.kept("fits", "1")
        survivors = [
            mutant
            for mutant in killer.mutants.values()
            if mutant.function == "fits" and killer.reaches(mutant, base.hits) and not killer.notices(base, mutant)
        ]
        assert survivors

        def neighbour(_: KeptCase, rng: random.Random, hints: Sequence[object]) -> KeptCase | None:
            new = it.kept("fits", str(rng.randrange(8, 13)))
            return new if new.observation.is_usable else None

        found: list[tuple[tuple[int, ...], KeptCase]] = []

        def hunt(fork: Fork) -> None:
            killer.hunt(survivors, [base], neighbour, 60, "seed", fork)

        ended = in_fork(hunt, found.append, patience_seconds=30)

        assert ended.finished
        assert {number for numbers, _ in found for number in numbers} == {mutant.number for mutant in survivors}
        assert all(each.case != call("fits", "1") for _, each in found)


def test_whose_kills_are_whose_is_known(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        one, other = it.kept("fits", "1"), it.kept("fits", "10")

    assert Kills({3: one, 5: other, 8: one}).of(one) == [3, 8]


def test_each_line_belongs_to_the_innermost_statement_on_it() -> None:
    lines = statement_lines(ast.parse("if (a and\n        b):\n    x = [\n        1,\n    ]\nelse:\n    y = 2\n"))

    assert lines[1] == lines[2] == 1
    assert lines[3] == lines[4] == lines[5] == 3
    assert lines[7] == 7
