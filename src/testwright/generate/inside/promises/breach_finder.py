"""Look for promises that the explored code does not keep; what is found is tried once more before it is reported."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.corpus import KeptCase
from testwright.generate.inside.descriptions.observation_builder import still_true
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.promises import (
    conditional_promises,
    doctests,
    hashes,
    idempotence_and_symmetry,
    internal_errors,
    result_types,
    round_trips,
    stated_properties,
    unchanged_arguments,
)
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.limited_run import guarded, judged
from testwright.generate.inside.promises.parameter_types import parameter_types_of
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.input_source import InputSource

_LOOKS: Sequence[Callable[[PromiseContext, Unit], Iterator[Breach | Oddity]]] = (
    # The clearest promises first: an example leaves the least to interpretation.
    doctests.look,
    conditional_promises.look,
    stated_properties.look,
    unchanged_arguments.look,
    result_types.look,
    round_trips.look,
    idempotence_and_symmetry.look,
    hashes.look,
    internal_errors.look,
)
_BREACHES_PER_UNIT = 2


@dataclass
class FoundBreaches:
    breaches: list[Breach] = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)
    """What breaks no written promise and may still be worth a look, a line each."""


def look_for_broken(
    under_test: ModuleUnderTest, units: Sequence[Unit], kept: Sequence[KeptCase], inputs: InputSource, *, seed: str
) -> FoundBreaches:
    """Broken promises and oddities, in the order of the units. Runs code under test: to be called in a fork."""
    parameter_types = {unit.qualname: parameter_types_of(unit) for unit in units}
    context = PromiseContext(under_test, units, parameter_types, kept, inputs, seed)
    found = FoundBreaches()
    for unit in units:
        if unit.node is None:
            continue
        breaches: dict[tuple[str, str], Breach] = {}
        for look in _LOOKS:
            for each in _looked(look, context, unit):
                if isinstance(each, Oddity):
                    found.oddities.append(f"{each.unit}: {each.text}")
                elif _fails_now(under_test, each):
                    breaches.setdefault((each.unit, each.symptom), each)
        found.breaches += list(breaches.values())[:_BREACHES_PER_UNIT]
    return found


def _looked(
    look: Callable[[PromiseContext, Unit], Iterator[Breach | Oddity]], context: PromiseContext, unit: Unit
) -> list[Breach | Oddity]:
    found: list[Breach | Oddity] = []
    try:
        found.extend(look(context, unit))
    except Exception:  # noqa: BLE001 - live objects of the project may raise anything when looked at; that ends this look only
        return found
    return found


def _fails_now(under_test: ModuleUnderTest, breach: Breach) -> bool:
    """Whether the test that will be written fails, the same way twice; the last check before anything is claimed."""
    if breach.setup:
        return True  # the example was run twice, as it stands

    def fails(seen: CaseRun) -> bool:
        if breach.property_source and seen.error is None:
            names = {**vars(under_test.module), "result": seen.result}
            return not guarded(under_test, lambda: _is_true(under_test, breach.property_source, names), otherwise=True)
        return (
            not still_true(breach.expected, seen, under_test.namespace) if breach.expected else seen.error is not None
        )

    return all(judged(under_test, breach.case, fails, otherwise=False) for _ in range(2))


def _is_true(under_test: ModuleUnderTest, expression: str, names: dict[str, object]) -> bool:
    result = names["result"]
    holder = under_test.namespace.evaluate(f"lambda result: {expression}")
    return bool(holder(result))
