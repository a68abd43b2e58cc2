"""What a rule says, and tables of things said that mean the same wherever they are said."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import PhraseMatcher
from testwright.model.failure import FailureLine
from testwright.model.failure_labels import FailureLabel as Label


@dataclass(frozen=True, slots=True)
class RuleFinding:
    label: Label
    weight: float  # 0 to 1
    symptom: str
    cause: str = ""
    line: FailureLine | None = None
    advice: Advice = Advice.LOOK
    second: Label | None = None  # what it most likely is if it is not this
    is_consequence: bool = False
    is_fallback: bool = False  # counts only where nothing more specific was found


class PhraseRow(NamedTuple):
    """A row of a table: the phrases, and what they mean."""

    phrases: PhraseMatcher
    label: Label
    weight: float
    symptom: str
    advice: Advice
    second: Label | None = None


def findings_in(table: Iterable[PhraseRow], lines: Sequence[FailureLine]) -> Iterator[RuleFinding]:
    for row in table:
        cause = "network" if row.label is Label.NETWORK_FLAKY else "environment"
        for line in row.phrases.all(lines):
            yield RuleFinding(row.label, row.weight, row.symptom, cause, line, row.advice, row.second)
