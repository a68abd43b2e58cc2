"""Run code under the usual limits with its live result at hand, and make an input simpler that shows something."""

from collections.abc import Callable
from typing import TypeVar

from testwright.generate.inside.case_run.case_runner import CaseRun, run_case
from testwright.generate.inside.case_simplifier import simplest
from testwright.generate.inside.generated_case import Case
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.values.input_source import InputSource

T = TypeVar("T")
_TRIES = 60


def watched(ground: ModuleUnderTest, work: Callable[[], T], otherwise: T) -> T:
    """What `work` gives; `otherwise` when it takes too long, ends the program or raises."""

    def guarded() -> T:
        try:
            return work()
        except (SystemExit, Exception):  # noqa: BLE001 - code under test runs here: it may raise anything
            return otherwise

    return ground.watched(guarded, otherwise)


def judged(ground: ModuleUnderTest, case: Case, judge: Callable[[CaseRun], T], otherwise: T) -> T:
    """Perform the case and have it judged while its objects live; `otherwise` when it could not be performed."""

    def work() -> T:
        seen = run_case(case, ground.namespace)
        return otherwise if seen.unusable else judge(seen)

    return watched(ground, work, otherwise)


def value_of(ground: ModuleUnderTest, expression: str) -> object:
    """The value of an argument's expression, made anew; an object of its own when it cannot be made."""
    return watched(ground, lambda: ground.namespace.evaluate(expression), object())


def minimal(case: Case, is_still_shown: Callable[[Case], bool], inputs: InputSource, tries: int = _TRIES) -> Case:
    """The simplest case found for which `is_still_shown` holds, beginning with one for which it does."""
    return simplest(case, is_still_shown, inputs, tries)
