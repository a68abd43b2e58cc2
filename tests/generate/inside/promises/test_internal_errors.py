"""Errors of the code's own making on input that is exactly what it asks for."""

from collections.abc import Callable

import pytest

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


def test_a_name_without_a_value_is_broken(look_at: LookAt) -> None:
    source = "def last(words: list[str]) -> str:\n    for word in words:\n        found = word\n    return found\n"
    (breach,) = look_at(source).breaches

    assert breach.symptom == "raises_unbound_local_error"
    assert breach.promise == "def last(words: list[str]) -> str"
    assert breach.where.endswith(".py:4")
    assert [argument.value for argument in breach.case.action.arguments] == ["[]"]
    assert [check.expected for check in breach.expected] == ["str"]


def test_an_attribute_of_none_is_broken(look_at: LookAt) -> None:
    source = """
    import re


    def year(text: str) -> str:
        return re.match("[0-9]+", text).group()
    """
    (breach,) = look_at(source).breaches

    assert breach.symptom == "raises_attribute_error"


@pytest.mark.parametrize(
    "source",
    [
        # nothing says what it takes
        "def last(words):\n    for word in words:\n        found = word\n    return found\n",
        # the docstring speaks of it
        'def at(items: list[int]) -> int:\n    """The second, or IndexError."""\n    return items[1]\n',
        # raised on purpose
        "def name(n: int) -> str:\n    raise NameError('unknown')\n",
    ],
)
def test_what_is_not_certain_to_be_wrong_is_no_breach(look_at: LookAt, source: str) -> None:
    assert look_at(source).breaches == []


def test_an_undocumented_error_on_good_input_is_only_listed(look_at: LookAt) -> None:
    found = look_at("def second(items: list[int]) -> int:\n    return items[1]\n")

    assert found.breaches == []
    assert any(line.startswith("second: raises IndexError") for line in found.oddities)
