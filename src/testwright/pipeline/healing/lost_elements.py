"""The failures of a run that healing is for, and the suites that can run their tests again."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from testwright.model.case import Framework, TestCase
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, TestResult
from testwright.run.selector_miss import has_lost_an_element
from testwright.run.suite_plan import PlannedSuite

HEALABLE = frozenset({Framework.PLAYWRIGHT, Framework.PYTEST})
_FAILED = (Outcome.FAILED, Outcome.TIMEOUT, Outcome.ERROR)


class Miss(NamedTuple):
    """A test that lost an element."""

    module: str
    framework: Framework
    result: TestResult

    @property
    def case(self) -> TestCase:
        return self.result.case


def misses_in(run: RunResult) -> list[Miss]:
    """The failures in which a selector found nothing. Each test once."""
    return [
        Miss(suite.root, suite.framework, result)
        for suite in run.suites
        if suite.framework in HEALABLE
        for result in suite.results
        if result.outcome in _FAILED and has_lost_an_element(result.last)
    ]


def by_suite(
    misses: Iterable[Miss], planned: Sequence[PlannedSuite], project: Path
) -> list[tuple[PlannedSuite, list[TestCase]]]:
    """The tests, by the suite that runs them."""
    groups: dict[int, tuple[PlannedSuite, list[TestCase]]] = {}
    for miss in misses:
        item = _suite_of(miss, planned, project)
        groups.setdefault(id(item), (item, []))[1].append(miss.case)
    return list(groups.values())


def _suite_of(miss: Miss, planned: Sequence[PlannedSuite], project: Path) -> PlannedSuite:
    root = (project / miss.module).resolve()
    mine = [item for item in planned if item.suite.framework is miss.framework]
    return next((item for item in mine if item.suite.root.resolve() == root), mine[0])
