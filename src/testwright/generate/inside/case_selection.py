"""Pick few cases that show everything that all of them showed."""

from collections.abc import Sequence

from testwright.generate.inside.corpus import KeptCase, burden, union
from testwright.generate.inside.generated_case import CaseOutcome
from testwright.generate.inside.mutant_killer import Kills
from testwright.generate.inside.units import is_private


def cover(kept: Sequence[KeptCase], ignored: int, *, each_unit: bool = True) -> list[KeptCase]:
    """Cases that together hit every probe that all of them hit, and use each public unit; greedy, lightest first."""
    left = union(each.hits for each in kept) & ~ignored
    units = {each.case.unit for each in kept if _shows_its_unit(each)} if each_unit else set()
    weights = {id(each): 20 + burden(each) for each in kept}
    pool = sorted(kept, key=lambda each: weights[id(each)])
    chosen: list[KeptCase] = []
    while left or units:
        best = max(pool, key=lambda each: _gain(each, left, units) / weights[id(each)], default=None)
        if best is None or not _gain(best, left, units):
            return chosen
        chosen.append(best)
        # What adds nothing now will not add anything later, because less is left to show.
        pool = [each for each in pool if each is not best and _gain(each, left, units)]
        left &= ~best.hits
        if _shows_its_unit(best):
            units.discard(best.case.unit)
    return chosen


def needed(chosen: Sequence[KeptCase], kills: Kills, ignored: int, *, each_unit: bool = True) -> list[KeptCase]:
    """The chosen without those that add nothing to the rest, the heaviest looked at first."""
    busy = {id(killer) for killer in kills.by_mutant.values()}
    remaining = list(chosen)
    for each in sorted(chosen, key=lambda each: -burden(each)):
        if id(each) in busy:
            continue
        others = [other for other in remaining if other is not each]
        if each.hits & ~ignored & ~union(other.hits for other in others):
            continue
        if (
            not each_unit
            or not _shows_its_unit(each)
            or any(other.case.unit == each.case.unit and _shows_its_unit(other) for other in others)
        ):
            remaining = others
    return remaining


def _shows_its_unit(kept: KeptCase) -> bool:
    """Whether it is the kind of test that a reader looks for first: what a public unit gives."""
    return kept.observation.outcome is CaseOutcome.RETURNED and not is_private(kept.case.unit)


def _gain(kept: KeptCase, left: int, units: set[str]) -> int:
    return (kept.hits & left).bit_count() + (_shows_its_unit(kept) and kept.case.unit in units)
