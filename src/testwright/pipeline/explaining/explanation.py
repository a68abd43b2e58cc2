"""Why the tests of a run failed: what comes out of explaining it."""

from dataclasses import dataclass
from typing import Any

from testwright.model.case import TestId
from testwright.model.verdict import Verdict, verdict_shape
from testwright.pipeline.explaining.shared_causes import Cause, cause_shape


@dataclass(frozen=True, slots=True)
class Explanation:
    """Verdicts by test, and the causes behind them: each test that failed is in one of them."""

    verdicts: dict[TestId, Verdict]
    causes: tuple[Cause, ...]

    def of(self, test: TestId) -> Verdict | None:
        return self.verdicts.get(test)

    def add_to(self, shape: dict[str, Any]) -> None:
        """Put each verdict beside its result, in a run's JSON form, and the causes at the end."""
        for suite in shape["suites"]:
            for result in suite["results"]:
                verdict = self.of(result["id"])
                result["verdict"] = verdict_shape(verdict) if verdict is not None else None
        shape["causes"] = [cause_shape(cause) for cause in self.causes]
