"""A module never gets more than sixty test functions, and loses no case for it."""

import re

from tests.generate.writing.making import Shop, arguments, composed, of_basket, of_function, raised, returned
from testwright.generate.writing.suite import MOST_TESTS, WrittenCase

UNITS = 45


def cases_of(number: int) -> list[WrittenCase]:
    """Three cases of one unit, each of another shape."""
    unit = f"unit_{number}"
    return [
        of_function(unit, arguments(repr("a")), returned("a"), parameters=("text", "more")),
        of_function(unit, arguments("None", more=str(number)), returned(None), parameters=("text", "more")),
        of_function(unit, arguments(), *raised("TypeError", "required positional"), parameters=("text", "more")),
    ]


def source() -> str:
    return "\n".join(f"def unit_{number}(text, more=0):\n    return text\n" for number in range(UNITS))


def test_many_units_share_tables_and_every_case_still_runs(shop: Shop) -> None:
    shop.module("basket", source())
    cases = [case for number in range(UNITS) for case in cases_of(number)]

    suite = composed(*cases)

    assert len(suite.tests) <= MOST_TESTS
    ran = shop.run(suite.text)
    assert f"{len(cases)} passed" in ran.output, ran.output


def test_a_merged_table_still_notices_changes(shop: Shop) -> None:
    shop.module("basket", source().replace("return text", "return text and 'b'", 1))

    suite = composed(*(case for number in range(UNITS) for case in cases_of(number)))

    assert "1 failed" in shop.run(suite.text).output


def test_nothing_is_merged_across_shapes_while_there_is_room() -> None:
    suite = composed(*cases_of(1))

    assert len(suite.tests) == 3
    assert "lambda" not in suite.text


def test_rows_of_a_merged_table_say_which_unit_they_call() -> None:
    suite = composed(*(case for number in range(UNITS) for case in cases_of(number)))

    ids = re.findall(r'id="(.*?)"', suite.text)
    assert len(set(ids)) == len(ids)
    assert any(each.startswith("unit 7") for each in ids)


def test_cases_with_an_object_are_merged_with_the_object_built_in_place(shop: Shop) -> None:
    many = [case for number in range(UNITS) for case in cases_of(number)]
    shop.module(
        "basket",
        source() + "\n\nclass Basket:\n    def __init__(self, owner):\n        self.owner = owner\n"
        "\n    def name(self):\n        return self.owner\n",
    )

    suite = composed(*many, of_basket("name", (), returned("ann")))

    assert len(suite.tests) <= MOST_TESTS
    assert f"{len(many) + 1} passed" in shop.run(suite.text).output
