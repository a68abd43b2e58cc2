"""Run code under the usual limits, with its live result at hand."""

from collections.abc import Callable
from typing import TypeVar

from testwright.generate.inside.case_run.case_runner import CaseRun, run_case
from testwright.generate.inside.generated_case import Case
from testwright.generate.inside.module_under_test import ModuleUnderTest

T = TypeVar("T")


def guarded(under_test: ModuleUnderTest, work: Callable[[], T], otherwise: T) -> T:
    """What `work` gives; `otherwise` when it takes too long, ends the program or raises."""

    def work_or_otherwise() -> T:
        try:
            return work()
        except (SystemExit, Exception):  # noqa: BLE001 - code under test runs here: it may raise anything
            return otherwise

    return under_test.watched(work_or_otherwise, otherwise)


def judged(under_test: ModuleUnderTest, case: Case, judge: Callable[[CaseRun], T], otherwise: T) -> T:
    """Perform the case and have it judged while its objects live; `otherwise` when it could not be performed."""

    def work() -> T:
        seen = run_case(case, under_test.namespace)
        return otherwise if seen.unusable else judge(seen)

    return guarded(under_test, work, otherwise)


def value_of(under_test: ModuleUnderTest, expression: str) -> object:
    """The value of an argument's expression, made again; a fresh object when it cannot be made."""
    return guarded(under_test, lambda: under_test.namespace.evaluate(expression), object())
