"""A case is kept when it shows something new, and what a reader has to take in is its cost."""

from testwright.generate.inside.corpus import Corpus, KeptCase, burden, cost, is_accident, union
from testwright.generate.inside.generated_case import Argument, Call, Case, CaseOutcome, Check, Observation, Relation
from testwright.generate.inside.module_under_test import ObservedRun


def case(*values: str, unit: str = "area") -> Case:
    return Case(unit, Call(f"_under_test.{unit}", tuple(Argument(None, value) for value in values)))


def seen(hits: int, kind: str = "int", answer: str = "1", outcome: CaseOutcome = CaseOutcome.RETURNED) -> ObservedRun:
    return ObservedRun(Observation(outcome, (Check("result", "{}", Relation.EQUAL, answer),), kind), hits)


def raised(*checks: Check) -> Observation:
    return Observation(CaseOutcome.RAISED, checks, "TypeError")


def test_a_new_probe_a_new_kind_and_a_new_path_are_each_worth_keeping() -> None:
    corpus = Corpus()

    assert corpus.offer(case("1"), seen(0b01))
    assert corpus.offer(case("2"), seen(0b10))
    assert corpus.offer(case("3"), seen(0b10, kind="str"))
    assert corpus.offer(case("4"), seen(0b11))
    assert not corpus.offer(case("5"), seen(0b11))
    assert corpus.seen == 0b11


def test_a_case_is_kept_once_and_never_when_nothing_can_be_said_of_it() -> None:
    corpus = Corpus()
    corpus.offer(case("1"), seen(0b01))

    assert not corpus.offer(case("1"), seen(0b10))
    assert not corpus.offer(case("2"), seen(0b10, outcome=CaseOutcome.UNUSABLE))
    assert not corpus.offer(case("3"), ObservedRun(Observation(CaseOutcome.RETURNED, ()), 0b10))


def test_another_answer_on_a_known_path_is_put_aside_once() -> None:
    corpus = Corpus()
    corpus.offer(case("1"), seen(1))

    for value, answer in (("2", "4"), ("3", "9"), ("-3", "9")):
        assert not corpus.offer(case(value), seen(1, answer=answer))

    assert [each.case for each in corpus.spare] == [case("2"), case("3")]


def test_what_one_unit_showed_does_not_count_for_another() -> None:
    corpus = Corpus()
    corpus.offer(case("1"), seen(1))

    assert corpus.offer(case("1", unit="volume"), seen(1))
    assert [each.case.unit for each in corpus.of("volume")] == ["volume"]
    assert corpus.of("nothing") == []


def test_more_to_read_costs_more_and_private_names_cost_most() -> None:
    assert cost(case("1")) < cost(case("1", "2")) < cost(case("'\\x00\\x01'", "2"))
    assert cost(case("'a long and winding text'")) < cost(case("1", unit="_area"))


def test_an_error_that_the_code_did_not_mean_to_raise_is_an_accident() -> None:
    bare = raised(Check("error", "{}", Relation.RAISES, "TypeError"))
    worded = raised(
        Check("error", "{}", Relation.RAISES, "ValueError"), Check("error", "{}", Relation.MESSAGE_IS, "too much")
    )
    own = raised(Check("error", "{}", Relation.RAISES, "_under_test.Failure"))

    assert is_accident(bare)
    assert not is_accident(worded)
    assert not is_accident(own)
    assert burden(KeptCase(case("1"), bare, 0)) > burden(KeptCase(case("1"), worded, 0))


def test_hits_come_together_in_a_union() -> None:
    assert union([0b001, 0b100]) == 0b101
    assert union([]) == 0
