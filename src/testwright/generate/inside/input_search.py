"""Find inputs for one unit that show something new, first the promising ones, then neighbours of what was kept."""

import ast
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from testwright.generate.inside.corpus import Corpus, KeptCase
from testwright.generate.inside.generated_case import (
    SUBJECT,
    UNDER_TEST,
    Argument,
    Call,
    Case,
    CaseOutcome,
    Observation,
    Use,
)
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.units import Unit, UnitKind
from testwright.generate.inside.values.input_source import InputSource
from testwright.instrument.probe_hits import bit_of

SUBJECTS_PER_CLASS = 6
_SUBJECTS_TRIED = 60
_LONGEST_SEQUENCE = 3


@dataclass(frozen=True)
class SearchLimits:
    """How many cases may be tried for one unit."""

    first: int  # from the promising inputs
    neighbours: int  # by varying what was kept
    patience: int  # tries in a row without anything new, after which the search stops


class Search:
    """The search for one unit: a stream of cases to try, steered by what they showed."""

    def __init__(
        self,
        unit: Unit,
        units: Sequence[Unit],
        under_test: ModuleUnderTest,
        inputs: InputSource,
        corpus: Corpus,
        *,
        seed: str,
    ) -> None:
        self._unit, self._under_test, self._inputs, self._corpus, self._seed = unit, under_test, inputs, corpus, seed
        self._open = lines_mask(under_test, unit)
        self._siblings = [
            each
            for each in units
            if each.owner is not None
            and each.owner is unit.owner
            and each.kind is UnitKind.METHOD
            and not each.is_async
        ]
        self._operands: Sequence[object] = ()

    def run(self, limits: SearchLimits, step: Callable[[int], bool], keep: Callable[[KeptCase], None]) -> "SearchTally":
        """Try cases; `step(n)` gets the number of each and may refuse it, `keep` gets what is worth keeping."""
        tally = SearchTally()
        for case in itertools.chain(itertools.islice(self._promising(), limits.first), self._neighbours(limits)):
            if not step(tally.count):
                tally.count += 1
                continue
            run = self._under_test.attempt(case)
            tally.note(run.observation)
            if self._corpus.offer(case, run):
                keep(self._corpus.kept[-1])
                tally.since_news = 0
            self._operands = self._under_test.recorder.operands() or self._operands
            if self._is_enough(limits, tally):
                break
        return tally

    def _is_enough(self, limits: SearchLimits, tally: "SearchTally") -> bool:
        if tally.since_news > limits.patience:
            return True
        has_all = not self._open & ~self._corpus.seen
        return has_all and tally.count > limits.first // 4 and tally.since_news > limits.patience // 4

    # --- promising inputs --------------------------------------------------------------------

    def _promising(self) -> Iterator[Case]:
        unit = self._unit
        if unit.kind is UnitKind.CONSTRUCTOR:
            for call in self._inputs.first_subjects(unit.owner):
                if call.callee == f"{UNDER_TEST}.{unit.qualname}":
                    yield Case(unit.qualname, call)
            for arguments in self._inputs.first_arguments(unit):
                yield Case(unit.qualname, Call(f"{UNDER_TEST}.{unit.qualname}", arguments))
        elif unit.kind in (UnitKind.METHOD, UnitKind.PROPERTY):
            yield from self._on_subjects()
        else:
            for arguments in self._inputs.first_arguments(unit):
                yield Case(unit.qualname, Call(f"{UNDER_TEST}.{unit.qualname}", arguments), use_of(unit))

    def _on_subjects(self) -> Iterator[Case]:
        unit = self._unit
        subjects = self._working_subjects()
        if not subjects:
            return
        callee = f"{SUBJECT}.{unit.qualname.split('.')[-1]}"
        if unit.kind is UnitKind.PROPERTY:
            for subject in subjects:
                yield Case(unit.qualname, Call(callee), Use.GET, subject)
            return
        for number, arguments in enumerate(self._inputs.first_arguments(unit)):
            chosen = subjects if number < 3 else [subjects[number % len(subjects)]]
            for subject in chosen:
                yield Case(unit.qualname, Call(callee, arguments), use_of(unit), subject)

    def _working_subjects(self) -> list[Call]:
        """Ways to build the object that really build one, each different from the others."""
        found: dict[object, Call] = {}
        owner = self._unit.owner
        for kept in self._corpus.kept:  # what the constructor's own search found out
            is_of_owner = kept.case.action.callee == f"{UNDER_TEST}.{owner.__qualname__}" and kept.case.use is Use.CALL
            if is_of_owner and kept.observation.outcome is CaseOutcome.RETURNED:
                found.setdefault(kept.observation.checks, kept.case.action)
        tries = itertools.islice(self._inputs.first_subjects(owner), _SUBJECTS_TRIED)
        for call in tries:
            if len(found) >= SUBJECTS_PER_CLASS:
                break
            observation = self._under_test.attempt(Case(owner.__qualname__, call)).observation
            if observation.outcome is CaseOutcome.RETURNED:
                found.setdefault(observation.checks, call)
        return list(found.values())[:SUBJECTS_PER_CLASS]

    # --- neighbours of what was kept ------------------------------------------------------------

    def _neighbours(self, limits: SearchLimits) -> Iterator[Case]:
        for number in range(limits.neighbours):
            known = self._corpus.of(self._unit.qualname)
            if not known:
                return
            rng = random.Random(f"{self._seed}:{self._unit.qualname}:{number}")
            yield self.neighbour(self._pick(known, rng), rng)

    @staticmethod
    def _pick(known: list[KeptCase], rng: random.Random) -> Case:
        """Half of the time one of the latest finds: what led to something new may lead to more."""
        if rng.random() < 0.5:
            return rng.choice(known[-5:]).case
        return rng.choice(known).case

    def neighbour(self, case: Case, rng: random.Random, hints: Sequence[object] = ()) -> Case:
        hints = [*hints, *self._operands]
        where = rng.random()
        if case.subject is not None and where < 0.25 and case.subject.arguments:
            return replace(case, subject=self._varied(case.subject, rng, hints))
        if case.subject is not None and self._siblings and where < 0.5:
            return replace(case, before=self._sequence(case, rng))
        arguments = self._inputs.vary_arguments(self._unit, case.action.arguments, rng, hints)
        return replace(case, action=replace(case.action, arguments=arguments))

    def _varied(self, call: Call, rng: random.Random, hints: Sequence[object]) -> Call:
        arguments = list(call.arguments)
        at = rng.randrange(len(arguments))
        arguments[at] = Argument(arguments[at].name, self._inputs.vary(arguments[at].value, rng, hints))
        return Call(call.callee, tuple(arguments))

    def _sequence(self, case: Case, rng: random.Random) -> tuple[Call, ...]:
        """One call more before the action, or one less."""
        before = list(case.before)
        if before and (len(before) >= _LONGEST_SEQUENCE or rng.random() < 0.3):
            del before[rng.randrange(len(before))]
            return tuple(before)
        sibling = rng.choice(self._siblings)
        known = [each.case.action for each in self._corpus.of(sibling.qualname) if not each.case.before]
        if known and rng.random() < 0.7:
            call = rng.choice(known)
        else:
            first = itertools.islice(self._inputs.first_arguments(sibling), 8)
            call = Call(f"{SUBJECT}.{sibling.qualname.split('.')[-1]}", rng.choice([*first, ()]))
        before.insert(rng.randint(0, len(before)), call)
        return tuple(before)


@dataclass
class SearchTally:
    """How the tries went: for the summary, and to say why a unit got no test."""

    count: int = 0
    usable: int = 0
    since_news: int = 0
    last_reason: str = ""

    def note(self, observation: Observation) -> None:
        self.count += 1
        self.since_news += 1
        if observation.outcome is CaseOutcome.UNUSABLE:
            self.last_reason = observation.reason
        else:
            self.usable += 1


def use_of(unit: Unit) -> Use:
    if unit.is_context_manager:
        return Use.ENTER_ASYNC if unit.is_async else Use.ENTER
    if unit.is_generator:
        return Use.ITERATE_ASYNC if unit.is_async else Use.ITERATE
    return Use.AWAIT if unit.is_async else Use.CALL


def lines_mask(under_test: ModuleUnderTest, unit: Unit) -> int:
    """The probes that lie within the unit's own source."""
    if unit.node is None or isinstance(unit.node, ast.ClassDef):
        return 0
    first, last = unit.node.lineno, unit.node.end_lineno or unit.node.lineno
    mask = 0
    for probe in under_test.twin.probes:
        if first <= probe.line <= last:
            mask |= bit_of(probe)
    return mask
