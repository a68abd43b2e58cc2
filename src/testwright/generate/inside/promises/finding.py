"""Look for promises that the explored code does not keep; what is found is tried once more before it is told."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from testwright.generate.inside.corpus import Kept
from testwright.generate.inside.describing import still_true
from testwright.generate.inside.ground import Ground
from testwright.generate.inside.performing import Performance
from testwright.generate.inside.promises import (
    conditional,
    doctests,
    hashes,
    internal,
    repeated,
    returned,
    round_trips,
    stated,
    untouched,
)
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.scene import Oddity, Scene
from testwright.generate.inside.promises.terms import terms_of
from testwright.generate.inside.promises.trying import judged, watched
from testwright.generate.inside.units import Unit
from testwright.generate.inside.values.source import InputSource

_LOOKS: Sequence[Callable[[Scene, Unit], Iterator[Breach | Oddity]]] = (
    # The plainest words first: what an example shows leaves the least to interpretation.
    doctests.look,
    conditional.look,
    stated.look,
    untouched.look,
    returned.look,
    round_trips.look,
    repeated.look,
    hashes.look,
    internal.look,
)
_BREACHES_PER_UNIT = 2


@dataclass
class Found:
    breaches: list[Breach] = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)
    """What breaks no written promise and may still be worth a look, a line each."""


def find_broken(
    ground: Ground, units: Sequence[Unit], kept: Sequence[Kept], inputs: InputSource, *, seed: str
) -> list[Breach]:
    return look_for_broken(ground, units, kept, inputs, seed=seed).breaches


def look_for_broken(
    ground: Ground, units: Sequence[Unit], kept: Sequence[Kept], inputs: InputSource, *, seed: str
) -> Found:
    """Broken promises and oddities, in the order of the units. Runs code under test: to be called in a fork."""
    terms = {unit.qualname: terms_of(unit) for unit in units}
    scene = Scene(ground, units, terms, kept, inputs, seed)
    found = Found()
    for unit in units:
        if unit.node is None:
            continue
        breaches: dict[tuple[str, str], Breach] = {}
        for look in _LOOKS:
            for each in _looked(look, scene, unit):
                if isinstance(each, Oddity):
                    found.oddities.append(f"{each.unit}: {each.text}")
                elif _fails_now(ground, each):
                    breaches.setdefault((each.unit, each.symptom), each)
        found.breaches += list(breaches.values())[:_BREACHES_PER_UNIT]
    return found


def _looked(
    look: Callable[[Scene, Unit], Iterator[Breach | Oddity]], scene: Scene, unit: Unit
) -> list[Breach | Oddity]:
    found: list[Breach | Oddity] = []
    try:
        found.extend(look(scene, unit))
    except Exception:  # noqa: BLE001 - live objects of the project are looked at: one that defends itself ends this look only
        return found
    return found


def _fails_now(ground: Ground, breach: Breach) -> bool:
    """Whether the test that will be written fails, the same way twice; the last word before anything is claimed."""
    if breach.setup:
        return True  # the example was run twice, as it stands

    def fails(seen: Performance) -> bool:
        if breach.property_source and seen.error is None:
            names = {**vars(ground.module), "result": seen.result}
            return not watched(ground, lambda: _is_true(ground, breach.property_source, names), otherwise=True)
        return not still_true(breach.expected, seen, ground.namespace) if breach.expected else seen.error is not None

    return all(judged(ground, breach.case, fails, otherwise=False) for _ in range(2))


def _is_true(ground: Ground, expression: str, names: dict[str, object]) -> bool:
    result = names["result"]
    holder = ground.namespace.evaluate(f"lambda result: {expression}")
    return bool(holder(result))
