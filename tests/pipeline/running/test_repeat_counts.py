"""What is said of a failure that was tried again follows from how often it came, and in which company."""

from pathlib import Path

import pytest

from testwright.model.case import Framework, TestCase
from testwright.pipeline.running.repeat_counts import Order, Repeated, Repeats
from testwright.run.framework_adapter import RunRequest, Suite
from testwright.run.frameworks.pytest import PytestAdapter
from testwright.run.project import Project
from testwright.run.suite_plan import PlannedSuite

ORDERS = {"r": Order.IN_RUN, "a": Order.ALONE, "f": Order.IN_FILE, "v": Order.REVERSED}


def repeated(spelled: str) -> Repeated:
    """Tries by the letter of their order; a capital one failed."""
    item = PlannedSuite(PytestAdapter(Project.at(Path())), Suite(Framework.PYTEST, Path()), RunRequest())
    test = Repeated(TestCase(Framework.PYTEST, "test_a.py", ("test_x",)), item, (), 1)
    for letter in spelled:
        test.note(ORDERS[letter.lower()], failed=letter.isupper())
    return test


@pytest.mark.parametrize(
    ("spelled", "verdict"),
    [
        ("R", Repeats.NOT_TRIED),
        ("RAA", Repeats.ALWAYS),
        ("RAAV", Repeats.ALWAYS),
        ("RAav", Repeats.SOMETIMES),
        ("Raa", Repeats.SOMETIMES),
        ("RaaFF", Repeats.AFTER_OTHERS),
        ("RaaFFV", Repeats.AFTER_OTHERS),
        ("RraaFF", Repeats.AFTER_OTHERS),  # a retry that passed had no others before it
        ("RaaFf", Repeats.SOMETIMES),
        ("RaF", Repeats.SOMETIMES),  # once alone is too little to go by
        ("RAAv", Repeats.SOMETIMES),
    ],
)
def test_the_verdict_needs_what_it_says(spelled: str, verdict: Repeats) -> None:
    assert repeated(spelled).verdict is verdict


def test_every_count_is_reported() -> None:
    assert repeated("RaaAv").sentence == (
        "fails sometimes (2 of 5 tries): pytest:test_a.py::test_x (in the run 1 of 1, alone 1 of 3, in reverse 0 of 1)."
    )
    assert repeated("Raa").sentence.endswith(
        "It did not fail again: it may be rare, or need tests of other files before it."
    )
    assert repeated("R").sentence == "not tried again: pytest:test_a.py::test_x"
