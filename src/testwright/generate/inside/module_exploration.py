"""Explore one module: search each unit, run the mutants, choose, shrink; all in forks of a process that stays clean."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from testwright.generate.inside.case_replay import PATIENCE_SECONDS, CaseReplay
from testwright.generate.inside.case_selection import cover, needed
from testwright.generate.inside.case_simplifier import SIMPLE_ENOUGH, shrink
from testwright.generate.inside.corpus import Corpus, KeptCase, cost, union
from testwright.generate.inside.fork_runner import Fork, in_fork
from testwright.generate.inside.input_search import Search, SearchLimits, SearchTally, lines_mask
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.mutant_killer import Kills, MutantKiller
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_finder import FoundBreaches, look_for_broken
from testwright.generate.inside.unit_finder import Skipped
from testwright.generate.inside.units import Unit, UnitKind, is_private
from testwright.generate.inside.values.input_source import InputSource
from testwright.instrument.mutants import Mutant, list_mutants

_CRASHES_PER_UNIT = 6
_SECONDS_FOR_PROMISES = 60.0
_SECONDS_TO_THE_FIRST_CHOICE = 3.0


@dataclass(frozen=True)
class WorkBudget:
    """The whole budget, as numbers of things to try."""

    cases: int  # in the search, over all units
    cases_per_unit: int
    mutants: int
    hunts_per_function: int
    shrinks_per_case: int

    def search_limits(self, units: int) -> SearchLimits:
        share = max(160, min(self.cases_per_unit, self.cases // max(1, units)))
        return SearchLimits(first=share // 2, neighbours=share, patience=share // 2)


def work_budget(seconds: float) -> WorkBudget:
    """What an ordinary machine can try in so many seconds of CPU time."""
    scale = seconds / 10
    return WorkBudget(
        cases=int(24_000 * scale),
        cases_per_unit=int(1_600 * scale),
        mutants=int(400 * scale),
        hunts_per_function=int(240 * scale),
        shrinks_per_case=int(40 * scale),
    )


@dataclass(frozen=True)
class MutantsTriedBefore:
    """Mutants, by number, that existing tests were tried on: noticing them is not new."""

    killed: frozenset[int]
    survived: frozenset[int]

    def knows(self, mutant: Mutant) -> bool:
        """Whether it was tried. Of one that was not, it is unknown whether noticing it would be news."""
        return mutant.number in self.killed or mutant.number in self.survived


@dataclass
class ExplorationResult:
    chosen: list[KeptCase] = field(default_factory=list)
    kills: Kills = field(default_factory=Kills)
    mutants: Sequence[Mutant] = ()
    noticed_before: frozenset[int] = frozenset()
    """Mutants that existing tests notice; the cases chosen here were not asked about them."""
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    broken: list[Breach] = field(default_factory=list)  # promises that the code makes and does not keep
    tried: int = 0
    cap_hit: bool = False


class Exploration:
    def __init__(
        self,
        under_test: ModuleUnderTest,
        units: Sequence[Unit],
        inputs: InputSource,
        budget: WorkBudget,
        *,
        seed: str,
        deadline: float,
        at_import: int,
        report: Callable[[str, float, ExplorationResult], None],
        leave_behind: Callable[[], None],
        before: MutantsTriedBefore | None = None,
    ) -> None:
        self._under_test, self._units, self._inputs, self._budget = under_test, units, inputs, budget
        self._seed, self._deadline, self._at_import, self._report = seed, deadline, at_import, report
        self._leave_behind = leave_behind
        self._replay = CaseReplay(under_test, leave_behind)
        self.corpus = Corpus(seen=at_import)
        self._spare: list[KeptCase] = []
        self._each_unit = before is None  # existing tests may already have shown any unit
        known = (
            [each for each in list_mutants(under_test.source) if before is None or before.knows(each)] if units else []
        )
        mutants = sample_mutants(known, budget.mutants, seed)
        noticed = before.killed.intersection(each.number for each in mutants) if before is not None else frozenset()
        self.explored = ExplorationResult(mutants=mutants, noticed_before=noticed)
        self._mutant_killer = MutantKiller(
            under_test, [each for each in mutants if each.number not in noticed], leave_behind
        )

    def run(self) -> ExplorationResult:
        self._search()
        self._keep_only(self._replay.settled(self.corpus.kept))
        self._look_for_broken_promises()
        self.explored.chosen = cover(self.corpus.kept, self._at_import, each_unit=self._each_unit)
        self._report("found", 1.0, self.explored)
        self._mutate()
        self._report("mutated", 1.0, self.explored)
        self._shrink()
        return self.explored

    def _keep_only(self, kept: Sequence[KeptCase]) -> None:
        self.corpus = Corpus(seen=self._at_import)
        for each in kept:
            self.corpus.add(each)

    def _is_late(self) -> bool:
        if time.monotonic() > self._deadline:
            self.explored.cap_hit = True
        return self.explored.cap_hit

    # --- searching ------------------------------------------------------------------------------

    def _search(self) -> None:
        public = [unit for unit in self._units if not is_private(unit.qualname)]
        private = [unit for unit in self._units if is_private(unit.qualname)]
        ordered = sorted(public, key=lambda unit: unit.kind is not UnitKind.CONSTRUCTOR) + private
        limits = self._budget.search_limits(len(ordered))
        pause = _SECONDS_TO_THE_FIRST_CHOICE
        next_choice = time.monotonic() + pause
        for number, unit in enumerate(ordered):
            if self._is_late():
                return
            if is_private(unit.qualname) and not lines_mask(self._under_test, unit) & ~self.corpus.seen:
                continue  # its callers cover all of it
            self._search_unit(unit, limits)
            self._report("exploring", (number + 1) / len(ordered), self.explored)
            if time.monotonic() > next_choice:  # something for a file, if we are stopped
                next_choice = time.monotonic() + (pause := 2 * pause)
                self.explored.chosen = cover(self.corpus.kept, self._at_import, each_unit=self._each_unit)
                self._report("found", 1.0, self.explored)

    def _search_unit(self, unit: Unit, limits: SearchLimits) -> None:
        blamed: dict[int, str] = {}
        tally = SearchTally()
        for _ in range(_CRASHES_PER_UNIT):
            received: list[KeptCase | SearchTally | list[KeptCase]] = []
            ended = in_fork(
                lambda fork: self._search_in_fork(unit, limits, frozenset(blamed), fork),
                received.append,
                patience_seconds=PATIENCE_SECONDS,
                leave_behind=self._leave_behind,
            )
            for each in received:
                if isinstance(each, KeptCase):
                    if each.case not in {known.case for known in self.corpus.of(unit.qualname)}:
                        self.corpus.add(each)
                elif isinstance(each, SearchTally):
                    tally = each
                else:
                    self._spare += each
            if ended.finished or ended.step < 0 or ended.step in blamed:
                break
            blamed[ended.step] = ended.reason
        self.explored.tried += tally.count
        if not self.corpus.of(unit.qualname):
            reason = next(iter(blamed.values()), "") or tally.last_reason or "no input was found that it accepts"
            self.explored.skipped.append(Skipped(unit.qualname, reason))
        elif blamed:
            self.explored.notes.append(f"{unit.qualname}: an input {next(iter(blamed.values()))}; it was left out")

    def _search_in_fork(self, unit: Unit, limits: SearchLimits, blamed: frozenset[int], fork: Fork) -> None:
        corpus = Corpus(seen=self.corpus.seen)
        for kept in self.corpus.kept:
            if kept.case.unit != unit.qualname:  # its own finds are found again, crash or no crash
                corpus.add(kept)
        search = Search(unit, self._units, self._under_test, self._inputs, corpus, seed=self._seed)

        def step(number: int) -> bool:
            fork.leave_if_copied()
            fork.begin(number)
            return number not in blamed

        fork.send(search.run(limits, step, fork.send))
        fork.send(corpus.spare)

    # --- promises -----------------------------------------------------------------------------------------

    def _look_for_broken_promises(self) -> None:
        """What breaks the code's own promises is reported as that: no test may say that it is right."""
        received: list[FoundBreaches] = []

        def work(fork: Fork) -> None:
            fork.begin(0)
            fork.send(look_for_broken(self._under_test, self._units, self.corpus.kept, self._inputs, seed=self._seed))

        in_fork(work, received.append, patience_seconds=_SECONDS_FOR_PROMISES, leave_behind=self._leave_behind)
        for found in received:
            self.explored.broken += found.breaches
            self.explored.notes += [f"odd, though no promise is broken: {oddity}" for oddity in found.oddities]
        wrong = sorted({breach.unit for breach in self.explored.broken})
        self.explored.notes += [
            f"{unit}: it breaks its word, so no test says that what it does is right" for unit in wrong
        ]
        self._spare = [each for each in self._spare if each.case.unit not in wrong]
        self._keep_only([each for each in self.corpus.kept if each.case.unit not in wrong])

    # --- mutants ---------------------------------------------------------------------------------------

    def _mutate(self) -> None:
        explored = self.explored
        self._mutant_killer.round(explored.chosen, self._alive(), explored.kills)
        self._report("mutating", 0.5, explored)
        chosen = {id(each) for each in explored.chosen}
        rest = [each for each in self.corpus.kept if id(each) not in chosen]
        self._mutant_killer.round(rest, self._alive(), explored.kills)
        self._mutant_killer.round(self._replay.steady(self._spare), self._alive(), explored.kills)
        self._choose_again()
        self._hunt()
        self._choose_again()
        self._report("choosing", 0.9, explored)
        self._concentrate()

    def _alive(self) -> list[int]:
        explored = self.explored
        decided = {*explored.kills.by_mutant, *explored.noticed_before}
        return [mutant.number for mutant in explored.mutants if mutant.number not in decided]

    def _choose_again(self) -> None:
        killers = {id(each): each for each in self.explored.kills.by_mutant.values()}
        chosen = {id(each): each for each in self.explored.chosen}
        self.explored.chosen = needed(
            list({**chosen, **killers}.values()), self.explored.kills, self._at_import, each_unit=self._each_unit
        )

    def _concentrate(self) -> None:
        """Try the noticed mutants again, the best cases first: fewer cases then answer for the same mutants."""
        kills = Kills()
        self._mutant_killer.round(self.explored.chosen, list(self.explored.kills.by_mutant), kills)
        for number, killer in self.explored.kills.by_mutant.items():
            kills.by_mutant.setdefault(number, killer)
        self.explored.kills = kills
        self._choose_again()

    def _hunt(self) -> None:
        """For each function with survivors, look among the neighbours of the cases that reach them."""
        by_function: dict[str, list[Mutant]] = {}
        for number in self._alive():
            mutant = self._mutant_killer.mutants[number]
            if mutant.function is not None:
                by_function.setdefault(mutant.function, []).append(mutant)
        units = {unit.qualname: unit for unit in self._units}
        for function, survivors in by_function.items():
            if self._is_late():
                return
            bases = [
                each
                for each in self.corpus.kept
                if each.case.unit in units
                and any(self._mutant_killer.reaches(mutant, each.hits) for mutant in survivors)
            ]
            if bases:
                self._hunt_in(function, survivors, bases, units)

    def _hunt_in(self, function: str, survivors: list[Mutant], bases: list[KeptCase], units: dict[str, Unit]) -> None:
        direct = [each for each in bases if each.case.unit == function]
        bases = direct or bases
        searches = {
            name: Search(units[name], self._units, self._under_test, self._inputs, self.corpus, seed=self._seed)
            for name in {each.case.unit for each in bases}
        }

        def neighbour(base: KeptCase, rng: random.Random, hints: Sequence[object]) -> KeptCase | None:
            case = base.case
            for _ in range(rng.choice((1, 1, 2, 3))):
                case = searches[base.case.unit].neighbour(case, rng, hints)
            run = self._under_test.attempt(case)
            return KeptCase.of(case, run) if run.observation.is_usable else None

        found: list[tuple[tuple[int, ...], KeptCase]] = []
        tries = min(self._budget.hunts_per_function, 60 + 20 * len(survivors))
        in_fork(
            lambda fork: self._mutant_killer.hunt(survivors, bases, neighbour, tries, f"{self._seed}:{function}", fork),
            found.append,
            patience_seconds=PATIENCE_SECONDS,
            leave_behind=self._leave_behind,
        )
        steady = {id(kept) for kept in self._replay.steady([kept for _, kept in found])}
        for numbers, kept in found:
            if id(kept) in steady:
                self.corpus.add(kept)
                for number in numbers:
                    self.explored.kills.by_mutant.setdefault(number, kept)

    # --- shrinking ------------------------------------------------------------------------------------

    def _shrink(self) -> None:
        """The costliest first; each keeps what only it shows."""
        chosen = self.explored.chosen
        for kept in sorted(chosen, key=lambda each: -cost(each.case)):
            if self._is_late():
                return
            at = next(index for index, each in enumerate(chosen) if each is kept)
            numbers = self.explored.kills.of(kept)
            mutants = [self._mutant_killer.mutants[number] for number in numbers]
            if cost(kept.case) <= SIMPLE_ENOUGH or any(mutant.function is None for mutant in mutants):
                continue
            others = union(each.hits for each in chosen if each is not kept)
            smaller = self._shrunk(kept, kept.hits & ~self._at_import & ~others, mutants)
            if smaller is kept:
                continue
            twin = next((each for each in chosen if each.case == smaller.case), None)
            chosen[at] = smaller
            for number in numbers:
                self.explored.kills.by_mutant[number] = smaller
            if twin is not None:  # two became the same case: one is removed, and the other takes over its mutants
                chosen.remove(twin)
                for number in self.explored.kills.of(twin):
                    self.explored.kills.by_mutant[number] = smaller
            self._report("shrinking", 0.5, self.explored)

    def _shrunk(self, kept: KeptCase, probes: int, mutants: list[Mutant]) -> KeptCase:
        best: list[KeptCase] = []

        def work(fork: Fork) -> None:
            fork.begin(0)
            fork.send(
                shrink(
                    kept,
                    probes,
                    mutants,
                    self._under_test,
                    self._mutant_killer,
                    self._inputs,
                    self._budget.shrinks_per_case,
                )
            )

        ended = in_fork(work, best.append, patience_seconds=PATIENCE_SECONDS * 4, leave_behind=self._leave_behind)
        if not ended.finished or not best or best[0].case == kept.case:
            return kept
        (again,) = self._replay.see_again([best[0].case])
        return best[0] if again is not None and again.observation.checks == best[0].observation.checks else kept


def sample_mutants(mutants: Sequence[Mutant], limit: int, seed: str) -> list[Mutant]:
    """At most `limit` of them; those that run at import, which are expensive to try, only up to an eighth."""
    in_functions = [mutant for mutant in mutants if mutant.function is not None]
    fixed = [mutant for mutant in mutants if mutant.function is None]
    rng = random.Random(f"{seed}:mutants")
    taken = [*_some(in_functions, limit, rng), *_some(fixed, limit // 8, rng)]
    return sorted(taken, key=lambda mutant: mutant.number)


def _some(mutants: list[Mutant], limit: int, rng: random.Random) -> list[Mutant]:
    return mutants if len(mutants) <= limit else rng.sample(mutants, limit)
