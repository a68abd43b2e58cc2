"""The heal pass looks at each failure once, at so many in a run, and never spoils the run it comes after."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.model.errors import StoreLocked
from testwright.model.events import Counted
from testwright.model.outcome import Outcome
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.pipeline.healing.heal_report import HealStatus
from testwright.pipeline.healing.journey import HealPass
from testwright.pipeline.healing.second_look import misses_in
from testwright.pipeline.running.after_run import AfterRun
from testwright.run.driver import Driver
from testwright.run.project import Project
from testwright.store.project_store import Store, open_store

MISS = "TimeoutError: locator.click: Timeout 500ms exceeded.\nCall log:\n  - waiting for locator('#pay')\n"
MISMATCH = "Error: expect(received).toBe(expected)\n\nExpected: 3\nReceived: 2"


def failed(name: str, message: str = MISS, outcome: Outcome = Outcome.FAILED) -> TestResult:
    return TestResult(TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", (name,)), (Attempt(outcome, message=message),))


def run_of(*results: TestResult, framework: Framework = Framework.PLAYWRIGHT) -> RunResult:
    return RunResult(RunId("1"), datetime.now(UTC), (SuiteResult(framework, "", results),))


@pytest.fixture
def open_here(tmp_path: Path) -> Callable[[], Store]:
    return lambda: open_store(tmp_path / ".testwright" / "testwright.db")


@pytest.fixture
def driver_at() -> Callable[[Path], Driver]:
    return lambda root: Driver(Project.at(root), {})


def test_only_a_selector_that_found_nothing_is_looked_at() -> None:
    run = run_of(failed("lost"), failed("wrong", MISMATCH), failed("fine", MISS, Outcome.PASSED))

    assert [miss.case.title for miss in misses_in(run)] == [("lost",)]
    assert misses_in(run_of(failed("lost"), framework=Framework.VITEST)) == []


def test_a_lost_element_behind_a_soft_failure_is_looked_at() -> None:
    attempt = Attempt(Outcome.FAILED, message=MISMATCH, errors=(MISMATCH, MISS))
    soft = TestResult(TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("soft",)), (attempt,))

    assert [miss.case.title for miss in misses_in(run_of(soft))] == [("soft",)]


def test_beyond_the_budget_failures_pass_through_with_a_warning(
    tmp_path: Path, open_here: Callable[[], Store], driver_at: Callable[[Path], Driver]
) -> None:
    healing = HealPass(tmp_path, [], driver_at, open_here, budget=2)

    events = list(healing.events(run_of(*(failed(f"number {number}") for number in range(5)))))

    lines = [entry.line() for entry in healing.report.entries]
    assert sum(line.startswith("HEAL_BUDGET_EXHAUSTED playwright:tests/a.spec.ts::number ") for line in lines) == 3
    assert [event.counter.value for event in events if isinstance(event, Counted)] == [2.0, 2.0]


def test_without_a_memory_of_the_element_nothing_is_healed(
    tmp_path: Path, open_here: Callable[[], Store], driver_at: Callable[[Path], Driver]
) -> None:
    context = '# Page snapshot\n\n```yaml\n- main:\n  - button "Pay" [ref=e1]\n```\n'
    (tmp_path / "error-context.md").write_text(context)
    healing = HealPass(tmp_path, [], driver_at, open_here)

    list(healing.events(run_of(failed("lost"))))

    [entry] = healing.report.entries
    assert entry.status in (HealStatus.REFUSED, HealStatus.SUGGESTED)
    assert entry.line().startswith("Not healed, no_")


def test_a_store_that_does_not_answer_leaves_the_failures_as_they_are(
    tmp_path: Path, driver_at: Callable[[Path], Driver]
) -> None:
    def locked() -> Store:
        raise StoreLocked("Somebody else is writing.")

    healing = HealPass(tmp_path, [], driver_at, locked)

    assert not [event for event in healing.events(run_of(failed("lost"))) if isinstance(event, Counted)]
    assert healing.report.troubles == ["Healing was not possible: Somebody else is writing."]


def test_a_fault_of_our_own_does_not_cost_the_verdict_of_the_run(
    tmp_path: Path, driver_at: Callable[[Path], Driver]
) -> None:
    class NotStopped:
        raised = False

    def broken() -> Iterator[Store]:
        raise ZeroDivisionError

    after = AfterRun(tmp_path, [], driver_at, broken, NotStopped())  # type: ignore[arg-type]  # a store that fails is the point

    list(after(run_of(failed("lost"))))

    assert after.lines() == ["Healing broke off, by a fault of Testwright's own: ZeroDivisionError()"]


def test_a_run_without_lost_elements_is_not_looked_at(tmp_path: Path, driver_at: Callable[[Path], Driver]) -> None:
    class NotStopped:
        raised = False

    def never() -> Store:
        raise AssertionError("the store is opened for nothing")

    after = AfterRun(tmp_path, [], driver_at, never, NotStopped())

    assert list(after(run_of(failed("wrong", MISMATCH)))) == []
    assert after.lines() == []
