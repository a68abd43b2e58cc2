"""Which mutants of a module some tests notice: each lives in a copy of the process, and the tests that reach it run."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from testwright.instrument.live_mutants import LiveMutants
from testwright.instrument.mutants import Mutant
from testwright.instrument.probe_hits import statement_masks
from testwright.instrument.probes import Probe

_WORK_AT_LEAST = 200_000
_WORK_FACTOR = 20

Try = Callable[[Sequence[int], Sequence[int], "Mutant | None"], "int | None"]
"""Given tests, the work each is allowed, and a mutant or none: the first test that does not pass."""


@dataclass(frozen=True)
class PassingTest:
    """What a test that passes reaches, a byte for each probe, and how much work it is."""

    mask: int
    work: int


@dataclass
class MutantResults:
    """By number. What is in neither was not tried, or cannot be: code that runs at import has run before the tests."""

    killed: set[int] = field(default_factory=set)
    survived: set[int] = field(default_factory=set)
    is_late: bool = False


class MutantTester:
    def __init__(
        self,
        live_mutants: LiveMutants,
        probes: Sequence[Probe],
        tests: Mapping[int, PassingTest],
        attempt: Try,
        *,
        seed: str,
    ) -> None:
        self._live_mutants, self._tests, self._try, self._seed = live_mutants, tests, attempt, seed
        self._masks = statement_masks(probes)
        self._kills: dict[int, int] = {}  # how many each test has noticed
        self._alone: dict[int, bool] = {}
        self._runs = 0

    def run(self, at_import: bytes, *, most: int, runs: int, deadline: float) -> MutantResults:
        """Try at most so many mutants, with about so many runs of tests."""
        imported = int.from_bytes(at_import, "little")
        results = MutantResults()
        reached: list[Mutant] = []
        for mutant in self._live_mutants.mutants:
            if mutant.function is None or not self._live_mutants.functions_of(mutant):
                continue
            if self._reaching(mutant):
                reached.append(mutant)
            elif not self._mask(mutant) & imported:
                results.survived.add(mutant.number)  # nothing runs it, so there is nothing to try
        # In the order of the sample: if the runs are used up, what is left out is spread over the module.
        for mutant in random.Random(f"{self._seed}:existing").sample(reached, min(most, len(reached))):
            results.is_late = time.monotonic() > deadline
            if self._runs >= runs or results.is_late:
                break
            is_noticed = self._is_noticed(mutant)
            if is_noticed:
                results.killed.add(mutant.number)
            elif is_noticed is not None and not self._mask(mutant) & imported:
                results.survived.add(mutant.number)
        return results

    def _is_noticed(self, mutant: Mutant) -> bool | None:
        """None: it is reached only by tests that need others before them."""
        while True:
            tests = [number for number in self._reaching(mutant) if self._alone.get(number, True)]
            if not tests:
                return None
            tests.sort(key=lambda number: (-self._kills.get(number, 0), number))
            by = self._try(tests, [self._work(number) for number in tests], mutant)
            self._runs += len(tests) if by is None else tests.index(by) + 1
            if by is None:
                return False
            if self._passes_alone(by):
                self._kills[by] = self._kills.get(by, 0) + 1
                return True

    def _passes_alone(self, number: int) -> bool:
        """Whether the test passes by itself: one that needs others before it fails without any mutant, too."""
        if number not in self._alone:
            self._alone[number] = self._try([number], [self._work(number)], None) is None
        return self._alone[number]

    def _work(self, number: int) -> int:
        return _WORK_AT_LEAST + _WORK_FACTOR * self._tests[number].work

    def _mask(self, mutant: Mutant) -> int:
        return self._masks.get((mutant.function or "", mutant.statement), 0)

    def _reaching(self, mutant: Mutant) -> list[int]:
        mask = self._mask(mutant)
        return [number for number, test in self._tests.items() if test.mask & mask]
