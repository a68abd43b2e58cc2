"""Which mutants the kept cases notice, and new cases for those that none of them noticed."""

import ast
import functools
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, ModuleType

from testwright.generate.inside.corpus import KeptCase, burden
from testwright.generate.inside.fork_runner import Fork, in_fork
from testwright.generate.inside.module_under_test import TICKS_PER_CASE, ModuleUnderTest
from testwright.generate.inside.namespace import Namespace
from testwright.instrument.live_mutants import LiveMutants
from testwright.instrument.mutants import Mutant
from testwright.instrument.probe_hits import bit_of

_STEPS_PER_MUTANT = 100_000
_GROUP = 40
_CASES_PER_MODULE_MUTANT = 250
_CASES_PER_MUTANT = 60
_PATIENCE_SECONDS = 5.0


@dataclass
class Kills:
    """For each noticed mutant, the kept case that noticed it."""

    by_mutant: dict[int, KeptCase] = field(default_factory=dict)

    def of(self, kept: KeptCase) -> list[int]:
        return [number for number, killer in self.by_mutant.items() if killer is kept]


class MutantKiller:
    def __init__(
        self, under_test: ModuleUnderTest, mutants: Sequence[Mutant], leave_behind: Callable[[], None]
    ) -> None:
        self.mutants = {mutant.number: mutant for mutant in mutants}
        self._under_test = under_test
        self._leave_behind = leave_behind
        self.live_mutants = LiveMutants(under_test.source, under_test.file, twin=True, capture=True)
        self._reach = reaches(under_test, mutants)
        self._constants = _constants_by_line(under_test.tree)
        for mutant in mutants:  # compiled once, here: forks inherit the code, and the list of live functions
            if not self._is_fixed(mutant):
                self.live_mutants.functions_of(mutant)

    def reaches(self, mutant: Mutant, hits: int) -> bool:
        return self._is_fixed(mutant) or bool(hits & self._reach[mutant.number])

    def round(self, kept: Sequence[KeptCase], undecided: Iterable[int], kills: Kills) -> None:
        """Run the mutants against the cases that reach them, until each is noticed or no case is left."""
        wanted = [self.mutants[number] for number in undecided]
        for group in _groups([mutant for mutant in wanted if not self._is_fixed(mutant)]):
            self._decide(group, kept, kills, self._try_swapped)
        for mutant in wanted:
            if self._is_fixed(mutant):
                self._decide([mutant], kept[:_CASES_PER_MODULE_MUTANT], kills, self._try_executed)

    def _is_fixed(self, mutant: Mutant) -> bool:
        """Whether what it changes runs when the module is imported, so that the code cannot be swapped later."""
        return mutant.function is None

    def _decide(
        self,
        group: list[Mutant],
        kept: Sequence[KeptCase],
        kills: Kills,
        trying: Callable[[list[Mutant], Sequence[KeptCase], Fork], None],
    ) -> None:
        rest = group
        while rest:
            order = _busiest_first(kept, kills)
            found: list[tuple[int, int]] = []
            ended = in_fork(
                functools.partial(trying, rest, order),
                found.append,
                patience_seconds=_PATIENCE_SECONDS,
                leave_behind=self._leave_behind,
            )
            for number, index in found:
                kills.by_mutant[number] = order[index]
            if ended.finished or ended.step < 0:
                return
            at, index = divmod(ended.step, _STEPS_PER_MUTANT)
            if at < len(rest) and index < len(order):  # it crashed or hung the fork: noticed, in a way
                kills.by_mutant[rest[at].number] = order[index]
            rest = rest[at + 1 :]

    def _try_swapped(self, group: list[Mutant], order: Sequence[KeptCase], fork: Fork) -> None:
        for at, mutant in enumerate(group):
            reach = self._reach[mutant.number]
            with self.live_mutants.live(mutant) as is_live:
                if not is_live:
                    continue
                reaching = [index for index, kept in enumerate(order) if kept.hits & reach]
                for index in reaching[:_CASES_PER_MUTANT]:
                    kept = order[index]
                    fork.begin(at * _STEPS_PER_MUTANT + index)
                    holds = self._under_test.holds(kept.case, kept.observation, _enough(kept))
                    fork.leave_if_copied()
                    if not holds:
                        fork.send((mutant.number, index))
                        break

    def _try_executed(self, group: list[Mutant], order: Sequence[KeptCase], fork: Fork) -> None:
        (mutant,) = group
        fork.begin(0)
        try:
            under_test = _executed_again(self._under_test, self.live_mutants.module_code_for(mutant))
        except Exception:  # noqa: BLE001 - a module that no longer imports is noticed by every test
            fork.send((mutant.number, 0))
            return
        for index, kept in enumerate(order):
            fork.begin(index)
            if not under_test.holds(kept.case, kept.observation, _enough(kept)):
                fork.send((mutant.number, index))
                return

    # --- new cases for survivors -----------------------------------------------------------------

    def hunt(
        self,
        survivors: Sequence[Mutant],
        bases: Sequence[KeptCase],
        neighbour: Callable[[KeptCase, random.Random, Sequence[object]], KeptCase | None],
        tries: int,
        seed: str,
        fork: Fork,
    ) -> None:
        """Vary cases that reach the survivors until one shows the difference; sends (mutant number, Kept)."""
        left = list(survivors)
        quiet = 0
        for number in range(tries):
            if not left or quiet > 60 + tries // 3:
                return
            mutant = left[number % len(left)]
            near = [each for each in bases if each.hits & self._reach[mutant.number]]
            if not near:
                left.remove(mutant)
                continue
            rng = random.Random(f"{seed}:{number}")
            fork.begin(number)
            new = neighbour(rng.choice(near), rng, self._constants.get(mutant.line, ()))
            fork.leave_if_copied()
            quiet += 1
            if new is None:
                continue
            noticed = [each for each in left if new.hits & self._reach[each.number] and self.notices(new, each)]
            if noticed:
                quiet = 0
                fork.send((tuple(each.number for each in noticed), new))
                left = [each for each in left if each not in noticed]

    def notices(self, kept: KeptCase, mutant: Mutant) -> bool:
        with self.live_mutants.live(mutant) as is_live:
            return is_live and not self._under_test.holds(kept.case, kept.observation, _enough(kept))


def reaches(under_test: ModuleUnderTest, mutants: Sequence[Mutant]) -> dict[int, int]:
    """For each mutant, the probes of the statement that it changes: a case that runs it hits one of them."""
    begins = statement_lines(under_test.tree)
    at_line: dict[int, int] = {}
    for probe in under_test.twin.probes:
        if probe.kind == "statement":
            at_line[probe.line] = at_line.get(probe.line, 0) | bit_of(probe)
    return {mutant.number: at_line.get(begins.get(mutant.line, mutant.line), 0) for mutant in mutants}


def statement_lines(tree: ast.Module) -> dict[int, int]:
    """For each line, the line at which the innermost statement on it begins."""
    begins: dict[int, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        decorators = [each.lineno for each in getattr(node, "decorator_list", [])]
        first = min([node.lineno, *decorators])
        bodies = [
            part[0].lineno
            for name in ("body", "orelse", "finalbody", "handlers", "cases")
            if (part := getattr(node, name, None)) and isinstance(part, list) and hasattr(part[0], "lineno")
        ]
        last = max(node.lineno, min(bodies) - 1) if bodies else (node.end_lineno or node.lineno)
        for line in range(first, last + 1):
            begins[line] = max(begins.get(line, 0), node.lineno)
    return begins


def _enough(kept: KeptCase) -> int:
    """Work that a mutant may do: one that needs far more than the original is in a loop that does not end."""
    return min(TICKS_PER_CASE, 10 * kept.work + 2_000)


def _busiest_first(kept: Sequence[KeptCase], kills: Kills) -> list[KeptCase]:
    """Cases that noticed most so far come first, so that few cases answer for many mutants; then the simplest."""
    counts: dict[int, int] = {}
    for killer in kills.by_mutant.values():
        counts[id(killer)] = counts.get(id(killer), 0) + 1
    return sorted(kept, key=lambda each: (-counts.get(id(each), 0), burden(each)))


def _groups(mutants: list[Mutant]) -> list[list[Mutant]]:
    groups: list[list[Mutant]] = []
    for mutant in mutants:
        if groups and groups[-1][0].function == mutant.function and len(groups[-1]) < _GROUP:
            groups[-1].append(mutant)
        else:
            groups.append([mutant])
    return groups


def _executed_again(under_test: ModuleUnderTest, code: CodeType) -> ModuleUnderTest:
    """The module under test executed again from other code; only in a fork, which ends with it."""
    module = ModuleType(under_test.module.__name__)
    module.__dict__.update(
        {
            name: value
            for name, value in vars(under_test.module).items()
            if name.startswith("__") and name.endswith("__")
        }
    )
    under_test.recorder.attach(module.__dict__)
    under_test.recorder.reset(100 * TICKS_PER_CASE)
    sys.modules[module.__name__] = module
    package, _, name = module.__name__.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], name, module)
    exec(code, module.__dict__)  # noqa: S102 - the module's own code, changed by one operator
    return replace(under_test, module=module, namespace=Namespace(module))


def _constants_by_line(tree: ast.Module) -> dict[int, list[object]]:
    """Constants of the statement on each line, and their neighbours: what a comparison there may turn on."""
    begins = statement_lines(tree)
    by_statement: dict[int, list[object]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str) and node.value != "":
            values = by_statement.setdefault(begins.get(node.lineno, node.lineno), [])
            values.append(node.value)
            if isinstance(node.value, int | float) and not isinstance(node.value, bool):
                values += [node.value + 1, node.value - 1]
    return {line: by_statement[begin] for line, begin in begins.items() if begin in by_statement}
