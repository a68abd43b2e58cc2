"""JSON that two readers could take for different things is refused, with the place and the reason."""

import json

import pytest

from testwright.model.strict_json import NotStrictError, read_strict_json, syntax_complaint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
        ('{"\\ud800": 1, "\\udbff": 2}', "stands twice"),  # both become the replacement character
        ("[NaN]", "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
    ],
)
def test_what_python_lets_pass_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotStrictError, match=why):
        read_strict_json(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "the file is empty"), ('{"a": ', "the file ends in the middle of a value"), ("{a}", "not JSON")],
)
def test_a_text_that_is_not_json_is_described(text: str, why: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        read_strict_json(text)
    assert syntax_complaint(caught.value).startswith(why)


def test_half_a_surrogate_pair_in_a_key_is_replaced() -> None:
    assert read_strict_json('{"a\\ud800": [1, null]}') == {"a\ufffd": [1, None]}
