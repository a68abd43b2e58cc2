"""Shapes keep what stays the same from day to day, and nothing else."""

import pytest

from testwright.model.dom import DomSnapshot, Element
from testwright.model.session_baseline import MOST_FIELDS, ElementShape, JsonField, element_shapes, path_shape, shape_of


def told(*documents: object) -> dict[str, str]:
    return {
        field.path: "|".join(field.types) + ("?" if field.optional else "") for field in shape_of(*documents).fields
    }


def test_a_shape_has_each_key_with_its_type() -> None:
    assert told({"user": {"name": "Ann", "age": 3, "admin": False}, "cart": None}) == {
        "$": "object",
        "$.user": "object",
        "$.user.name": "string",
        "$.user.age": "number",
        "$.user.admin": "boolean",
        "$.cart": "null",
    }


def test_the_members_of_an_array_have_one_shape_together() -> None:
    assert told([{"id": 1, "tag": "a"}, {"id": "x"}]) == {
        "$": "array",
        "$[]": "object",
        "$[].id": "number|string",
        "$[].tag": "string?",
    }


def test_several_answers_make_one_shape_and_what_only_some_have_is_optional() -> None:
    assert told({"a": 1}, {"a": None, "b": []}) == {
        "$": "object",
        "$.a": "null|number",
        "$.b": "array?",
    }


def test_keys_that_are_ids_are_one_key() -> None:
    assert told({"by_id": {"17": {"n": 1}, "4711": {"n": 2, "m": 3}}}) == {
        "$": "object",
        "$.by_id": "object",
        "$.by_id.*": "object",
        "$.by_id.*.n": "number",
        "$.by_id.*.m": "number?",
    }


def test_keys_that_are_no_words_are_quoted() -> None:
    assert told({"a.b": {"c d": 1}}) == {"$": "object", '$["a.b"]': "object", '$["a.b"]["c d"]': "number"}


def test_each_field_knows_what_it_is_in() -> None:
    assert shape_of({"a": [{"b": 1}]}).fields[-1] == JsonField("$.a[].b", ("number",), parent="$.a[]")


def test_a_document_of_any_size_and_depth_has_a_shape_of_limited_size() -> None:
    deep: object = 1
    for _ in range(500):
        deep = {"a": deep}
    wide = {f"key_{chr(97 + n % 26)}{n}": n for n in range(5_000)}

    assert len(shape_of(deep).fields) < 20
    assert len(shape_of(wide).fields) == MOST_FIELDS
    assert not shape_of(wide).is_whole


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://shop.test", "/"),
        ("http://shop.test/users/17/edit?x=1", "/users/{id}/edit"),
        ("http://shop.test/o/0f8fad5b-d9cb-469f-a165-70867728950e", "/o/{id}"),
        ("http://shop.test/o/5f3a9c0b12de", "/o/{id}"),
        ("http://shop.test/reset/[REDACTED]", "/reset/{id}"),
        ("http://shop.test/api/v2/checkout-confirmation", "/api/v2/checkout-confirmation"),
        ("http://shop.test/#/cart/12", "/#/cart/{id}"),
        ("http://shop.test/#top", "/"),
        ("http://pay.test/start", "http://pay.test/start"),
    ],
)
def test_a_path_stands_for_all_addresses_that_differ_in_ids_alone(url: str, shape: str) -> None:
    assert path_shape(url, "http://shop.test") == shape


def test_a_page_is_its_landmarks_headings_and_controls_without_numbers_and_data() -> None:
    page = DomSnapshot(
        (
            Element(0, None, "html", role="document"),
            Element(1, 0, "nav", role="navigation"),
            Element(2, 1, "ul", role="list"),
            Element(3, 2, "li", role="listitem"),
            Element(4, 3, "a", role="link", name="Cart (3)"),
            Element(5, 0, "main", role="main"),
            Element(6, 5, "h1", role="heading", name="Order 4711 of 2026-01-02"),
            Element(7, 5, "tr", role="row"),
            Element(8, 7, "a", role="link", name="Blue shoes"),
            Element(9, 7, "a", role="link", name="Red shoes"),
            Element(10, 5, "p", role="paragraph", name="Hello"),
            Element(11, 5, "button", role="button", name="Pay", visible=False),
            Element(12, 5, "button", role="button", name="Save"),
        )
    )

    assert element_shapes(page) == (
        ElementShape("navigation"),
        ElementShape("link", "Cart (#)"),
        ElementShape("main"),
        ElementShape("heading", "Order # of #"),
        ElementShape("link"),
        ElementShape("button", "Save"),
    )
