"""Saved pages."""

import pytest

from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import TooLarge
from testwright.observe.html_page import MOST_BYTES, snapshot_html


def only(page: DomSnapshot, tag: str) -> Element:
    (found,) = [element for element in page.elements if element.tag == tag]
    return found


def test_a_page_has_its_title_address_and_elements_but_no_boxes() -> None:
    page = snapshot_html(b"<title>Shop</title><h1 id=top>Hello <b>you</b></h1>", "http://shop.test/")

    assert (page.title, page.url, page.has_boxes, page.is_loaded) == ("Shop", "http://shop.test/", False, True)
    assert (only(page, "h1").text, only(page, "h1").role, only(page, "h1").name) == (
        "Hello you",
        "heading",
        "Hello you",
    )
    assert only(page, "h1").box is None
    assert only(page, "h1").get("id") == "top"


@pytest.mark.parametrize(
    "html",
    [
        "<u hidden>x</u>",
        "<u style='display: none'>x</u>",
        "<u style='color:red; VISIBILITY:hidden'>x</u>",
        "<div hidden><p><u>x</u></p></div>",
        "<details><summary>s</summary><u>x</u></details>",
        "<dialog><u>x</u></dialog>",
    ],
)
def test_what_attributes_hide_is_hidden(html: str) -> None:
    assert not only(snapshot_html(html), "u").visible


def test_declared_shadow_roots_are_shadow_roots() -> None:
    page = snapshot_html(
        "<x-a><template shadowrootmode=open><button>In <slot></slot></button></template>light</x-a>"
        "<template><s>no</s></template>"
    )

    assert only(page, "button").in_shadow
    assert only(page, "button").name == "In light"
    assert not any(element.tag == "s" for element in page.elements)


def test_frames_with_their_page_in_an_attribute_are_read() -> None:
    page = snapshot_html("<iframe srcdoc='<button>Go</button>'></iframe><p>x</p>")

    assert (only(page, "button").frame, only(page, "p").frame) == (1, 0)
    assert page.frames[1].element == only(page, "iframe").number


def test_what_fields_hold_is_not_kept() -> None:
    page = snapshot_html("<input value=hush><input type=password value=hush><textarea>hush</textarea>")

    assert "hush" not in repr(page)


def test_too_large_a_page_is_refused() -> None:
    with pytest.raises(TooLarge, match="bytes"):
        snapshot_html(b"x" * (MOST_BYTES + 1))


@pytest.mark.parametrize("html", ["<div>" * 200_000, "".join(f"<b a{n}>" for n in range(3_000)) + "<p>x" * 20_000])
def test_a_page_that_would_take_minutes_to_parse_is_refused(html: str) -> None:
    with pytest.raises(TooLarge, match="nested too deeply"):
        snapshot_html(html)


@pytest.mark.parametrize("html", ["<p>x</p>" * 300_000, "<div>" * 5_000 + "deep", "<ul><li>" * 5_000])
def test_a_page_with_too_many_elements_is_read_in_part_and_counts_as_not_loaded(html: str) -> None:
    page = snapshot_html(html)

    assert len(page.elements) <= 50_000
    assert not page.is_loaded


@pytest.mark.parametrize("html", [b"", b"\xff\xfe\x00", b"<", b"<p", "\ud800", b"<!-- open", "<p>\0</p>"])
def test_any_text_is_some_page(html: bytes | str) -> None:
    assert snapshot_html(html).elements
