"""Failures counted by what they have in common: category, kind of test, who wrote it, which check said no."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from testwright.classify.quality.insights import insights_on
from testwright.classify.quality.run_analysis import Improvement
from testwright.model.case import Framework, TestCase, TestId

# --- What kind of test it is, guessed from its framework and the folders it lies in ---------------------------------

_BY_WORD = {
    "browser": ("browser", "e2e", "endtoend", "ui", "playwright"),
    "api": ("api", "apis", "contract", "contracts", "rest", "graphql"),
    "accessibility": ("a11y", "accessibility", "axe"),
    "visual": ("visual", "golden", "goldens", "screenshot", "screenshots"),
    "performance": ("perf", "performance", "benchmark", "benchmarks", "load"),
    "integration": ("integration", "integrations", "functional", "system", "journeys"),
}
_TYPE_OF = {word: kind for kind, words in _BY_WORD.items() for word in words}
_WORDS = re.compile(r"[A-Za-z0-9]+")


def kind_of_test(case: TestCase) -> str:
    """browser, api, accessibility, visual, performance, integration, skill, widget or unit."""
    if case.framework is Framework.SKILL:
        return "skill"
    if case.framework is Framework.FLUTTER and "integration_test" in case.file:
        return "integration"
    words = [word.lower() for word in _WORDS.findall(case.file)]
    named = next((_TYPE_OF[word] for word in words if word in _TYPE_OF), None)
    if named is not None:
        return named
    if case.framework is Framework.PLAYWRIGHT:
        return "browser"
    return "widget" if case.framework is Framework.FLUTTER else "unit"


WRITTEN_BY_HAND = "human"


@dataclass(frozen=True, slots=True)
class FailureCounts:
    """Counts, the largest first. Failures of one test in several runs count once for each run."""

    by_category: Mapping[str, int] = field(default_factory=dict)
    by_label: Mapping[str, int] = field(default_factory=dict)
    by_type: Mapping[str, int] = field(default_factory=dict)
    by_origin: Mapping[str, int] = field(default_factory=dict)
    failed_assertion_methods: Mapping[str, int] = field(default_factory=dict)
    insights: tuple[str, ...] = ()
    total_failures: int = 0


def count_failures(
    improvements: Iterable[Improvement], *, origins: Mapping[str, str] | None = None, flaky: Collection[TestId] = ()
) -> FailureCounts:
    """The failures of a run or of several. `origins` says who wrote a file, where it was not a person: the engine, or a
    model and its prompt's version."""
    found = list(improvements)
    wrote = origins or {}
    return FailureCounts(
        by_category=_counted(failure.signature for failure in found),
        by_label=_counted(str(failure.label) for failure in found),
        by_type=_counted(kind_of_test(failure.case) for failure in found),
        by_origin=_counted(wrote.get(failure.case.file, WRITTEN_BY_HAND) for failure in found),
        failed_assertion_methods=_counted(
            failure.assertion_method for failure in found if failure.assertion_method is not None
        ),
        insights=tuple(insights_on(found, flaky=flaky)),
        total_failures=len(found),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))


def failure_counts_shape(found: FailureCounts) -> dict[str, Any]:
    return {
        "byCategory": dict(found.by_category),
        "byLabel": dict(found.by_label),
        "byType": dict(found.by_type),
        "byOrigin": dict(found.by_origin),
        "failedAssertionMethods": dict(found.failed_assertion_methods),
        "insights": list(found.insights),
        "totalFailures": found.total_failures,
    }
