"""Equal objects have equal hashes."""

from collections.abc import Callable

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


_TAG = """
class Tag:
    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name{form})
"""


def test_equal_objects_with_other_hashes_are_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_TAG.format(form="")).breaches

    assert breach.unit == "Tag"
    assert breach.symptom == "gives_equal_objects_other_hashes"
    assert look_at(_TAG.format(form=".lower()")).breaches == []
