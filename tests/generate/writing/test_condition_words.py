"""Conditions of branches can be read in the names of tests."""

import pytest

from testwright.generate.writing.condition_words import condition_words

KNOWN = ("text", "n", "key", "table", "low", "high", "func")


@pytest.mark.parametrize(
    ("condition", "when_true", "when_false"),
    [
        ("isinstance(text, str)", "text_is_a_string", "text_is_not_a_string"),
        ("not isinstance(text, (int, float))", "text_is_not_a_number", "text_is_a_number"),
        ("text is None", "text_is_none", "text_is_not_none"),
        ("n < 0", "n_is_negative", "n_is_not_negative"),
        ("n > 10", "n_is_above_10", "n_is_at_most_10"),
        ("n == -2", "n_is_minus_2", "n_is_not_minus_2"),
        ("low > high", "low_is_above_high", "low_is_at_most_high"),
        ("text == ''", "text_is_empty", "text_is_not_empty"),
        ("text == 'Hello World'", "text_is_hello_world", "text_is_not_hello_world"),
        ("key in table", "key_is_in_table", "key_is_not_in_table"),
        ("len(text) == 0", "text_is_empty", "text_is_not_empty"),
        ("len(text) > 3", "length_of_text_is_above_3", "length_of_text_is_at_most_3"),
        ("text.startswith('http')", "text_starts_with_http", "text_does_not_start_with_http"),
        ("text.isdigit()", "text_is_only_digits", "text_is_not_only_digits"),
        ("callable(func)", "func_is_callable", "func_is_not_callable"),
        ("hasattr(func, 'name')", "func_has_name", "func_has_no_name"),
        ("self.closed", "closed", "not_closed"),
        ("self._items", "there_are_items", "there_are_no_items"),
        ("n > 0 and text is None", "n_is_positive_and_text_is_none", ""),
        ("n > 0 or text is None", "", "n_is_not_positive_and_text_is_not_none"),
    ],
)
def test_a_condition_is_said_for_both_of_its_answers(condition: str, when_true: str, when_false: str) -> None:
    assert condition_words(condition, holds=True, known=KNOWN) == when_true
    assert condition_words(condition, holds=False, known=KNOWN) == when_false


@pytest.mark.parametrize(
    "condition",
    ["", "match", "text", "i < len(parts)", "local is None", "a < n < b", "f(text)", "1 +", "text in 'abc'", "n < 1.5"],
)
def test_what_is_not_about_the_parameters_or_too_deep_is_left_unsaid(condition: str) -> None:
    assert condition_words(condition, holds=True, known=KNOWN) == ""
