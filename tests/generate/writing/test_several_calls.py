"""A module never gets more than sixty test functions, and loses no case for it."""

from tests.generate.writing.making import Shop, arguments, composed, of_basket, of_function, raised, returned
from testwright.generate.inside.generated_case import Argument
from testwright.generate.writing.pytest_file import MOST_TESTS, ChosenCase

UNITS = 45


def cases_of(number: int) -> list[ChosenCase]:
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
    assert suite.text.count("_under_test.unit_") == len(cases)
    assert shop.run(suite.text).code == 0


def test_a_merged_test_still_notices_changes(shop: Shop) -> None:
    shop.module("basket", source().replace("return text", "return text and 'b'", 1))

    suite = composed(*(case for number in range(UNITS) for case in cases_of(number)))

    assert "1 failed" in shop.run(suite.text).output


def test_nothing_is_merged_across_shapes_while_there_is_room() -> None:
    suite = composed(*cases_of(1))

    assert len(suite.tests) == 3
    assert "lambda" not in suite.text


def test_what_is_merged_is_written_as_plain_statements() -> None:
    suite = composed(*(case for number in range(UNITS) for case in cases_of(number)))

    assert "lambda" not in suite.text
    assert '    assert _under_test.unit_1("a") == "a"\n    assert _under_test.unit_2("a") == "a"\n' in suite.text


def test_calls_of_one_unit_share_a_table_of_arguments_before_anything_else_is_merged(shop: Shop) -> None:
    shop.module("basket", source())
    others = [
        of_function(f"unit_{number}", arguments(repr("a")), returned("a"), parameters=("text", "more"))
        for number in range(1, MOST_TESTS)
        if number < UNITS
    ]
    shapes = [
        of_function("unit_0", arguments(repr("x"), *["1"][:count]), returned("x"), parameters=("text", "more"))
        for count in (0, 1)
    ]
    named = [
        of_function("unit_0", (*arguments(repr("y")), Argument("more", str(number))), returned("y"))
        for number in range(2, 4)
    ]
    alone = [
        of_function(f"unit_{number}", arguments(), *raised("TypeError"), parameters=("text", "more"))
        for number in range(1, 15)
    ]

    suite = composed(*shapes, *named, *others, *alone)

    assert '        pytest.param(["x", 1], {}, "x", id="x, 1"),\n' in suite.text
    assert '        pytest.param(["y"], {"more": 2}, "y", id="y, more=2"),\n' in suite.text
    assert "def test_unit_0_by_arguments(args, kwargs, expected):\n" in suite.text
    assert "    assert _under_test.unit_0(*args, **kwargs) == expected\n" in suite.text
    assert shop.run(suite.text).code == 0


def test_cases_with_an_object_are_merged_with_the_object_built_in_place(shop: Shop) -> None:
    many = [case for number in range(UNITS) for case in cases_of(number)]
    shop.module(
        "basket",
        source() + "\n\nclass Basket:\n    def __init__(self, owner):\n        self.owner = owner\n"
        "\n    def name(self):\n        return self.owner\n",
    )

    suite = composed(*many, of_basket("name", (), returned("ann")))

    assert len(suite.tests) <= MOST_TESTS
    assert shop.run(suite.text).code == 0
