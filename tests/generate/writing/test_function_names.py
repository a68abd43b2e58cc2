"""The name of a test says what it is about and what happens; the id of a row says which case it is."""

import re

import pytest

from tests.generate.writing.making import arguments, composed, of_basket, of_function, raised, result, returned
from testwright.generate.inside.generated_case import Call, Case, Check, Relation, Use
from testwright.generate.writing.function_names import LONGEST_NAME
from testwright.generate.writing.pytest_file import ChosenCase

EQUAL = Relation.EQUAL


def named(*cases: ChosenCase) -> list[str]:
    return [name.removeprefix("test_") for name in composed(*cases).tests]


def ids_of(*cases: ChosenCase) -> list[str]:
    return re.findall(r'id="(.*?)"', composed(*cases).text)


@pytest.mark.parametrize(
    ("check", "name"),
    [
        pytest.param(returned(None), "same_returns_none", id="none"),
        pytest.param(returned(True), "same_is_true", id="true"),
        pytest.param(returned(False), "same_is_false", id="false"),
        pytest.param(returned(""), "same_returns_empty_text", id="empty text"),
        pytest.param(returned([]), "same_returns_empty_list", id="empty list"),
        pytest.param(result("set()"), "same_returns_empty_set", id="empty set"),
        pytest.param(returned(0), "same_returns_zero", id="zero"),
        pytest.param(returned(-3), "same_returns_minus_3", id="negative"),
        pytest.param(returned("Hello World"), "same_returns_hello_world", id="a few words"),
        pytest.param(returned("*** !!! ***"), "same_returns_text_when_value_is_5", id="signs"),
        pytest.param(result("_under_test.Basket", Relation.INSTANCE), "same_returns_basket", id="an object"),
        pytest.param(result("True", Relation.IDENTICAL, "callable({})"), "same_returns_function", id="a function"),
        pytest.param(Check("stdout", "{}", EQUAL, "'two words\\n'"), "same_prints_two_words", id="printed"),
        pytest.param(Check("file out.txt", "{}", EQUAL, "''"), "same_writes_out_txt", id="a file"),
        pytest.param(Check("module CACHE", "{}", EQUAL, "{}"), "same_updates_global_cache", id="a global"),
        pytest.param(Check("argument 0", "{}", EQUAL, "5"), "same_changes_value_in_place", id="an argument"),
    ],
)
def test_what_happens_is_said_in_words(check: Check, name: str) -> None:
    assert named(of_function("same", arguments("5"), check, parameters=("value",))) == [name]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        pytest.param("''", "raises_value_error_for_empty_text", id="empty"),
        pytest.param("'  '", "raises_value_error_for_blank_text", id="blank"),
        pytest.param("None", "raises_value_error_when_text_is_none", id="none"),
        pytest.param("-4", "raises_value_error_for_negative_text", id="negative"),
        pytest.param("True", "raises_value_error_when_text_is_true", id="true"),
        pytest.param("float('inf')", "raises_value_error_for_infinite_text", id="infinite"),
        pytest.param("[]", "raises_value_error_for_empty_text", id="empty list"),
    ],
)
def test_a_telling_input_is_named(given: str, name: str) -> None:
    case = of_function("slugify", arguments(given), *raised("ValueError"), parameters=("text",))

    assert named(case) == [f"slugify_{name}"]


def test_a_value_of_another_type_than_usual_is_named_for_its_type() -> None:
    usual = [of_function("f", arguments(repr(text)), returned(text), parameters=("text",)) for text in ("a", "b", "c")]

    names = named(
        *usual,
        of_function("f", arguments("[]"), *raised("TypeError"), parameters=("text",)),
        of_function("f", arguments("5"), *raised("ValueError"), parameters=("text",)),
        of_function("f", arguments("True"), *raised("KeyError"), parameters=("text",)),
    )

    assert names[1:] == [
        "f_raises_type_error_for_empty_list_as_text",
        "f_raises_value_error_when_text_is_a_number",
        "f_raises_key_error_when_text_is_true",
    ]


def test_the_branch_that_only_this_case_takes_names_it() -> None:
    case = of_function(
        "slugify",
        arguments("3"),
        *raised("TypeError"),
        parameters=("text", "sep"),
        condition="isinstance(text, str)",
        proves=("L12 false",),
    )

    assert named(case) == ["slugify_raises_type_error_when_text_is_not_a_string"]


def test_what_differs_from_the_other_cases_tells_a_case_apart() -> None:
    parameters = ("text", "strict")
    names = named(
        of_function("f", arguments("'a'"), result("1.5", Relation.CLOSE), parameters=parameters),
        of_function("f", arguments("'a'", strict="True"), result("2.5", Relation.CLOSE), parameters=parameters),
    )

    assert names == ["f_returns_1_5_with_default_strict", "f_returns_2_5_when_strict"]


def test_methods_carry_their_class_and_constructors_are_their_class() -> None:
    built = ChosenCase(
        Case("Basket", Call("_under_test.Basket", arguments("'ann'"))),
        (result("'ann'", path="{}.owner"), result("3", path="{}.limit")),
        unit_kind="constructor",
    )

    assert named(
        built,
        of_basket("add", arguments("'x'"), Check("subject", "{}.items", EQUAL, "['x']")),
        of_basket("__len__", (), returned(0)),
        of_basket("is_empty", (), returned(True), use=Use.GET, kind="property"),
    ) == [
        "basket_sets_owner_and_limit",
        "basket_add_updates_items",
        "basket_len_returns_zero",
        "basket_is_empty_is_true",
    ]


def test_objects_made_by_different_classes_tell_cases_apart() -> None:
    def made_by(maker: str) -> ChosenCase:
        case = Case("Base.read", Call("subject.read", ()), Use.CALL, Call(f"_under_test.{maker}", ()))
        return ChosenCase(case, raised("ValueError"), unit_kind="method")

    suite = composed(made_by("Paper"), made_by("Stone"))

    assert suite.tests == ("test_base_read_raises_value_error_for_paper", "test_base_read_raises_value_error_for_stone")
    assert "paper = _under_test.Paper()" in suite.text


def test_a_table_is_named_for_what_varies() -> None:
    cases = [of_function("slugify", arguments(repr(text)), returned(text), parameters=("text",)) for text in ("", "a")]

    assert named(*cases) == ["slugify_by_text"]


def test_a_table_of_errors_says_what_is_wrong() -> None:
    cases = [of_function("f", arguments(text), *raised("KeyError"), parameters=("key",)) for text in ("'a'", "'b'")]

    assert named(*cases) == ["f_raises_key_error_for_invalid_key"]


def test_two_tables_that_vary_the_same_input_are_told_apart_by_what_is_fixed() -> None:
    def case(text: str, **more: str) -> ChosenCase:
        return of_function("f", arguments(repr(text), **more), returned(text), parameters=("text", "strict"))

    names = named(case("a"), case("b"), case("a", strict="True"), case("b", strict="True"))

    assert names == ["f_by_text", "f_by_text_when_strict"]


def test_names_are_unique_short_and_never_a_number_alone() -> None:
    unit = "a_function_with_quite_a_long_name_that_leaves_little_room"
    cases = [
        of_function(unit, arguments("_under_test.make()", str(number)), result("1.5", Relation.CLOSE), returned(number))
        for number in range(5)
    ] + [of_function("f", arguments(f"_under_test.make({n})"), *raised("KeyError")) for n in range(12)]

    names = composed(*cases).tests

    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= LONGEST_NAME
    assert not [name for name in names if re.fullmatch(r"test_(case_)?\d+", name)]


def test_rows_that_cannot_be_read_from_their_values_have_an_id() -> None:
    def case(text: str) -> ChosenCase:
        return of_function("f", arguments(repr(text)), returned(text), parameters=("text",))

    long_text = "once upon a time there was a text too long for an id"
    cases = [case(""), case("hello"), case("a\nb"), case("é"), case(long_text)]

    assert ids_of(*cases) == [
        "empty text",
        "text beyond ascii",
        "text of several lines",
        "once upon a time there was a...",
    ]
    assert '        ("hello", "hello"),\n' in composed(*cases).text


def test_rows_are_in_a_sensible_order() -> None:
    def case(value: object) -> ChosenCase:
        return of_function("f", arguments(repr(value)), result(f"[{value!r}]"), parameters=("n",))

    text = composed(case(10), case("x"), case(-1), case(None), case(2)).text

    assert re.findall(r"^        \((.*?),", text, re.MULTILINE) == ["None", "-1", "2", "10", '"x"']


def test_a_column_of_plain_values_stands_on_one_line() -> None:
    cases = [
        of_function("f", arguments(repr(value)), returned(None), parameters=("strict",)) for value in (True, False)
    ]

    assert '@pytest.mark.parametrize("strict", [False, True])\ndef test_f_returns_none_for_each_strict(strict):' in (
        composed(*cases).text
    )


def test_an_object_in_a_row_is_told_by_how_it_is_made() -> None:
    def case(number: int) -> ChosenCase:
        value = f"fractions.Fraction({number}, 3)"
        return of_function("f", arguments(value), returned(number), parameters=("share",), imports=("fractions",))

    assert ids_of(case(1), case(2)) == ["Fraction(1, 3)", "Fraction(2, 3)"]


@pytest.mark.parametrize(
    ("given", "check", "name"),
    [
        pytest.param("'Some Text'", returned("Some Text"), "returns_text_unchanged", id="the same"),
        pytest.param("'Some Text'", returned("some text"), "lowercases_text", id="in small letters"),
        pytest.param("'a_'", returned("A_"), "returns_text_for_empty_sep", id="too little to tell by"),
        pytest.param("'abc'", returned(1.5), "returns_1_5", id="a fraction"),
        pytest.param("'abc'", result("[1, 2]", path="list({})"), "yields_2_items", id="an iterator"),
        pytest.param("'abc'", result("[]", path="list({})"), "yields_nothing", id="an iterator that is empty"),
    ],
)
def test_what_became_of_an_input_is_said_where_the_values_show_it(given: str, check: Check, name: str) -> None:
    assert named(of_function("f", arguments(given, "''"), check, parameters=("text", "sep")))[0].startswith(f"f_{name}")


def test_a_class_of_errors_that_says_nothing_alone_is_named_with_its_module() -> None:
    case = of_function("f", arguments("'a'"), *raised("binascii.Error"), parameters=("text",), imports=("binascii",))

    assert named(case) == ["f_raises_binascii_error_for_text_a"]
    assert "with pytest.raises(binascii.Error):" in composed(case).text


def test_the_input_that_the_message_speaks_of_names_the_test() -> None:
    error = raised("ValueError", "width must not be 7")
    case = of_function("f", arguments("None", "7"), *error, parameters=("text", "width"))

    assert named(case) == ["f_raises_value_error_when_width_is_7"]


def test_the_text_of_an_object_is_not_called_a_text() -> None:
    assert named(of_basket("__repr__", (), returned("Basket('ann')"))) == ["basket_repr_shows_its_values"]


def test_rows_with_the_same_words_are_told_apart() -> None:
    def case(day: str, expected: object) -> ChosenCase:
        return of_function("f", arguments(f"datetime.date({day})"), returned(expected), parameters=("day",))

    assert ids_of(case("2024, 1, 5", 1), case("2024, 1, 6", 2)) == ["day 2024-01-05", "day 2024-01-06"]
