"""Tests that differ only in how an object of the module is built become one table."""

from tests.generate.writing.making import Shop, arguments, composed, of_function, raised, returned
from testwright.generate.inside.generated_case import Call, Case, Check, Relation
from testwright.generate.writing.pytest_file import ChosenCase

ORDERS = """
from dataclasses import dataclass


@dataclass
class Order:
    item: str
    count: int = 1


def price_of(order, rate=2):
    if order.count < 1:
        raise ValueError("no count")
    return order.count * rate
"""


def priced(order: str, *checks: Check) -> ChosenCase:
    return of_function("price_of", arguments(f"_under_test.Order({order})"), *checks, parameters=("order", "rate"))


def made() -> ChosenCase:
    case = Case("Order", Call("_under_test.Order", arguments("'bun'")))
    checks = (Check("result", "{}.item", Relation.EQUAL, "'bun'"),)
    return ChosenCase(case, checks, unit_kind="constructor", parameters=("item", "count"))


def test_the_parts_that_vary_are_the_columns_and_named_after_parameters(shop: Shop) -> None:
    shop.module("basket", ORDERS)

    suite = composed(made(), priced("'bun', 3", returned(6)), priced("'bun', 26", returned(52)))

    assert suite.tests[1:] == ("test_price_of_by_count",)
    assert "        (3, 6),\n        (26, 52),\n" in suite.text
    assert '    assert _under_test.price_of(_under_test.Order("bun", count)) == expected\n' in suite.text
    assert shop.run(suite.text).code == 0


def test_objects_are_still_built_in_the_test_and_not_while_pytest_collects() -> None:
    text = composed(priced("'bun', 3", returned(6)), priced("'pie', 26", returned(52))).text

    decorator = text.partition("@pytest.mark.parametrize")[2].partition("def test_")[0]
    assert "_under_test" not in decorator


def test_what_is_checked_in_another_way_or_built_in_another_way_stays_apart() -> None:
    suite = composed(
        priced("'bun', 3", returned(6)), priced("'bun'", returned(2)), priced("'bun', 0", *raised("ValueError"))
    )

    assert len(suite.tests) == 3
    assert "parametrize" not in suite.text


def test_an_object_that_is_looked_at_afterwards_keeps_its_variable() -> None:
    after = Check("argument 0", "{}.count", Relation.EQUAL, "1")

    suite = composed(priced("'bun', 3", returned(6), after), priced("'bun', 4", returned(8), after))

    assert suite.text.count("order = _under_test.Order(") == 2
