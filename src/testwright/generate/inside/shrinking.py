"""Make a chosen case simpler for as long as it still proves what it was chosen for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from testwright.generate.inside.case import Argument, Call, Case
from testwright.generate.inside.corpus import Kept, cost
from testwright.generate.inside.ground import Ground
from testwright.generate.inside.killing import Killing, usable
from testwright.generate.inside.values.source import InputSource
from testwright.instrument.mutants import Mutant

SIMPLE_ENOUGH = 45
"""The cost of a case below which natural values say more than shorter ones would."""


def shrink(
    kept: Kept,
    probes: int,
    mutants: Sequence[Mutant],
    ground: Ground,
    killing: Killing,
    inputs: InputSource,
    tries: int,
) -> Kept:
    """The simplest case found that hits `probes`, is of the same kind and notices each of `mutants`."""
    best = kept
    tried: set[Case] = {kept.case}
    while tries > 0 and cost(best.case) > SIMPLE_ENOUGH:
        better = None
        for case in _simpler(best.case, inputs):
            if case in tried or cost(case) >= cost(best.case):
                continue
            tried.add(case)
            tries -= 1
            better = _still_proves(case, best, probes, mutants, ground, killing)
            if better is not None or tries <= 0:
                break
        if better is None:
            return best
        best = better
    return best


def _still_proves(
    case: Case, known: Kept, probes: int, mutants: Sequence[Mutant], ground: Ground, killing: Killing
) -> Kept | None:
    trial = ground.attempt(case)
    if not usable(trial.observation) or trial.observation.kind != known.observation.kind or probes & ~trial.hits:
        return None
    new = Kept.of(case, trial)
    return new if all(killing.notices(new, mutant) for mutant in mutants) else None


def _simpler(case: Case, inputs: InputSource) -> Iterator[Case]:
    for at in range(len(case.before)):
        yield replace(case, before=case.before[:at] + case.before[at + 1 :])
    for arguments in _simpler_arguments(case.action.arguments, inputs):
        yield replace(case, action=Call(case.action.callee, arguments))
    if case.subject is not None:
        for arguments in _simpler_arguments(case.subject.arguments, inputs):
            yield replace(case, subject=Call(case.subject.callee, arguments))
    for at, call in enumerate(case.before):
        for arguments in _simpler_arguments(call.arguments, inputs):
            yield replace(case, before=(*case.before[:at], Call(call.callee, arguments), *case.before[at + 1 :]))


def _simpler_arguments(arguments: tuple[Argument, ...], inputs: InputSource) -> Iterator[tuple[Argument, ...]]:
    for at in reversed(range(len(arguments))):
        is_last_or_named = at == len(arguments) - 1 or arguments[at].name is not None
        if is_last_or_named:
            yield arguments[:at] + arguments[at + 1 :]
    for at, argument in enumerate(arguments):
        for value in inputs.shrink(argument.value):
            yield (*arguments[:at], Argument(argument.name, value), *arguments[at + 1 :])
