"""Pages survive being kept, whatever is on them; what was typed into password fields does not."""

import zlib
from dataclasses import MISSING, fields, replace

import pytest

from testwright.model.dom import Box, DomSnapshot, Element, Frame
from testwright.store.page_bytes import decoded, encoded

FULL = Element(
    0, None, "button", {"id": "pay", "data-x": "é \U0001f600"}, own_text="Pay", text="Pay now", role="button",
    name="Pay now", label="Payment", box=Box(1.5, 2.0, 30.25, 4.0), visible=False, enabled=False, frame=1,
    in_shadow=True, exposed=False,
)  # fmt: skip
PAGE = DomSnapshot(
    (FULL, Element(1, 0, "span")),
    url="https://shop.example/pay?x=1",
    title="Pay",
    viewport=(1280, 720),
    frames=(Frame("https://shop.example/pay"), Frame("https://bank.example/", 0)),
    is_loaded=False,
    has_boxes=False,
)


def test_the_sample_has_no_field_at_its_default_so_that_none_can_be_forgotten() -> None:
    unset = [
        field.name
        for field in fields(Element)
        if getattr(FULL, field.name) == (field.default if field.default is not MISSING else {})
    ]

    assert unset == []


def test_a_page_comes_back_as_it_was() -> None:
    assert decoded(encoded(PAGE)) == PAGE


def test_what_was_worked_out_on_a_page_is_not_kept_with_it() -> None:
    fresh = encoded(PAGE)
    assert PAGE.children
    assert PAGE.paths

    assert encoded(PAGE) == fresh


def test_the_same_page_gives_the_same_bytes() -> None:
    assert encoded(PAGE) == encoded(replace(PAGE))


@pytest.mark.parametrize("kind", ["password", "PASSWORD"])
def test_the_value_of_a_password_field_is_not_kept(kind: str) -> None:
    field = Element(0, None, "input", {"type": kind, "value": "hunter2", "__playwright_value_": "hunter2", "id": "pw"})

    kept = decoded(encoded(DomSnapshot((field,))))

    assert kept is not None
    assert kept.elements[0].attributes == {"type": kind, "id": "pw"}


def test_half_a_surrogate_pair_is_no_reason_to_lose_a_page() -> None:
    odd = Element(0, None, "p", {"title": "half \ud83d"})

    kept = decoded(encoded(DomSnapshot((odd,))))

    assert kept is not None
    assert kept.elements[0].get("title") == "half ?"


@pytest.mark.parametrize("data", [b"", b"no zlib", zlib.compress(b"{}"), zlib.compress(b'{"format":99}')])
def test_bytes_of_another_format_are_no_page(data: bytes) -> None:
    assert decoded(data) is None
