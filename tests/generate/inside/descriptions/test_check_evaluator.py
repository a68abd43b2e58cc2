"""Whether a check holds is judged as pytest would judge the assertion that is written for it."""

import math
from decimal import Decimal

import pytest

from testwright.generate.inside.descriptions.check_evaluator import is_close


@pytest.mark.parametrize("expected", [0.1, 0.0, 1e10, -3, 1 + 1j, Decimal("0.1"), [0.1, 2.0], (1.0,), {"a": 0.1}])
@pytest.mark.parametrize("factor", [1, 1 + 1e-7, 1 + 1e-5, -1])
def test_closeness_is_judged_as_pytest_judges_it(expected: object, factor: float) -> None:
    def scaled(value: object) -> object:
        if isinstance(value, dict):
            return {key: scaled(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(scaled(item) for item in value)
        return value * (Decimal(str(factor)) if isinstance(value, Decimal) else factor)  # type: ignore[operator]  # numbers are all that is left

    for actual in (scaled(expected), "text", None, [], {"b": 1.0}, math.inf, math.nan):
        try:
            verdict = bool(actual == pytest.approx(expected))
        except TypeError:
            verdict = False
        try:
            ours = is_close(actual, expected)
        except TypeError:
            ours = False
        assert ours == verdict, actual
