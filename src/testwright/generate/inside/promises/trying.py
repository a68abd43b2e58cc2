"""Run code under the usual limits with its live result at hand, and make an input simpler that shows something."""

import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from testwright.generate.inside.case import Argument, Call, Case
from testwright.generate.inside.corpus import cost
from testwright.generate.inside.ground import SECONDS_PER_CASE, TICKS_PER_CASE, Ground
from testwright.generate.inside.performing import Performance, perform
from testwright.generate.inside.values.source import InputSource
from testwright.instrument.probes import WorkExceeded

T = TypeVar("T")
_TRIES = 60


def watched(ground: Ground, work: Callable[[], T], otherwise: T) -> T:
    """What `work` gives; `otherwise` when it takes too long, ends the program or raises."""
    ground.recorder.reset(TICKS_PER_CASE)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_CASE, 0.1)
    try:
        return work()
    except (WorkExceeded, SystemExit, Exception):  # noqa: BLE001 - code under test runs here: it may raise anything
        return otherwise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def judged(ground: Ground, case: Case, judge: Callable[[Performance], T], otherwise: T) -> T:
    """Perform the case and have it judged while its objects live; `otherwise` when it could not be performed."""

    def work() -> T:
        seen = perform(case, ground.namespace)
        return otherwise if seen.unusable else judge(seen)

    return watched(ground, work, otherwise)


def value_of(ground: Ground, expression: str) -> object:
    """The value of an argument's expression, made anew; an object of its own when it cannot be made."""
    return watched(ground, lambda: ground.namespace.evaluate(expression), object())


def minimal(case: Case, is_still_shown: Callable[[Case], bool], inputs: InputSource, tries: int = _TRIES) -> Case:
    """The simplest case found for which `is_still_shown` holds, beginning with one for which it does."""
    tried = {case}
    is_better = True
    while is_better and tries > 0:
        is_better = False
        for simpler in _simpler(case, inputs):
            if simpler in tried or cost(simpler) >= cost(case):
                continue
            tried.add(simpler)
            tries -= 1
            is_better = is_still_shown(simpler)
            if is_better:
                case = simpler
            if is_better or tries <= 0:
                break
    return case


def _simpler(case: Case, inputs: InputSource) -> Iterator[Case]:
    for at in range(len(case.before)):
        yield replace(case, before=case.before[:at] + case.before[at + 1 :])
    for call in _simpler_calls(case.action, inputs):
        yield replace(case, action=call)
    if case.subject is not None:
        for call in _simpler_calls(case.subject, inputs):
            yield replace(case, subject=call)


def _simpler_calls(call: Call, inputs: InputSource) -> Iterator[Call]:
    arguments = call.arguments
    for at in reversed(range(len(arguments))):
        if at == len(arguments) - 1 or arguments[at].name is not None:
            yield Call(call.callee, arguments[:at] + arguments[at + 1 :])
    for at, argument in enumerate(arguments):
        for value in inputs.shrink(argument.value):
            yield Call(call.callee, (*arguments[:at], Argument(argument.name, value), *arguments[at + 1 :]))
