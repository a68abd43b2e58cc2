"""A table of things said that mean the same wherever they are said."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from testwright.classify.rules.finding import Finding
from testwright.classify.rules.phrases import Phrases
from testwright.model.failure import Line
from testwright.model.verdict import Label


class Says(NamedTuple):
    """A row: the phrases, and what they mean."""

    phrases: Phrases
    label: Label
    weight: float
    symptom: str
    fix: str
    second: Label | None = None


def findings_in(table: Iterable[Says], lines: Sequence[Line]) -> Iterator[Finding]:
    for row in table:
        cause = "network" if row.label is Label.NETWORK_FLAKY else "environment"
        for line in row.phrases.all(lines):
            yield Finding(row.label, row.weight, row.symptom, cause, line, row.fix, row.second)
