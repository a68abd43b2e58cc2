"""Types, choices and examples in docstrings."""

from typing import Any

import pytest

from testwright.generate.inside.values.docstring_hints import documented, example_calls, types_in


@pytest.mark.parametrize(
    "docstring",
    [
        "Does.\n\n:param names: the names\n:type names: list of str\n",
        "Does.\n\n:param list[str] names: the names\n",
        "Does.\n\nArgs:\n    names (list of str): the names\n",
        "Does.\n\nParameters\n----------\nnames : list of str\n    The names.\n",
        "Does.\n\n@param names: the names\n@type names: list of str\n",
        "Does.\n\n@param {str[]} names   the names\n",
    ],
)
def test_the_type_is_found_in_every_style(docstring: str) -> None:
    assert documented(docstring).types["names"] == [list[str]]


@pytest.mark.parametrize(
    ("words", "types"),
    [
        ("str or None", [str, None]),
        ("int, optional", [int]),
        ("dict", [dict]),
        ("callable", ["callable"]),
        ("a file-like object", [object]),
        ("Frobnicator", []),
        ("`bool`", [bool]),
        ("tuple of int", [tuple[int, ...]]),
    ],
)
def test_type_words_are_understood(words: str, types: list[Any]) -> None:
    assert types_in(words) == types


def test_quoted_values_are_choices() -> None:
    hints = documented("Does.\n\n:param mode: either 'fast' or \"slow\", or ``42``\n")
    assert hints.choices["mode"] == ["fast", "slow", 42]


def test_example_calls_are_found_after_prompts_and_in_running_text() -> None:
    docstring = """Slugs.

    >>> slug("A b",
    ...      glue="-")
    'a-b'
    For example slug('x y') gives 'x-y'; see also other('z').
    """
    calls = example_calls(docstring, "slug")
    assert [len(call.args) + len(call.keywords) for call in calls] == [2, 1]
