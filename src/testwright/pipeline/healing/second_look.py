"""Tests that lost an element, and a second look at them: run once more and traced, to see the page they lost it on.

To trace every test of every run would cost a green suite a tenth of its time; this costs only tests that failed.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from testwright.model.artifact_names import ERROR_CONTEXT, PAGE_WALK, TRACE
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.events import AttemptFinished
from testwright.model.heal import FailureRecord
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, Attempt, RunResult, TestResult
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.observe.aria_page import snapshot_from_aria
from testwright.observe.live_page import snapshot_from_walk
from testwright.observe.playwright_trace import read_trace
from testwright.pipeline.healing.diagnosis import Diagnosis
from testwright.run.driver import Driver
from testwright.run.overlay import traced_rerun
from testwright.run.selector_miss import failure_of, has_lost_an_element
from testwright.run.suite_plan import PlannedSuite

HEALABLE = frozenset({Framework.PLAYWRIGHT, Framework.PYTEST})
_FAILED = (Outcome.FAILED, Outcome.TIMEOUT, Outcome.ERROR)
_MOST_WALK_BYTES = 64 << 20
_MOST_CONTEXT_BYTES = 4 << 20


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


SECOND_LOOK = "second_look"  # the reason of an attempt that was made only to see the page


@contextmanager
def looked_again(
    groups: Sequence[tuple[PlannedSuite, Sequence[TestCase]]], driver: Driver
) -> Iterator[dict[TestId, Attempt]]:
    """The last attempt of each test. What it left behind, the trace above all, is there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="testwright-", ignore_cleanup_errors=True) as folder:
        found: dict[TestId, Attempt] = {}
        for number, (item, cases) in enumerate(groups):
            planned = traced_rerun(item, cases, Path(folder, str(number)))
            for event in driver.run(planned.adapter, planned.suite, planned.request):
                if isinstance(event, AttemptFinished):
                    found[event.case.id] = event.attempt
        yield found


def needs_a_look(miss: Miss, diagnosis: Diagnosis, project: Path) -> bool:
    """Whether the page is not known, and something is remembered that could be found on it."""
    if miss.framework is not Framework.PLAYWRIGHT or has_page(miss.result.last):
        return False
    return diagnosis.is_remembered(failure_of(miss.case, miss.result.last, project))


def with_look(result: TestResult, look: Attempt | None) -> TestResult:
    """The result with the second look as one more attempt, if that failed as well.

    A look that passed is left out: it must not hide the failure.
    """
    if look is None or look.outcome.is_success:
        return result
    attempt = replace(look, number=len(result.attempts) + 1, reason=SECOND_LOOK, artifacts=())
    return replace(result, attempts=(*result.attempts, attempt))


def failure_with_page(miss: Miss, look: Attempt | None, project: Path) -> tuple[FailureRecord, str]:
    """What is known of the failure, and which attribute holds test ids on its page."""
    record = failure_of(miss.case, miss.result.last, project)
    # The second look counts for what it saw of the same failure: a test that fails in other ways each time is
    # not one to be healed.
    again = failure_of(miss.case, look, project) if look is not None else None
    same = again is not None and again.selector == record.selector
    seen = page_at_failure(look if look is not None and same else miss.result.last, project)
    if seen is None:
        return record, DEFAULT_TEST_ID_ATTRIBUTE
    return replace(record, page=seen.page, selector=record.selector or seen.selector), seen.test_id_attribute


class SeenPage(NamedTuple):
    page: DomSnapshot
    selector: str = ""  # that was looked for, where the record of the page tells
    test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE


def page_at_failure(attempt: Attempt, root: Path) -> SeenPage | None:
    """The best record there is: a trace, the page as it was read, the outline that Playwright leaves."""
    for seen in (_from_trace(attempt, root), _from_walk(attempt, root), _from_outline(attempt, root)):
        found = next(seen, None)
        if found is not None:
            return found
    return None


def has_page(attempt: Attempt) -> bool:
    """Whether the attempt left more of its page than an outline."""
    return any(artifact.name in (TRACE, PAGE_WALK) for artifact in attempt.artifacts)


def _from_trace(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, TRACE):
        try:
            trace = read_trace(root / artifact.path)
            call = trace.failed_call()
            page = trace.page_at_failure(call) if call is not None else None
        except TestwrightError:  # as if there were no trace; the other records may do
            continue
        if call is not None and page is not None:
            yield SeenPage(page, call.selector, trace.test_id_attribute)


def _from_walk(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, PAGE_WALK):
        try:
            records = json.loads(_content(root / artifact.path, _MOST_WALK_BYTES))
            yield SeenPage(snapshot_from_walk(records))
        except (OSError, ValueError, TestwrightError):  # gone or torn: as if it had not been kept
            continue


def _from_outline(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, ERROR_CONTEXT):
        try:
            text = _content(root / artifact.path, _MOST_CONTEXT_BYTES).decode("utf-8", "replace")
            yield SeenPage(snapshot_from_aria(text))
        except (OSError, ValueError, TestwrightError):
            continue


def _named(attempt: Attempt, name: str) -> Iterator[Artifact]:
    return (artifact for artifact in attempt.artifacts if artifact.name == name)


def _content(file: Path, limit: int) -> bytes:
    with file.open("rb") as opened:
        content = opened.read(limit + 1)
    if len(content) > limit:
        raise ValueError("too large")
    return content
