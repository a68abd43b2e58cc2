"""A test proves a bug when it is red for that error each time, and its opposite green; anything else is reported."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from testwright.generate.web.error_wording import GUARD_FAILED
from testwright.generate.web.web_plan import Polarity, WrittenTest
from testwright.generate.web.web_plan_builder import Ingredients
from testwright.model.case import WebFramework
from testwright.model.outcome import Outcome
from testwright.pipeline.web.proof import (
    NOT_RUN,
    TIMES,
    Proof,
    ProofVerdict,
    Trial,
    TrialResult,
    prove_error,
    prove_green,
)

RED = TrialResult(Outcome.FAILED, f"Error: {GUARD_FAILED}")
GREEN = TrialResult(Outcome.PASSED)
STEP_FAILED = TrialResult(Outcome.FAILED, "Timeout 5000ms exceeded.\nwaiting for locator")


def write(polarity: Polarity, ingredients: Ingredients) -> WrittenTest:
    """A test whose content says what it was made with."""
    return WrittenTest(
        WebFramework.PLAYWRIGHT,
        f"error-save{'-repro' if polarity is Polarity.REPRO else ''}.spec.ts",
        f"{polarity} {ingredients}",
        uses_mocks=ingredients.mocks,
        uses_state=ingredients.state,
        uses_clock=ingredients.clock,
    )


class Bench:
    """Runs tests: the error comes where `shows` says so of what a test brings along."""

    def __init__(self, shows: Callable[[WrittenTest], bool], otherwise: TrialResult = GREEN) -> None:
        self.shows, self.otherwise = shows, otherwise
        self.rounds: list[list[str]] = []

    def __call__(self, tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        self.rounds.append([test.filename for test in tests])
        return {test.filename: self._one(test) for test in tests}

    def _one(self, test: WrittenTest) -> TrialResult:
        is_guard = test.content.startswith("guard")
        if self.shows(test):
            return RED if is_guard else GREEN
        return self.otherwise if is_guard else TrialResult(Outcome.FAILED, "it did not come")


def proved(trial: Trial, chosen: Ingredients | None = None, *, may_change: bool = False) -> tuple[Proof, Ingredients]:
    return prove_error(write, chosen or Ingredients(), trial, may_change=may_change)


def test_red_each_time_and_its_opposite_green_is_proof() -> None:
    bench = Bench(lambda _: True)

    proof, found = proved(bench)

    assert proof.verdict is ProofVerdict.REPRODUCED
    assert (proof.runs, proof.guard_red, proof.repro_green, proof.reproduced) == (TIMES, TIMES, TIMES, True)
    assert proof.told == "The guard was red for the recorded error 3 times of 3, the repro green 3 times of 3."
    assert found == Ingredients()
    assert bench.rounds == [["error-save.spec.ts", "error-save-repro.spec.ts"]] * TIMES


@pytest.mark.parametrize(
    "wrong", [STEP_FAILED, TrialResult(Outcome.ERROR, GUARD_FAILED), TrialResult(Outcome.NO_VERDICT, "gone")]
)
def test_red_for_another_reason_is_none(wrong: TrialResult) -> None:
    proof, _ = proved(Bench(lambda _: False, wrong))

    assert proof.verdict is ProofVerdict.NOT_REPRODUCED
    assert proof.guard_red == 0
    assert f"Instead: {wrong.message.splitlines()[0]}" in proof.told


def test_nor_is_red_now_and_then() -> None:
    turns = iter([True, True, True, True, False, False] + [False] * 20)
    proof, _ = proved(Bench(lambda _: next(turns)))

    assert proof.verdict is ProofVerdict.NOT_REPRODUCED
    assert (proof.guard_red, proof.repro_green, proof.missing) == (2, 2, "")
    assert proof.told.endswith("Leaving out or adding storage, mocks or the clock makes no difference.")


def test_a_test_that_did_not_run_proves_nothing() -> None:
    proof, _ = proved(lambda _: {})

    assert proof.verdict is ProofVerdict.NOT_REPRODUCED


@pytest.mark.parametrize(
    ("chosen", "shows", "missing", "told"),
    [
        (
            Ingredients(mocks=False),
            lambda test: test.uses_mocks,
            "mocks",
            "It is reproduced with the server's answers as recorded.",
        ),
        (Ingredients(), lambda test: test.uses_clock, "clock", "It is reproduced with the clock as recorded."),
        (
            Ingredients(),
            lambda test: not test.uses_state,
            "storage",
            "It is reproduced without what the browser had stored.",
        ),
    ],
    ids=["mocks", "clock", "storage"],
)
def test_the_ingredient_that_decides_is_named(
    chosen: Ingredients, shows: Callable[[WrittenTest], bool], missing: str, told: str
) -> None:
    proof, found = proved(Bench(shows), chosen)

    assert (proof.verdict, proof.missing) == (ProofVerdict.NOT_REPRODUCED, missing)
    assert proof.told.endswith(told)
    assert found == chosen  # somebody has said what the test must hold


def test_where_the_request_does_not_say_what_it_must_hold_it_gets_what_it_needs() -> None:
    proof, found = proved(Bench(lambda test: test.uses_clock), may_change=True)

    assert proof.verdict is ProofVerdict.REPRODUCED
    assert found == Ingredients(clock=True)
    assert proof.ingredients == ("storage", "mocks", "clock")
    assert proof.runs == TIMES


def test_a_variant_that_works_once_is_not_taken_for_one_that_works() -> None:
    lucky = iter([True, True] + [False] * 40)
    proof, found = proved(Bench(lambda test: test.uses_clock and next(lucky)), may_change=True)

    assert (proof.verdict, proof.missing, found) == (ProofVerdict.NOT_REPRODUCED, "clock", Ingredients())


def test_where_the_opposite_cannot_be_written_the_guard_alone_counts() -> None:
    bench = Bench(lambda _: True)

    proof, _ = prove_error(write, Ingredients(), bench, may_change=False, has_repro=False)

    assert (proof.verdict, proof.repro_green) == (ProofVerdict.REPRODUCED, 0)
    assert proof.told == "The guard was red for the recorded error 3 times of 3."
    assert bench.rounds == [["error-save.spec.ts"]] * TIMES


def test_earlier_steps_are_tried_where_there_are_any() -> None:
    bench = Bench(lambda test: "whole=True" in test.content)

    proof, found = prove_error(write, Ingredients(), bench, may_change=True, has_earlier_steps=True)
    without, _ = prove_error(write, Ingredients(), bench, may_change=True)

    assert (proof.verdict, found) == (ProofVerdict.REPRODUCED, Ingredients(whole=True))
    assert without.verdict is ProofVerdict.NOT_REPRODUCED


TEST = write(Polarity.GUARD, Ingredients())


def test_a_test_about_no_error_must_pass_each_time() -> None:
    proof = prove_green(TEST, lambda tests: {tests[0].filename: GREEN})

    assert (proof.verdict, proof.green, proof.told) == (ProofVerdict.GREEN, 3, "It passed 3 times of 3.")


def test_if_it_does_not_the_first_reason_is_given() -> None:
    results = iter([GREEN, STEP_FAILED, GREEN])
    proof = prove_green(TEST, lambda tests: {tests[0].filename: next(results)})

    assert proof.verdict is ProofVerdict.NOT_GREEN
    assert proof.told == "It passed 1 times of 2: Timeout 5000ms exceeded."
    assert prove_green(TEST, lambda _: {}).told == "It passed 0 times of 1: it did not run"


def test_what_was_not_run_is_not_known() -> None:
    assert NOT_RUN.reproduced is None
    assert NOT_RUN.proven(emitted=True) is None
    assert NOT_RUN.proven(emitted=False) is False
    assert Proof(ProofVerdict.GREEN).proven(emitted=True) is True
    assert Proof(ProofVerdict.NOT_REPRODUCED).proven(emitted=True) is None
    assert Proof(ProofVerdict.NOT_REPRODUCED).reproduced is False
