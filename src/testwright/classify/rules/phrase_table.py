"""A table of things said that mean the same wherever they are said."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import PhraseMatcher
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.model.failure import FailureLine
from testwright.model.failure_labels import FailureLabel as Label


class PhraseRow(NamedTuple):
    """A row: the phrases, and what they mean."""

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
