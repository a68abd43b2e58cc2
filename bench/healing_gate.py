"""Fit the gate again, and see what it does on sites and projects it was not fitted on.

    python -m bench.healing_gate DIR     # a folder with score.py, pages/ and pairs-*.jsonl

Each site or project is left out in turn: its pages are judged by weights that were fitted on all others. The figures
printed are of those judgements. What the engine vetoes is never healed, whatever the weights say.
"""

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.heal.engine.match_probability import PRIOR
from testwright.heal.engine.match_probability import probability as stated
from testwright.heal.lost_element_cases import judged_case
from testwright.heal.thresholds import HEAL_AT

_PULL = 10.0  # towards the prior: the weight of ten certain observations
_START = -4.0  # of the bias, which is free
_STEPS = 60


@dataclass(frozen=True)
class Row:
    """One case: what was found about the best candidate, and whether it is the right one."""

    group: str
    part: str
    variant: str
    numbers: tuple[float, ...]
    is_right: bool
    is_vetoed: bool


def rows_of(folder: Path) -> Iterator[Row]:
    scorer = _scorer(folder)
    data = scorer.Data(folder)
    for case in scorer.make_cases(data, scorer.SETS, scorer.VARIANTS, None):
        answer, findings, vetoed = judged_case(json.loads(case.line(data, "hb-renamed")))
        if findings is None:
            continue
        accepted = {case.pair["truth"], *case.pair["accept"]}
        yield Row(
            "/".join(case.pair["id"].split("/")[:2]),
            case.pair["set"],
            case.variant,
            tuple(findings.numbers[name] for name in PRIOR),
            case.variant == "normal" and answer.index in accepted,
            vetoed,
        )


def _scorer(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("heal_scorer", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["heal_scorer"] = module
    spec.loader.exec_module(module)
    return module


def fitted(rows: Sequence[Row]) -> list[float]:
    """Weights in the order of the prior, then the bias: a logistic model pulled towards the prior (Newton's method)."""
    start = [*PRIOR.values(), _START]
    pull = [_PULL] * len(PRIOR) + [1e-3]
    weights = list(start)
    for _ in range(_STEPS):
        gradient = [p * (w - s) for p, w, s in zip(pull, weights, start, strict=True)]
        curve = [[p if i == j else 0.0 for j in range(len(pull))] for i, p in enumerate(pull)]
        for row in rows:
            numbers = (*row.numbers, 1.0)
            guess = _logistic(weights, numbers)
            spread = guess * (1 - guess)
            for i, x in enumerate(numbers):
                if x:
                    gradient[i] += x * (guess - row.is_right)
                    for j, y in enumerate(numbers):
                        curve[i][j] += spread * x * y
        step = _solved(curve, gradient)
        weights = [w - s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-8:
            break
    return weights


def _logistic(weights: Sequence[float], numbers: Sequence[float]) -> float:
    names = [*PRIOR, "bias"]
    total = dict(zip(names, weights, strict=True))
    return stated(dict(zip(names, numbers, strict=True)), total, 0.0)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a small system of linear equations, by elimination."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            if factor:
                rows[below] = [a - factor * b for a, b in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][other] * found[other] for other in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.healing_gate", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="with score.py, pages/ and pairs-*.jsonl")
    rows = list(rows_of(parser.parse_args().folder.absolute()))
    sure = [0.0] * len(rows)
    for group in sorted({row.group for row in rows}):
        weights = fitted([row for row in rows if row.group != group])
        for at, row in enumerate(rows):
            if row.group == group:
                sure[at] = _logistic(weights, (*row.numbers, 1.0))
    for part in sorted({row.part for row in rows}):
        _tell(part, [(row, p) for row, p in zip(rows, sure, strict=True) if row.part == part])
    print("\nfitted on all of them:")
    for name, weight in zip([*PRIOR, "bias"], fitted(rows), strict=True):
        print(f"  {name:20} {weight:+.2f}")
    return 0


def _tell(part: str, judged: list[tuple[Row, float]]) -> None:
    total = sum(row.variant == "normal" for row, _ in judged)
    healed = [(row, p) for row, p in judged if not row.is_vetoed and p >= HEAL_AT]
    right = sum(row.is_right for row, _ in healed)
    surest = max((p for row, p in judged if not row.is_right and not row.is_vetoed), default=0.0)
    print(
        f"{part}: out of fold, at {HEAL_AT}: healed {100 * right / total:.1f} % of {total}, "
        f"wrong {len(healed) - right}; the surest wrong answer without a veto {surest:.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
