"""Few cases are chosen, and together they show what all of them showed."""

from testwright.generate.inside.case_selection import cover, needed
from testwright.generate.inside.corpus import KeptCase, union
from testwright.generate.inside.generated_case import Argument, Call, Case, CaseOutcome, Check, Observation, Relation
from testwright.generate.inside.mutant_killer import Kills


def kept(unit: str, value: str, hits: int, outcome: CaseOutcome = CaseOutcome.RETURNED) -> KeptCase:
    checks = (Check("result", "{}", Relation.EQUAL, value),)
    return KeptCase(
        Case(unit, Call(f"_under_test.{unit}", (Argument(None, value),))), Observation(outcome, checks), hits
    )


def test_all_that_was_shown_is_shown_by_the_chosen_and_by_few_of_them() -> None:
    pool = [kept("f", "1", 0b0001), kept("f", "2", 0b0010), kept("f", "3", 0b0011), kept("f", "4", 0b1100)]

    chosen = cover(pool, 0)

    assert union(each.hits for each in chosen) == 0b1111
    assert [each.case.action.arguments[0].value for each in chosen] == ["3", "4"]


def test_what_the_import_shows_needs_no_case() -> None:
    assert cover([kept("f", "1", 0b01, CaseOutcome.RAISED)], ignored=0b01) == []


def test_of_two_that_show_the_same_the_lighter_is_chosen() -> None:
    light, heavy = kept("f", "1", 1), kept("f", "'a long text that says no more'", 1)

    assert cover([heavy, light], 0) == [light]


def test_each_public_unit_has_a_case_even_where_another_shows_its_lines_too() -> None:
    through = kept("outer", "1", 0b11)
    direct = kept("inner", "1", 0b01)
    private = kept("_own", "1", 0b01)

    assert cover([through, direct, private], 0) == [through, direct]
    assert cover([through, direct, private], 0, each_unit=False) == [through]


def test_who_shows_nothing_of_his_own_is_not_needed() -> None:
    both, first, second = kept("f", "1", 0b11), kept("f", "22", 0b01), kept("f", "333", 0b10)

    assert needed([both, first, second], Kills(), 0) == [both]


def test_a_case_that_noticed_a_mutant_stays() -> None:
    both, killer = kept("f", "1", 0b11), kept("f", "22", 0b01)

    assert needed([both, killer], Kills({7: killer}), 0) == [both, killer]


def test_the_last_case_of_a_public_unit_stays() -> None:
    through, direct = kept("outer", "1", 0b11), kept("inner", "1", 0b01)

    assert needed([through, direct], Kills(), 0) == [through, direct]
