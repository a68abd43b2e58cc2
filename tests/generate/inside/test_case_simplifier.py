"""A chosen case gets simpler for as long as it proves the same."""

from pathlib import Path

from tests.generate.inside.loaded_modules import loaded
from testwright.generate.inside.case_simplifier import shrink
from testwright.generate.inside.corpus import cost
from testwright.generate.inside.mutant_killer import MutantKiller
from testwright.instrument.mutants import list_mutants

SOURCE = """
def has_digit(text, *more):
    for character in text:
        if character.isdigit():
            return True
    return False
"""
LONG = repr("words and words and more of them 7 and then some more of all those words")


def test_what_is_left_is_cheaper_hits_the_same_and_shows_the_same_kind(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        kept = it.kept("has_digit", LONG, "[1, 2, 3]")
        killing = MutantKiller(it.under_test, [], lambda: None)

        smaller = shrink(kept, kept.hits, [], it.under_test, killing, it.inputs, 60)

        assert cost(smaller.case) < cost(kept.case)
        assert smaller.observation.kind == kept.observation.kind
        assert not kept.hits & ~smaller.hits
        assert it.under_test.holds(smaller.case, smaller.observation)


def test_the_mutants_that_it_noticed_are_noticed_still(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        mutants = list_mutants(it.under_test.source)
        killing = MutantKiller(it.under_test, mutants, lambda: None)
        kept = it.kept("has_digit", LONG)
        noticed = [mutant for mutant in mutants if mutant.function and killing.notices(kept, mutant)]
        assert noticed

        smaller = shrink(kept, 0, noticed, it.under_test, killing, it.inputs, 60)

        assert all(killing.notices(smaller, mutant) for mutant in noticed)


def test_no_tries_and_nothing_simpler_leave_it_as_it_is(tmp_path: Path) -> None:
    with loaded(tmp_path, SOURCE) as it:
        killing = MutantKiller(it.under_test, [], lambda: None)
        long, short = it.kept("has_digit", LONG), it.kept("has_digit", "'7'")

        assert shrink(long, long.hits, [], it.under_test, killing, it.inputs, 0) is long
        assert shrink(short, short.hits, [], it.under_test, killing, it.inputs, 60) is short
