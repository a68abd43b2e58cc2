"""The cases worth keeping, and what makes a new one worth it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from testwright.generate.inside.generated_case import MESSAGES, Call, Case, CaseOutcome, Check, Observation, Relation
from testwright.generate.inside.module_under_test import ObservedRun
from testwright.generate.inside.units import is_private

KINDS_PER_UNIT = 14
PATHS_PER_UNIT = 50
SPARE_PER_UNIT = 80
_PRICE_OF_A_PRIVATE_NAME = 300  # a test should say the same through a public name
_PRICE_OF_AN_ACCIDENT = 150  # "`None` has no attribute" is true, and useless to a reader


@dataclass(frozen=True)
class KeptCase:
    case: Case
    observation: Observation
    hits: int
    work: int = 0

    @classmethod
    def of(cls, case: Case, run: ObservedRun) -> "KeptCase":
        return cls(case, run.observation, run.hits, run.work)


@dataclass
class Corpus:
    """Kept cases in the order in which they were found."""

    seen: int = 0  # every probe that some kept case hits, or that importing the module hits
    kept: list[KeptCase] = field(default_factory=list)
    spare: list[KeptCase] = field(default_factory=list)
    """Cases that add nothing but another answer: one of them may notice a mutant that no kept case does."""
    _by_unit: dict[str, list[KeptCase]] = field(default_factory=dict)
    _answers: dict[str, set[tuple[Check, ...]]] = field(default_factory=dict)
    _cases: set[Case] = field(default_factory=set)
    _kinds: dict[str, set[str]] = field(default_factory=dict)
    _paths: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    def offer(self, case: Case, run: ObservedRun) -> bool:
        """Keep the case if it shows something new, and say whether it did: a probe, a kind of outcome, a path."""
        if case in self._cases or run.observation.outcome is CaseOutcome.UNUSABLE or not run.observation.checks:
            return False
        kinds = self._kinds.setdefault(case.unit, set())
        paths = self._paths.setdefault(case.unit, set())
        path = (run.observation.kind, run.hits)
        is_new_kind = run.observation.kind not in kinds and len(kinds) < KINDS_PER_UNIT
        is_new_path = path not in paths and len(paths) < PATHS_PER_UNIT
        if not (run.hits & ~self.seen or is_new_kind or is_new_path):
            self._spare(KeptCase.of(case, run))
            return False
        self.add(KeptCase.of(case, run))
        return True

    def add(self, kept: KeptCase) -> None:
        self._cases.add(kept.case)
        self._kinds.setdefault(kept.case.unit, set()).add(kept.observation.kind)
        self._paths.setdefault(kept.case.unit, set()).add((kept.observation.kind, kept.hits))
        self.seen |= kept.hits
        self.kept.append(kept)
        self._by_unit.setdefault(kept.case.unit, []).append(kept)

    def _spare(self, kept: KeptCase) -> None:
        answers = self._answers.setdefault(kept.case.unit, set())
        if (
            len(answers) < SPARE_PER_UNIT
            and kept.observation.checks not in answers
            and not is_accident(kept.observation)
        ):
            answers.add(kept.observation.checks)
            self.spare.append(kept)

    def of(self, unit: str) -> list[KeptCase]:
        return self._by_unit.get(unit, [])


def burden(kept: KeptCase) -> int:
    """What a test of it costs its readers: how much there is to read, and more where it says little."""
    return cost(kept.case) + (_PRICE_OF_AN_ACCIDENT if is_accident(kept.observation) else 0)


def is_accident(observation: Observation) -> bool:
    """Whether it raised by accident: a builtin error without words of the package's own."""
    if observation.outcome is not CaseOutcome.RAISED:
        return False
    is_builtin = any(check.relation is Relation.RAISES and "." not in check.expected for check in observation.checks)
    return is_builtin and not any(check.relation in MESSAGES for check in observation.checks)


def cost(case: Case) -> int:
    """How much a reader has to read."""
    price = sum(_call_cost(call) for call in case.calls) + 15 * len(case.before)
    return price + _PRICE_OF_A_PRIVATE_NAME if is_private(case.unit) else price


def _call_cost(call: Call) -> int:
    return 5 + sum(len(argument.value) + 2 + _noise(argument.value) for argument in call.arguments)


def _noise(text: str) -> int:
    """Escapes and strange characters cost a reader more than words do."""
    return sum(3 for character in text if character == "\\" or not character.isascii())


def union(hits: Iterable[int]) -> int:
    together = 0
    for each in hits:
        together |= each
    return together
