"""How the failures of each kind come and go over the newest runs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from testwright.classify.quality.run_analysis import RunAnalysis
from testwright.model.result import RunId


@dataclass(frozen=True, slots=True)
class RunPoint:
    """One run on the line of time."""

    run: RunId
    started_at: datetime
    total: int
    failed: int
    by_label: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Trends:
    points: tuple[RunPoint, ...]  # oldest first

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label there is, the most frequent first."""
        counts: Counter[str] = Counter()
        for point in self.points:
            counts.update(point.by_label)
        return tuple(label for label, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def failures(self, label: str | None = None) -> tuple[int, ...]:
        """Failures in each run, of one label or of all."""
        return tuple(point.failed if label is None else point.by_label.get(label, 0) for point in self.points)

    def change(self, label: str | None = None) -> float | None:
        """By how much the newer half of the runs has more failures, for each run; None: too few runs to say."""
        counts = self.failures(label)
        half = len(counts) // 2
        if half < 2:  # the difference between two runs is chance
            return None
        return (sum(counts[-half:]) - sum(counts[:half])) / half


def trends(runs: Iterable[tuple[RunId, datetime, RunAnalysis]]) -> Trends:
    """The failures by label in each of `runs`, which may come in any order."""
    points = [
        RunPoint(
            run=run,
            started_at=started_at,
            total=analysis.stats.total,
            failed=analysis.stats.failed,
            by_label=dict(sorted(Counter(str(failure.label) for failure in analysis.improvements).items())),
        )
        for run, started_at, analysis in runs
    ]
    return Trends(tuple(sorted(points, key=lambda point: point.started_at)))


def trends_shape(found: Trends) -> dict[str, Any]:
    return {
        "runs": [
            {
                "run": point.run,
                "startedAt": point.started_at.isoformat(),
                "total": point.total,
                "failed": point.failed,
                "byLabel": dict(point.by_label),
            }
            for point in found.points
        ],
        "change": {label: found.change(label) for label in found.labels},
    }
