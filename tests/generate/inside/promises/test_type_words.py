"""Types in words are understood or refused, never guessed."""

from typing import Any, Optional

import pytest

from testwright.generate.inside.promises.type_words import UNKNOWN, type_in_words


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("str", str),
        ("a string", str),
        ("int, optional", int),
        ("bool, defaults to False", bool),
        ("list of str", list[str]),
        ("tuple of ints", tuple[int, ...]),
        ("List[int]", list[int]),
        ("Dict[str, int]", dict[str, int]),
        ("Optional[str]", Optional[str]),  # noqa: UP045 - what the words say
        ("str or None", Optional[str]),  # noqa: UP045 - the same
        ("int | None", Optional[int]),  # noqa: UP045 - the same
        (":class:`str`", str),
        ("``dict``", dict),
        ("list of widgets", list),
    ],
)
def test_plain_types_are_understood(words: str, kind: Any) -> None:
    assert type_in_words(words) == kind


@pytest.mark.parametrize(
    "words", ["", "Widget", "iterable of str", "file-like", "str-ish thing", "path to a file", "Foo or str"]
)
def test_what_is_not_certain_is_unknown(words: str) -> None:
    assert type_in_words(words) is UNKNOWN
