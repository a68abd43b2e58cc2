"""Proof by running: where the bug is, the test is red for the right reason each time, and its opposite green."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

from testwright.generate.web.plan import Polarity, WrittenTest
from testwright.generate.web.planning import Ingredients
from testwright.generate.web.waiting import GUARD_FAILED
from testwright.model.outcome import Outcome

TIMES = 3


class Verdict(StrEnum):
    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not_reproduced"
    GREEN = "green"  # of a test without an error: it passed each time
    NOT_GREEN = "not_green"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class Tried:
    """How one test file went, once."""

    outcome: Outcome
    message: str = ""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    def is_red_for(self, reason: str) -> bool:
        """A guard may also be red because a step failed: that proves nothing."""
        return self.outcome is Outcome.FAILED and re.search(reason, self.message) is not None


Trial = Callable[[Sequence[WrittenTest]], Mapping[str, Tried]]
"""Runs test files once, as they would lie in the project; how each went, by its name. Raises TestwrightError."""


@dataclass(frozen=True, slots=True)
class Proof:
    verdict: Verdict
    runs: int = 0
    guard_red: int = 0
    repro_green: int = 0
    green: int = 0
    missing: str = ""  # the ingredient without which, or with which, it is not reproduced
    told: str = ""  # in words: what was seen, or why nothing was run
    ingredients: tuple[str, ...] = ()

    @property
    def reproduced(self) -> bool | None:
        if self.verdict is Verdict.NOT_RUN:
            return None
        return self.verdict is Verdict.REPRODUCED

    def proven(self, *, emitted: bool) -> bool | None:
        """Whether something that the test brings along is known to have been used."""
        if not emitted:
            return False
        return True if self.verdict in {Verdict.REPRODUCED, Verdict.GREEN} else None

    @property
    def shape(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict),
            "runs": self.runs,
            "guard_red": self.guard_red,
            "repro_green": self.repro_green,
            "green": self.green,
            "missing": self.missing or None,
            "told": self.told,
            "ingredients": list(self.ingredients),
        }


NOT_RUN = Proof(Verdict.NOT_RUN)
Write = Callable[[Polarity, Ingredients], WrittenTest]


def prove_error(
    write: Write, chosen: Ingredients, trial: Trial, *, may_change: bool, has_repro: bool = True, reason: str = ""
) -> tuple[Proof, Ingredients]:
    """Guard and repro against the build that has the bug. Where it does not show, what is missing is looked for.

    `may_change`: nobody has said which ingredients the test must have, so that it gets those with which it works.
    `reason` is an expression for what a guard says when it is red for the recorded error; empty: our own words.
    """
    reason = reason or re.escape(GUARD_FAILED)
    tried = partial(_tried, write, trial=trial, has_repro=has_repro, reason=reason)
    proof = tried(chosen, times=TIMES)
    if proof.verdict is Verdict.REPRODUCED:
        return proof, chosen
    for name, other, is_more in _others(chosen):
        if tried(other, times=1).verdict is not Verdict.REPRODUCED:
            continue
        if may_change:
            found = tried(other, times=TIMES)
            if found.verdict is Verdict.REPRODUCED:
                return found, other
        told = f"{proof.told} It is reproduced {'with' if is_more else 'without'} {_CALLED[name]}."
        return replace(proof, missing=name, told=told), chosen
    return replace(
        proof, told=f"{proof.told} Leaving out or adding storage, mocks or the clock makes no difference."
    ), chosen


def prove_green(test: WrittenTest, trial: Trial) -> Proof:
    """A test that is about no error passes each time."""
    tries = [trial([test]).get(test.filename) for _ in range(TIMES)]
    green = sum(one is not None and one.passed for one in tries)
    if green == TIMES:
        return Proof(Verdict.GREEN, TIMES, green=green, told=f"It passed {green} times of {TIMES}.")
    bad = next((one for one in tries if one is not None and not one.passed), None)
    why = f": {_first_line(bad.message)}" if bad is not None else ": it did not run"
    return Proof(Verdict.NOT_GREEN, TIMES, green=green, told=f"It passed {green} times of {TIMES}{why}")


_CALLED = {
    "storage": "what the browser had stored",
    "mocks": "the server's answers as recorded",
    "clock": "the clock as recorded",
}


def _others(chosen: Ingredients) -> list[tuple[str, Ingredients, bool]]:
    """One thing different at a time, the likeliest first, and whether it is there then."""
    return [
        ("mocks", replace(chosen, mocks=not chosen.mocks), not chosen.mocks),
        ("clock", replace(chosen, clock=not chosen.clock), not chosen.clock),
        ("storage", replace(chosen, state=not chosen.state), not chosen.state),
    ]


def _tried(write: Write, ingredients: Ingredients, *, trial: Trial, times: int, has_repro: bool, reason: str) -> Proof:
    guard = write(Polarity.GUARD, ingredients)
    repro = _aside(write(Polarity.REPRO, ingredients)) if has_repro else None
    files = [guard, *([repro] if repro is not None else [])]
    rounds = [trial(files) for _ in range(times)]
    guards = [one.get(guard.filename) for one in rounds]
    red = sum(one is not None and one.is_red_for(reason) for one in guards)
    repros = [one.get(repro.filename) for one in rounds] if repro is not None else []
    green = sum(one is not None and one.passed for one in repros)
    is_proven = red == times and (repro is None or green == times)
    told = f"The guard was red for the recorded error {red} times of {times}"
    told += f", the repro green {green} times of {times}." if repro is not None else "."
    wrong = next((one for one in guards if one is not None and not one.is_red_for(reason) and one.message), None)
    if wrong is not None:
        told += f" Instead: {_first_line(wrong.message)}"
    return Proof(
        Verdict.REPRODUCED if is_proven else Verdict.NOT_REPRODUCED,
        times,
        red,
        green,
        told=told,
        ingredients=guard.ingredients,
    )


def _aside(repro: WrittenTest) -> WrittenTest:
    """The opposite of a test needs a name of its own where both lie side by side."""
    stem, dot, ending = repro.filename.partition(".")
    return replace(repro, filename=f"{stem}{'_' if ending == 'py' else '-'}repro{dot}{ending}")


def _first_line(message: str) -> str:
    return next((line.strip() for line in message.splitlines() if line.strip()), "no message")[:300]
