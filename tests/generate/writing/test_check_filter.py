"""A test says what could be otherwise, and not what follows from the rest of it."""

import pytest

from tests.generate.writing.making import arguments, composed, of_basket, of_function, result, returned
from testwright.generate.inside.generated_case import Call, Case, Check, Relation
from testwright.generate.writing.pytest_file import ChosenCase

INSTANCE = Relation.INSTANCE


def made(*checks: Check) -> ChosenCase:
    return ChosenCase(Case("Basket", Call("_under_test.Basket", arguments("'ann'"))), checks, unit_kind="constructor")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            made(result("_under_test.Basket", INSTANCE), result("'ann'", path="{}.owner")), id="what a class makes"
        ),
        pytest.param(
            of_basket(
                "add",
                arguments("1"),
                Check("subject", "{}", INSTANCE, "_under_test.Basket"),
                Check("subject", "{}.items", Relation.EQUAL, "[1]"),
            ),
            id="the object of a method",
        ),
        pytest.param(
            of_function("share", arguments("3", "2"), returned(1.5), result("float", INSTANCE)), id="a fraction"
        ),
        pytest.param(of_basket("__len__", (), returned(0), result("int", INSTANCE)), id="a length"),
    ],
)
def test_a_type_that_goes_without_saying_is_not_said(case: ChosenCase) -> None:
    suite = composed(case)

    assert "isinstance" not in suite.text
    assert "assert " in suite.text


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            of_function("share", arguments("4", "2"), returned(2.0), result("float", INSTANCE)), id="2.0 is 2 too"
        ),
        pytest.param(
            of_function("share", arguments("4", "2"), returned(2), result("int", INSTANCE)), id="2 is 2.0 too"
        ),
        pytest.param(made(result("_under_test.Basket", INSTANCE)), id="nothing else is known"),
        pytest.param(
            made(result("_under_test.Paper", INSTANCE), result("'ann'", path="{}.owner")),
            id="not the class that was called",
        ),
        pytest.param(
            of_function("same", (), result("_under_test.Basket", INSTANCE), result("1", path="{}.limit")),
            id="of a function",
        ),
    ],
)
def test_a_type_that_could_be_another_is_said(case: ChosenCase) -> None:
    assert "isinstance" in composed(case).text
