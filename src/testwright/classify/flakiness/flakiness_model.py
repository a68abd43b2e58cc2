"""How likely it is that a test fails by chance: two explanations of its history, weighed against each other.

Deterministic: the code is good or bad, and the test says so. Flaky: it also fails, at some rate, while the code is
good. Whether the code is good is not seen; it may change between commits and never within one. For both explanations
the probability of all that was seen is summed over every way the code may have been (the forward recursion of a
hidden Markov model).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

SLIP = 0.002  # how often a deterministic test says the wrong thing all the same
BREAKS = 1 / 60  # good code turns bad at a commit
MENDED = 3 / 60  # and bad code good
STARTS_BAD = 0.1
RATES = (0.005, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65)  # equally likely at first
PRIOR = 0.05  # of all tests are flaky
NEVER_FAILED = 0.01  # P(flaky) of a test that has not failed yet
_TAIL = 0.05  # of the belief lies on each side of the interval
_CLAMP = 60.0
_TINY = 1e-150  # rescale before products leave what a float can hold


@dataclass(frozen=True, slots=True)
class TryOutcome:
    """One try: whether the code may have changed since the try before, and whether it failed."""

    is_new_code: bool
    failed: bool


@dataclass(frozen=True, slots=True)
class Belief:
    """What a history says of its test."""

    flaky: float  # probability
    rate: float  # of failures while the code is good, if it is flaky
    low: float
    high: float
    bad_now: float  # probability that the code is bad after the last try
    turned_bad: int | None  # the try from which on it has most probably been bad; None: it is probably good


def believe(history: Sequence[TryOutcome]) -> Belief:
    """Weigh the two explanations of `history`."""
    failures = sum(seen.failed for seen in history)
    if not failures:
        # No rate is excluded that would let all of this pass with 5 % probability.
        high = 1 - _TAIL ** (1 / len(history)) if history else 1.0
        return Belief(NEVER_FAILED, 0.0, 0.0, high, 0.0, None)
    plain, plain_bad = _forward(history, SLIP)
    by_rate = [_forward(history, rate) for rate in RATES]
    best = max(likelihood for likelihood, _ in by_rate)
    weights = [exp(likelihood - best) for likelihood, _ in by_rate]
    total = sum(weights)
    weights = [weight / total for weight in weights]
    odds = best + log(total / len(RATES)) - plain + log(PRIOR / (1 - PRIOR))
    flaky = 1 / (1 + exp(-min(_CLAMP, max(-_CLAMP, odds))))
    flaky_bad = sum(weight * bad for weight, (_, bad) in zip(weights, by_rate, strict=True))
    bad_now = (1 - flaky) * plain_bad + flaky * flaky_bad
    likeliest = SLIP if flaky < 0.5 else RATES[weights.index(max(weights))]
    return Belief(
        flaky=flaky,
        rate=sum(weight * rate for weight, rate in zip(weights, RATES, strict=True)),
        low=_quantile(weights, _TAIL),
        high=_quantile(weights, 1 - _TAIL),
        bad_now=bad_now,
        turned_bad=_turned_bad(history, likeliest) if bad_now >= 0.5 else None,
    )


def _forward(history: Sequence[TryOutcome], rate: float) -> tuple[float, float]:
    """The log probability of all that was seen if good code fails at `rate`, and P(bad) at the end."""
    good, bad, scale = 1 - STARTS_BAD, STARTS_BAD, 0.0
    passes, stays_good, stays_bad = 1 - rate, 1 - BREAKS, 1 - MENDED
    fails_bad, is_first = 1 - SLIP, True
    for seen in history:
        if seen.is_new_code and not is_first:
            good, bad = good * stays_good + bad * MENDED, good * BREAKS + bad * stays_bad
        is_first = False
        if seen.failed:
            good *= rate
            bad *= fails_bad
        else:
            good *= passes
            bad *= SLIP
        if good + bad < _TINY:
            scale += log(good + bad)
            good, bad = good / (good + bad), bad / (good + bad)
    return scale + log(good + bad), bad / (good + bad)


def _quantile(weights: Sequence[float], share: float) -> float:
    reached = 0.0
    for weight, rate in zip(weights, RATES, strict=True):
        reached += weight
        if reached >= share:
            return rate
    return RATES[-1]


def _turned_bad(history: Sequence[TryOutcome], rate: float) -> int:
    """Where the most probable way to bad code at the end turns bad for the last time (Viterbi)."""
    good, bad = log(1 - STARTS_BAD), log(STARTS_BAD)
    bad_since = 0  # on the best way to bad code so far
    for number, seen in enumerate(history):
        if seen.is_new_code and number:
            broke, stayed = good + log(BREAKS), bad + log(1 - MENDED)
            if broke > stayed:
                bad_since = number
            good, bad = max(good + log(1 - BREAKS), bad + log(MENDED)), max(broke, stayed)
        good += log(rate if seen.failed else 1 - rate)
        bad += log(1 - SLIP if seen.failed else SLIP)
    return bad_since
