"""Each family of rules on texts of its own: what they mean, what they show, and the line that says so."""

import tomllib
from pathlib import Path

import pytest

from testwright.classify.classifier import classify_text
from testwright.model.failure_labels import FailureLabel

FAMILIES = tomllib.loads(Path(__file__).with_name("families.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=f"{family}: {row['symptom']} {number}")
        for family, rows in FAMILIES.items()
        for number, row in enumerate(rows)
    ],
)
def test_a_text_is_read_for_what_it_shows(row: dict[str, str]) -> None:
    verdict = classify_text(row["text"])

    assert (str(verdict.label), verdict.symptom) == (row["label"], row["symptom"])
    assert any(row["quoted"] in quote.text for quote in verdict.evidence)


def test_every_label_is_said_by_some_rule() -> None:
    assert {row["label"] for rows in FAMILIES.values() for row in rows} == {str(label) for label in FailureLabel}
