"""Make a chosen case simpler for as long as it still proves what it was chosen for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from testwright.generate.inside.corpus import KeptCase, cost
from testwright.generate.inside.generated_case import Argument, Call, Case
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.mutant_killer import MutantKiller
from testwright.generate.inside.values.input_source import InputSource
from testwright.instrument.mutants import Mutant

SIMPLE_ENOUGH = 45  # the cost of a case below which natural values say more than shorter ones would


def shrink(
    kept: KeptCase,
    probes: int,
    mutants: Sequence[Mutant],
    under_test: ModuleUnderTest,
    mutant_killer: MutantKiller,
    inputs: InputSource,
    tries: int,
) -> KeptCase:
    """The simplest case found that hits `probes`, is of the same kind and notices each of `mutants`."""
    best = kept

    def is_still_shown(case: Case) -> bool:
        nonlocal best
        better = _still_proves(case, best, probes, mutants, under_test, mutant_killer)
        best = better or best
        return better is not None

    simplest(kept.case, is_still_shown, inputs, tries, enough=SIMPLE_ENOUGH)
    return best


def simplest(
    case: Case, is_still_shown: Callable[[Case], bool], inputs: InputSource, tries: int = 60, *, enough: int = 0
) -> Case:
    """The simplest case found for which `is_still_shown` holds, beginning with one for which it does.

    Nothing simpler is looked for once its cost is `enough`.
    """
    tried = {case}
    is_better = True
    while is_better and tries > 0 and cost(case) > enough:
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


def _still_proves(
    case: Case,
    known: KeptCase,
    probes: int,
    mutants: Sequence[Mutant],
    under_test: ModuleUnderTest,
    mutant_killer: MutantKiller,
) -> KeptCase | None:
    run = under_test.attempt(case)
    if not run.observation.is_usable or run.observation.kind != known.observation.kind or probes & ~run.hits:
        return None
    new = KeptCase.of(case, run)
    return new if all(mutant_killer.notices(new, mutant) for mutant in mutants) else None


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
