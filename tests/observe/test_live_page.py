"""Pages of a running browser, as values."""

import json
import runpy
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import DomQueryFailed
from testwright.observe import live_page
from testwright.observe.inside import page_walk
from testwright.observe.live_page import page_from_walk, snapshot_from_walk, snapshot_page, walked_page

pytestmark = pytest.mark.needs_chromium


@pytest.fixture
def stuck(browser: Browser) -> Page:
    """A page whose script never lets go. Its context is closed with the browser."""
    page = browser.new_context().new_page()
    page.set_content("<h1>Stuck</h1>")
    page.evaluate("() => { setTimeout(() => { for (;;) {} }, 0) }")
    return page


def only(page: DomSnapshot, tag: str) -> Element:
    (found,) = [element for element in page.elements if element.tag == tag]
    return found


def test_elements_come_in_document_order_with_their_texts_in_place(page: Page) -> None:
    page.set_content("<title>Shop</title><p>One <b>two</b> three<i>four</i></p><p><em>a</em> <em>b</em></p>")

    snapshot = snapshot_page(page)

    assert [element.number for element in snapshot.elements] == list(range(len(snapshot.elements)))
    assert [e.tag for e in snapshot.elements] == ["html", "head", "title", "body", "p", "b", "i", "p", "em", "em"]
    assert [e.text for e in snapshot.elements if e.tag == "p"] == ["One two threefour", "a b"]
    assert [e.own_text for e in snapshot.elements if e.tag == "p"] == ["One three", ""]
    assert (snapshot.title, snapshot.viewport, snapshot.is_loaded, snapshot.has_boxes) == (
        "Shop",
        (1280, 720),
        True,
        True,
    )


def test_what_is_hidden_is_known_and_adds_no_text_to_what_is_around_it(page: Page) -> None:
    page.set_content(
        "<div>Seen<span hidden>hidden</span><b style='visibility:hidden'>gone</b></div><i style='display:none'>menu</i>"
    )

    snapshot = snapshot_page(page)

    assert only(snapshot, "div").text == "Seen"
    assert (only(snapshot, "i").visible, only(snapshot, "i").text) == (False, "menu")
    assert not only(snapshot, "span").visible
    assert not only(snapshot, "b").visible


def test_boxes_are_where_the_page_is_and_not_the_window(page: Page) -> None:
    page.set_content("<body style='margin:0'><div style='height:3000px'></div><button style='height:20px'>Low</button>")
    page.evaluate("window.scrollTo(0, 2000)")

    box = only(snapshot_page(page), "button").box

    assert box is not None
    assert (box.x, box.y, box.height) == (0, 3000, 20)


def test_frames_hang_below_their_iframes_and_their_boxes_are_moved_there(page: Page) -> None:
    inner = "<body style='margin:0'><button>Inner</button><iframe srcdoc='<i>Deep</i>'></iframe>"
    page.set_content(f'<body style="margin:0"><iframe srcdoc="{inner}"></iframe><p>After</p>')
    page.frame_locator("iframe").frame_locator("iframe").locator("i").wait_for()

    snapshot = snapshot_page(page)
    button, outer = only(snapshot, "button"), next(e for e in snapshot.elements if e.tag == "iframe")

    assert [frame.element for frame in snapshot.frames] == [
        None,
        *(e.number for e in snapshot.elements if e.tag == "iframe"),
    ]
    assert (button.frame, only(snapshot, "i").frame, only(snapshot, "p").frame) == (1, 2, 0)
    assert outer.number in snapshot.ancestors(button.number)
    assert outer.box is not None
    assert button.box is not None
    assert (button.box.x, button.box.y) == (outer.box.x + 2, outer.box.y + 2)
    assert outer.text == ""


def test_open_shadow_roots_are_part_of_the_page_and_slots_show_what_was_put_into_them(page: Page) -> None:
    page.set_content("<x-card><b slot='head'>Title</b>rest</x-card>")
    page.evaluate(
        "() => { document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML ="
        " 'in <slot name=head></slot>: <slot></slot>' }"
    )

    snapshot = snapshot_page(page)

    assert only(snapshot, "x-card").text == "in Title: rest"
    assert [e.in_shadow for e in snapshot.elements if e.tag == "slot"] == [True, True]
    assert not only(snapshot, "b").in_shadow


def test_what_people_typed_is_never_taken(page: Page) -> None:
    page.set_content(
        "<meta name=csrf content=hush-0><input value='hush-1'><input type=password value='hush-2'><input type=hidden"
        " value='hush-3'><textarea>hush-4</textarea><input type=submit value='Send'><input type=radio value='blue'>"
    )
    page.fill("input >> nth=0", "hush-5")
    page.fill("textarea", "hush-6")

    records = page_walk.walk_page(page, seconds=10)

    assert "hush" not in json.dumps(records)
    snapshot = snapshot_from_walk(records)
    assert [e.get("value") for e in snapshot.elements if e.get("value")] == ["Send", "blue"]


def test_elements_can_be_pointed_out_in_any_frame(page: Page) -> None:
    page.set_content("<p>a</p><p>b</p><iframe srcdoc='<u>in</u>'></iframe>")
    page.frame_locator("iframe").locator("u").wait_for()
    handles = [page.query_selector_all("p")[1], page.frames[1].query_selector("u")]

    walked = walked_page(page, [handle for handle in handles if handle is not None])

    assert [walked.page.elements[number].text for number in walked.targets] == ["b", "in"]


def test_fields_are_disabled_with_their_fieldset(page: Page) -> None:
    page.set_content(
        "<fieldset disabled><legend><input id=switch></legend><input id=off></fieldset><button disabled>x</button>"
        "<div aria-disabled=true id=aria>y</div><input id=on>"
    )

    enabled = {e.get("id") or e.tag: e.enabled for e in snapshot_page(page).elements}

    assert (enabled["switch"], enabled["off"], enabled["button"], enabled["aria"], enabled["on"]) == (
        True,
        False,
        False,
        False,
        True,
    )


def test_a_strict_content_policy_is_no_obstacle(page: Page) -> None:
    headers = {"content-security-policy": "default-src 'none'", "content-type": "text/html"}
    page.route("http://strict.test/", lambda route: route.fulfill(body="<h1>Strict</h1>", headers=headers))
    page.goto("http://strict.test/")

    assert only(snapshot_page(page), "h1").text == "Strict"


def test_a_page_that_does_not_answer_is_given_up(stuck: Page) -> None:
    assert page_walk.walk_page(stuck, seconds=0.3) == []
    with pytest.raises(DomQueryFailed):
        snapshot_page(stuck, seconds=0.3)


def test_a_page_with_too_much_in_it_counts_as_not_loaded(page: Page) -> None:
    page.set_content("<p>x</p>")
    page.evaluate("() => { document.body.innerHTML = '<b></b>'.repeat(50001) }")

    snapshot = snapshot_page(page, seconds=60)

    assert len(snapshot.elements) == 50_000
    assert not snapshot.is_loaded


def test_the_walk_needs_nothing_of_testwright_where_it_runs(page: Page) -> None:
    page.set_content("<h1>Alone</h1>")
    alone = runpy.run_path(str(Path(live_page.__file__).parent / "inside" / "page_walk.py"))

    assert "testwright" not in Path(page_walk.__file__).read_text(encoding="utf-8").replace("Testwright", "")
    assert only(snapshot_from_walk(alone["walk_page"](page, seconds=10)), "h1").text == "Alone"
    assert alone["is_loaded"](page)


@pytest.mark.parametrize(
    "records",
    [
        [],
        [{}],
        [{"walk": "{}"}],
        [{"walk": "no json"}],
        [{"walk": json.dumps({"version": 2})}],
        [{"walk": json.dumps({"version": 1, "nodes": [[5, "p", 1, {}, [0, 0, 0, 0]]], "targets": [], "url": ""})}],
    ],
)
def test_a_recording_that_makes_no_sense_is_a_clear_error(records: list[dict[str, str]]) -> None:
    with pytest.raises(DomQueryFailed, match="cannot be read"):
        page_from_walk(records)
