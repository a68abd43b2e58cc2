"""A suite holds for the code it was written from, says what it checks, and reads like a person's."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generate.writing.making import (
    EVERY_KIND,
    IMPORT_LINE,
    MODULE,
    Shop,
    arguments,
    body_of,
    composed,
    of_basket,
    of_function,
    raised,
    result,
    returned,
)
from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation, Use
from testwright.generate.writing.pytest_file import ChosenCase, compose_suite
from testwright.generate.writing.style import ProjectStyle


def test_a_suite_of_every_kind_of_case_is_green_in_any_order(shop: Shop) -> None:
    suite = composed(*EVERY_KIND)

    assert suite.dropped == ()
    for order in (suite.tests, suite.tests[::-1]):
        ran = shop.run(suite.text, *order)
        assert ran.code == 0, ran.output
        assert f"{len(EVERY_KIND)} passed" in ran.output


@pytest.mark.parametrize(
    ("in_the_code", "instead"),
    [
        pytest.param("text.lower()", "text.upper()", id="a returned value"),
        pytest.param("(got {", "(was {", id="an error's message"),
        pytest.param("raise EmptyBasket", "raise KeyError", id="an error's class"),
        pytest.param("items.sort(", "sorted(items, ", id="an argument's state"),
        pytest.param("Hello,", "Goodbye,", id="what is printed"),
        pytest.param("CACHE[key] = value", "pass", id="a global"),
        pytest.param("path.write_text(text", "path.write_text(text[:1]", id="a file"),
        pytest.param("self.limit = limit", "self.limit = 7", id="an attribute"),
        pytest.param("return not self.items", "return bool(self.items)", id="a property"),
        pytest.param("self.owner = value", "pass", id="a setter"),
        pytest.param("return n * 2", "return n + 2 * n", id="an awaited value"),
        pytest.param("        yield start\n", "        yield -start - 1\n", id="a yielded item"),
        pytest.param("yield [name]", "yield name", id="what a context manager gives"),
        pytest.param("SystemExit(code)", "SystemExit(code + 1)", id="an exit code"),
    ],
)
def test_a_suite_notices_a_change_of(shop: Shop, in_the_code: str, instead: str) -> None:
    suite = composed(*EVERY_KIND)
    source = (shop.folder / "shop" / "basket.py").read_text(encoding="utf-8")
    assert in_the_code in source

    shop.module("basket", source.replace(in_the_code, instead))

    assert shop.run(suite.text).code == 1


def test_the_first_import_is_exactly_the_canonical_one_and_the_rest_is_sorted_beneath() -> None:
    text = composed(*EVERY_KIND).text

    imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert ast.unparse(imports[0]) == IMPORT_LINE
    assert f"\n\n{IMPORT_LINE}\n\n" in text
    assert [ast.unparse(node) for node in imports[1:]] == [
        "import asyncio",
        "import copy",
        "import itertools",
        "import math",
        "from datetime import date",
        "from decimal import Decimal",
        "import pytest",
    ]


def test_a_canonical_import_longer_than_the_line_stays_as_it_is() -> None:
    line = f"from {'a_long_package_name.' * 6}sub import module as _under_test"

    text = compose_suite(line, "sub.module", [of_function("f", (), returned(1))]).text

    assert line in text.splitlines()


def test_pytest_is_imported_only_when_it_is_used() -> None:
    assert "import pytest" not in composed(of_function("slugify", arguments("'A'"), returned("a"))).text


def test_the_file_says_what_it_is_about() -> None:
    text = composed(of_function("slugify", arguments("'A'"), returned("a"))).text

    assert text.startswith('"""Tests for shop.basket, written by Testwright from the behaviour of the code."""\n')


def test_the_same_cases_give_the_same_bytes_in_every_process() -> None:
    script = "from tests.generate.writing.making import EVERY_KIND, composed; print(composed(*EVERY_KIND).text)"
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }

    assert texts == {f"{composed(*EVERY_KIND).text}\n"}


def test_a_case_without_checks_is_dropped_and_reported() -> None:
    suite = composed(of_function("slugify", arguments("'A'")), of_function("slugify", arguments("'B'"), returned("b")))

    assert len(suite.tests) == 1
    assert [dropped.reason for dropped in suite.dropped] == ["nothing was seen that a test could check"]
    assert suite.notes == ("slugify: a case was left out: nothing was seen that a test could check",)


def test_a_check_that_everything_passes_is_no_check() -> None:
    suite = composed(of_function("same", arguments("object()"), result("object", Relation.INSTANCE)))

    assert suite.text == ""
    assert len(suite.dropped) == 1


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        pytest.param("1 +", "an expression of it cannot be read: invalid syntax", id="no expression"),
        pytest.param("nowhere.thing()", "Nothing defines 'nowhere'.", id="a name from nowhere"),
    ],
)
def test_a_case_that_cannot_be_written_is_dropped_and_the_rest_is_written(expression: str, reason: str) -> None:
    suite = composed(
        of_function("same", arguments(expression), returned(1)), of_function("same", arguments("1"), returned(1))
    )

    assert [dropped.reason for dropped in suite.dropped] == [reason]
    assert len(suite.tests) == 1


def test_a_repeated_case_is_written_once() -> None:
    case = of_function("slugify", arguments("'A'"), returned("a"))

    suite = composed(case, case)

    assert suite.text.count("_under_test.slugify") == 1
    assert [dropped.reason for dropped in suite.dropped] == ["the same as another case"]
    assert suite.notes == ()


def test_units_keep_the_order_of_their_first_case_and_stay_together() -> None:
    suite = composed(
        of_function("price", arguments("'1'"), result("decimal.Decimal('1')"), imports=("decimal",)),
        of_function("slugify", arguments("'A'"), returned("a")),
        of_function("price", arguments("''"), *raised("ArithmeticError")),
    )

    assert [name.split("_")[1] for name in suite.tests] == ["price", "price", "slugify"]


def test_arrange_act_and_assert_stand_apart_when_there_is_much_to_read() -> None:
    text = composed(EVERY_KIND[10]).text

    assert body_of(text, "test_remember_returns_1") == (
        'monkeypatch.setattr(_under_test, "CACHE", copy.deepcopy(_under_test.CACHE))\n'
        'monkeypatch.setattr(_under_test, "COUNT", _under_test.COUNT)\n'
        "\n"
        'result = _under_test.remember("a", 1)\n'
        "\n"
        "assert result == 1\n"
        'assert _under_test.CACHE == {"a": 1}\n'
        "assert _under_test.COUNT == 1"
    )


def test_a_short_test_is_one_line() -> None:
    suite = composed(of_function("slugify", arguments("'A b'"), returned("a-b")))

    assert body_of(suite.text, suite.tests[0]) == 'assert _under_test.slugify("A b") == "a-b"'


def test_that_nothing_is_returned_is_not_said_of_a_unit_that_never_returns_anything() -> None:
    suite = composed(EVERY_KIND[8])

    assert "is None" not in suite.text
    assert suite.tests == ("test_greet_prints_hello_bob",)


def test_that_nothing_is_returned_is_said_when_other_cases_return_something() -> None:
    printed = Check("stdout", "{}", Relation.EQUAL, "'x'")

    suite = composed(
        of_function("same", arguments("None"), returned(None), printed),
        of_function("same", arguments("1"), returned(1)),
    )

    assert "assert result is None" in suite.text


def test_an_object_is_named_after_its_class_and_an_argument_after_its_parameter(shop: Shop) -> None:
    suite = composed(
        of_basket(
            "add",
            arguments("[1, 2, 3, 4]"),
            Check("subject", "{}.items", Relation.EQUAL, "[[1, 2, 3, 4]]"),
            Check("argument item", "{}", Relation.EQUAL, "[1, 2, 3, 4]"),
            parameters=("item",),
        )
    )

    body = body_of(suite.text, suite.tests[0])
    assert body.startswith('basket = _under_test.Basket("ann")\nitem = [1, 2, 3, 4]\n\nbasket.add(item)\n')
    assert shop.run(suite.text).code == 0


def test_special_methods_are_used_as_people_use_them(shop: Shop) -> None:
    suite = composed(
        of_basket("__len__", (), returned(0)),
        of_basket("__contains__", arguments("'x'"), returned(False)),
        of_basket("__eq__", arguments("_under_test.Basket('bob')"), returned(True)),
        of_basket("__getitem__", arguments("0"), *raised("IndexError")),
    )

    assert "assert len(basket) == 0" in suite.text
    assert 'assert "x" not in basket' in suite.text
    assert 'assert basket == _under_test.Basket("bob")' in suite.text
    assert "_ = basket[0]" in suite.text
    assert shop.run(suite.text).code == 0


def test_items_are_set_and_deleted_as_people_do_it() -> None:
    state = Check("subject", "{}.items", Relation.EQUAL, "['x']")
    suite = composed(
        of_basket("__setitem__", arguments("0", "'x'"), state, before=(Call("subject.__getitem__", arguments("0")),)),
        of_basket("__delitem__", arguments("1"), *raised("IndexError")),
        of_basket("__iter__", (), result("['x']", path="list({})")),
    )

    assert '    _ = basket[0]\n\n    basket[0] = "x"\n' in suite.text
    assert "        del basket[1]\n" in suite.text
    assert 'assert list(basket) == ["x"]' in suite.text


def test_an_answer_that_an_operator_would_hide_is_asked_for_by_name(shop: Shop) -> None:
    source = (shop.folder / "shop" / "basket.py").read_text(encoding="utf-8")
    declining = "return NotImplemented if other == 5 else isinstance(other, Basket)"
    shop.module("basket", source.replace("return isinstance(other, Basket) and self.items == other.items", declining))

    suite = composed(
        of_basket("__eq__", arguments("'x'"), returned(False)),
        of_basket("__eq__", arguments("5"), result("NotImplemented", Relation.IDENTICAL)),
    )

    assert 'assert (basket == "x") is False' in suite.text
    assert "assert basket.__eq__(5) is NotImplemented" in suite.text
    assert shop.run(suite.text).code == 0


@pytest.mark.parametrize(
    ("relation", "pattern"),
    [
        pytest.param(Relation.MESSAGE_IS, r"^text must be a string \(got int\)$", id="all of it"),
        pytest.param(Relation.MESSAGE_BEGINS, r"^text must be a string \(got int\)", id="its beginning"),
        pytest.param(Relation.MESSAGE_HAS, r"text must be a string \(got int\)", id="a part of it"),
    ],
)
def test_the_message_of_an_error_is_anchored_where_it_is_known_to_end(
    shop: Shop, relation: Relation, pattern: str
) -> None:
    message = Check("error", "{}", relation, "text must be a string (got int)")
    suite = composed(of_function("slugify", arguments("3"), *raised("TypeError"), message))

    assert f'with pytest.raises(TypeError, match=r"{pattern}"):' in suite.text
    assert shop.run(suite.text).code == 0
    source = (shop.folder / "shop" / "basket.py").read_text(encoding="utf-8")
    shop.module("basket", source.replace("__name__})", "__name__}), or so"))
    assert shop.run(suite.text).code == int(relation is Relation.MESSAGE_IS)
    shop.module("basket", source.replace('f"text must', 'f"the text must'))
    assert shop.run(suite.text).code == int(relation is not Relation.MESSAGE_HAS)


def test_what_a_unit_is_for_comes_first_then_the_edges_then_the_errors() -> None:
    suite = composed(
        of_function("_hidden", arguments("1"), returned(1)),
        of_function("f", arguments("3"), *raised("TypeError"), parameters=("text",)),
        of_function("f", arguments("''"), returned(None), parameters=("text",)),
        of_function("f", arguments("'words'"), returned("Words"), parameters=("text",)),
    )

    assert suite.tests == (
        "test_f_returns_words",
        "test_f_returns_none_for_empty_text",
        "test_f_raises_type_error_when_text_is_a_number",
        "test_hidden_returns_1",
    )


def test_what_can_be_used_up_is_not_made_while_pytest_collects() -> None:
    suite = composed(
        of_function("f", arguments("iter([1])"), returned([1]), parameters=("items",)),
        of_function("f", arguments("iter([2])"), returned([2]), parameters=("items",)),
    )

    assert "parametrize" not in suite.text


def test_calls_on_the_way_to_an_action_are_awaited_where_they_are_asynchronous(shop: Shop) -> None:
    suite = composed(
        of_basket("add_later", arguments("'a'"), Check("subject", "{}.items", Relation.EQUAL, "['a']"), use=Use.AWAIT),
        of_basket("first", (), returned("b"), before=(Call("subject.add_later", arguments("'b'")),)),
    )

    assert 'asyncio.run(basket.add_later("b"))' in suite.text
    assert shop.run(suite.text).code == 0


def test_unpacked_literals_become_ordinary_arguments() -> None:
    unpacked = (Argument("*", "['a b']"), Argument("**", "{'sep': '+'}"))

    suite = composed(of_function("slugify", unpacked, returned("a+b")))

    assert '_under_test.slugify("a b", sep="+") == "a+b"' in suite.text


def test_setup_statements_come_first_and_their_names_may_be_used(shop: Shop) -> None:
    case = Case("slugify", Call("_under_test.slugify", arguments("words")))
    written = ChosenCase(case, (returned("a-b"),), setup=("words = ' '.join(['a', 'b'])",))

    suite = composed(written)

    assert body_of(suite.text, suite.tests[0]).startswith('words = " ".join(["a", "b"])\n')
    assert shop.run(suite.text).code == 0


def test_the_projects_quotes_and_line_length_are_kept() -> None:
    case = of_function("slugify", arguments(repr("word " * 30)), returned("-".join(["word"] * 30)))

    suite = compose_suite(IMPORT_LINE, MODULE, [case], style=ProjectStyle(line_length=72, quote="'"))

    code = suite.text.partition(IMPORT_LINE)[2]
    assert '"' not in code
    assert max(map(len, code.splitlines())) <= 72


def test_a_line_length_that_is_given_goes_before_the_styles() -> None:
    case = of_function("slugify", arguments(repr("word " * 30)), returned("-".join(["word"] * 30)))

    text = compose_suite(IMPORT_LINE, MODULE, [case], line_length=80, style=ProjectStyle(line_length=200)).text

    assert max(map(len, text.partition(IMPORT_LINE)[2].splitlines())) <= 80
