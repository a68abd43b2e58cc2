"""Messages from pages are read with care: only ours count, and only what makes sense."""

import json
from typing import Any

import pytest

from testwright.model.session import ActionType
from testwright.observe.recording.page_messages import Amends, Begins, Document, read_message

TOKEN = "0123"


def said(message: object, *walks: str, token: str = TOKEN) -> Any:
    return read_message("\n".join([token + json.dumps(message), *walks]), TOKEN)


def test_an_action_comes_with_the_page_before_it() -> None:
    told = said({"kind": "action", "doc": "a", "id": 1, "type": "fill", "value": "x", "facts": {"type": "text"}}, "{}")

    assert told == Begins(("a", 1), ActionType.FILL, ("{}",), value="x", facts={"type": "text"})


def test_half_characters_are_replaced() -> None:
    assert said({"kind": "amend", "doc": "a", "id": 1, "value": "a\ud800b"}) == Amends(("a", 1), value="a\ufffdb")


def test_what_a_document_found_is_texts_only() -> None:
    told = said(
        {"kind": "document", "url": "http://a.test/", "local": {"a": "1", "b": 2}, "session": None, "top": True}
    )

    assert isinstance(told, Document)
    assert (told.local, told.session) == ({"a": "1"}, {})


@pytest.mark.parametrize(
    "message",
    [None, 1, [], {}, {"kind": "x"}, {"kind": "action", "doc": "a", "id": "x", "type": "fill"},
     {"kind": "action", "doc": "a", "id": 1, "type": "explode"}, {"kind": "error_hint", "hint": "x"}],
)  # fmt: skip
def test_what_makes_no_sense_is_left_aside(message: object) -> None:
    assert said(message) is None


def test_a_page_cannot_speak_in_our_name() -> None:
    forged = {"kind": "action", "doc": "a", "id": 1, "type": "click"}

    assert said(forged, token="") is None
    assert said(forged, token="9999") is None
    assert read_message(5, TOKEN) is None
    assert read_message(TOKEN + "{", TOKEN) is None
