"""Proof by running: where the bug is, the test is red for the right reason each time, and its opposite green."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

from testwright.generate.web.error_wording import GUARD_FAILED
from testwright.generate.web.web_plan import Polarity, WrittenTest
from testwright.generate.web.web_plan_builder import Ingredients
from testwright.model.outcome import Outcome

TIMES = 3


class ProofVerdict(StrEnum):
    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not_reproduced"
    GREEN = "green"  # of a test without an error: it passed each time
    NOT_GREEN = "not_green"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How one test file went, once."""

    outcome: Outcome
    message: str = ""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    def is_red_for(self, reason: str) -> bool:
        """A guard may also be red because a step failed: that proves nothing."""
        return self.outcome is Outcome.FAILED and re.search(reason, self.message) is not None


_NEVER_RAN = TrialResult(Outcome.NO_VERDICT, "it did not run")

Trial = Callable[[Sequence[WrittenTest]], Mapping[str, TrialResult]]
"""Runs test files once, as they would lie in the project; how each went, by its name. Raises TestwrightError."""


@dataclass(frozen=True, slots=True)
class Proof:
    verdict: ProofVerdict
    runs: int = 0
    guard_red: int = 0
    repro_green: int = 0
    green: int = 0
    missing: str = ""  # the ingredient without which, or with which, it is not reproduced
    told: str = ""  # in words: what was seen, or why nothing was run
    ingredients: tuple[str, ...] = ()

    @property
    def reproduced(self) -> bool | None:
        if self.verdict is ProofVerdict.NOT_RUN:
            return None
        return self.verdict is ProofVerdict.REPRODUCED

    def proven(self, *, emitted: bool) -> bool | None:
        """Whether something that the test brings along is known to have been used."""
        if not emitted:
            return False
        return True if self.verdict in {ProofVerdict.REPRODUCED, ProofVerdict.GREEN} else None

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


NOT_RUN = Proof(ProofVerdict.NOT_RUN)
Write = Callable[[Polarity, Ingredients], WrittenTest]


def prove_error(
    write: Write,
    chosen: Ingredients,
    trial: Trial,
    *,
    may_change: bool,
    has_repro: bool = True,
    reason: str = "",
    has_earlier_steps: bool = False,
) -> tuple[Proof, Ingredients]:
    """Guard and repro against the build that has the bug. Where it does not show, what is missing is looked for.

    `may_change`: the request does not say which ingredients the test must have, so it gets those with which it works.
    `reason` is an expression for what a guard says when it is red for the recorded error; empty: our own words.
    """
    reason = reason or re.escape(GUARD_FAILED)
    tried = partial(_tried, write, trial=trial, has_repro=has_repro, reason=reason)
    proof = tried(chosen, times=TIMES)
    if proof.verdict is ProofVerdict.REPRODUCED:
        return proof, chosen
    known = {write(Polarity.GUARD, chosen).content}
    for name, other, is_more in _others(chosen, has_earlier_steps=has_earlier_steps):
        content = write(Polarity.GUARD, other).content
        if content in known or tried(other, times=1).verdict is not ProofVerdict.REPRODUCED:
            known.add(content)
            continue
        if may_change:
            found = tried(other, times=TIMES)
            if found.verdict is ProofVerdict.REPRODUCED:
                return found, other
        told = f"{proof.told} It is reproduced {'with' if is_more else 'without'} {_CALLED[name]}."
        return replace(proof, missing=name, told=told), chosen
    return replace(
        proof, told=f"{proof.told} Leaving out or adding storage, mocks or the clock makes no difference."
    ), chosen


def prove_green(test: WrittenTest, trial: Trial) -> Proof:
    """A test that is about no error passes each time."""
    for green in range(TIMES):
        tried = trial([test]).get(test.filename, _NEVER_RAN)
        if not tried.passed:
            runs = green + 1
            told = f"It passed {green} times of {runs}: {_first_line(tried.message)}"
            return Proof(ProofVerdict.NOT_GREEN, runs, green=green, told=told)
    return Proof(ProofVerdict.GREEN, TIMES, green=TIMES, told=f"It passed {TIMES} times of {TIMES}.")


_CALLED = {
    "storage": "what the browser had stored",
    "mocks": "the server's answers as recorded",
    "clock": "the clock as recorded",
    "steps": "the steps before the last full navigation",
}


def _others(chosen: Ingredients, *, has_earlier_steps: bool) -> list[tuple[str, Ingredients, bool]]:
    """One thing different at a time, the likeliest first, and whether it is there then."""
    return [
        ("mocks", replace(chosen, mocks=not chosen.mocks), not chosen.mocks),
        ("clock", replace(chosen, clock=not chosen.clock), not chosen.clock),
        ("storage", replace(chosen, state=not chosen.state), not chosen.state),
        *([("steps", replace(chosen, whole=True, state=True), True)] if has_earlier_steps else []),
    ]


def _tried(write: Write, ingredients: Ingredients, *, trial: Trial, times: int, has_repro: bool, reason: str) -> Proof:
    guard = write(Polarity.GUARD, ingredients)
    repro = write(Polarity.REPRO, ingredients) if has_repro else None
    files = [guard, *([repro] if repro is not None else [])]
    red = green = runs = 0
    wrong = ""
    for _ in range(times):
        ran = trial(files)
        runs += 1
        seen = ran.get(guard.filename, _NEVER_RAN)
        red += seen.is_red_for(reason)
        green += repro is not None and ran.get(repro.filename, _NEVER_RAN).passed
        wrong = wrong or ("" if seen.is_red_for(reason) else seen.message)
        if red < runs or (repro is not None and green < runs):
            break  # once is enough to know that it is not proven
    is_proven = red == times and (repro is None or green == times)
    told = f"The guard was red for the recorded error {red} times of {runs}"
    told += f", the repro green {green} times of {runs}." if repro is not None else "."
    if wrong:
        told += f" Instead: {_first_line(wrong)}"
    return Proof(
        ProofVerdict.REPRODUCED if is_proven else ProofVerdict.NOT_REPRODUCED,
        runs,
        red,
        green,
        told=told,
        ingredients=guard.ingredients,
    )


def _first_line(message: str) -> str:
    return next((line.strip() for line in message.splitlines() if line.strip()), "no message")[:300]
