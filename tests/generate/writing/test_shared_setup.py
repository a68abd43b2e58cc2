"""What is long to build is built in one place of the file."""

from tests.generate.writing.making import Shop, arguments, composed, of_basket, of_function, result, returned
from testwright.generate.inside.generated_case import Call
from testwright.generate.writing.pytest_file import ChosenCase

OWNER = repr("somebody with a name that is much too long to be read again and again in each test")


def of_long_basket(method: str, *, built: str = OWNER, before: tuple[Call, ...] = ()) -> ChosenCase:
    return of_basket(method, (), returned(0), built=arguments(built), before=before)


def test_an_object_that_three_tests_build_in_the_same_long_way_becomes_a_fixture(shop: Shop) -> None:
    adding = (Call("subject.add", arguments("0")),)
    suite = composed(
        of_long_basket("__len__"),
        of_long_basket("first", before=adding),
        of_basket("__getitem__", arguments("0"), returned(0), built=arguments(OWNER), before=adding),
    )

    assert suite.text.count("_under_test.Basket(") == 1
    assert "@pytest.fixture\ndef basket():\n    return _under_test.Basket(\n" in suite.text
    assert "(basket):\n    assert len(basket) == 0\n" in suite.text
    assert shop.run(suite.text).code == 0


def test_what_is_short_or_built_only_twice_stays_where_it_is_used() -> None:
    short = [of_long_basket(method, built="'ann'") for method in ("__len__", "first", "last")]
    twice = [of_long_basket(method) for method in ("__len__", "first")]

    assert "fixture" not in composed(*short).text
    assert "fixture" not in composed(*twice).text


def test_a_class_that_is_made_on_the_spot_is_written_as_a_class(shop: Shop) -> None:
    shop.module("basket", "class Shape: pass\n\n\ndef area_of(shape): return shape.area(2)\n")
    square = "type('Concrete', (_under_test.Shape,), {'area': lambda self, side: side * side, 'sides': 4})()"

    suite = composed(of_function("area_of", arguments(square), result("4"), parameters=("shape",)))

    assert (
        "class Concrete(_under_test.Shape):\n    def area(self, side):\n        return side * side\n\n    sides = 4\n"
    ) in suite.text
    assert "assert _under_test.area_of(Concrete()) == 4" in suite.text
    assert shop.run(suite.text).code == 0


def test_a_class_without_a_name_stays_an_expression() -> None:
    nameless = "type('', (_under_test.Shape,), {})()"

    suite = composed(of_function("area_of", arguments(nameless), result("4"), parameters=("shape",)))

    assert "\nclass " not in suite.text
