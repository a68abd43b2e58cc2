"""What is said to be idempotent or symmetric is."""

from collections.abc import Callable

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


def test_what_is_said_to_be_idempotent_must_be(look_at: LookAt) -> None:
    source = 'def tidy(text: str) -> str:\n    """Tidy it. Idempotent."""\n    return text + "."\n'
    (breach,) = look_at(source).breaches

    assert breach.symptom == "is_not_idempotent"
    assert look_at(source.replace('text + "."', "text.strip()")).breaches == []
    assert look_at(source.replace("Idempotent", "Not idempotent")).breaches == []


def test_what_is_said_to_be_symmetric_must_be(look_at: LookAt) -> None:
    source = 'def gap(a: int, b: int) -> int:\n    """The gap between two numbers; symmetric."""\n    return a - b\n'
    (breach,) = look_at(source).breaches

    assert breach.symptom == "is_not_symmetric"
    assert look_at(source.replace("a - b", "abs(a - b)")).breaches == []
