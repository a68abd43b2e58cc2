"""A chosen selector finds its element and nothing else, in a real browser, and is what a person would have written."""

import pytest
from playwright.sync_api import Page

from tests.selectors.pages import SHOP, found_by_browser, marked
from tests.selectors.test_selector_matcher import widgets
from testwright.model.dom import DomSnapshot
from testwright.observe.html_page import snapshot_html
from testwright.observe.live_page import snapshot_page
from testwright.selectors.selector_choice import choose_selector
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical, internal


@pytest.fixture(scope="module")
def shop(tab: Page) -> DomSnapshot:
    marked(tab, SHOP)
    return snapshot_page(tab)


@pytest.mark.parametrize("string_only", [False, True])
def test_every_chosen_selector_finds_just_its_element_in_the_browser(
    tab: Page, shop: DomSnapshot, string_only: bool
) -> None:
    chosen = 0
    for element in shop.elements:
        new = choose_selector(shop, element.number, like=parse_selector("getByText('x')"), string_only=string_only)
        if new is not None:
            chosen += 1
            assert found_by_browser(tab, internal(new)) == [element.get("data-at")], new.text
    assert chosen > len(shop.elements) / 2


def chosen(
    html: str, old: str, *, string_only: bool | None = None, test_ids: tuple[str, ...] = ("data-testid",)
) -> str:
    """The text of the selector that is chosen for the element marked with `data-it`."""
    page = snapshot_html(html)
    number = next(element.number for element in page.elements if "data-it" in element.attributes)
    new = choose_selector(page, number, like=parse_selector(old), test_id_attributes=test_ids, string_only=string_only)
    return "" if new is None else new.text


TWO_BUTTONS = '<button data-it id="{id}" data-testid="{test_id}" title="Money">{text}</button><button>Other</button>'


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (TWO_BUTTONS.format(id="pay", test_id="pay-now", text="Pay"), "getByTestId('pay-now')"),
        (TWO_BUTTONS.format(id="pay", test_id="", text="Pay"), "getByRole('button', { name: 'Pay' })"),
        (TWO_BUTTONS.format(id="pay", test_id="x-8f3a9c21", text="Pay"), "getByRole('button', { name: 'Pay' })"),
        (TWO_BUTTONS.format(id="pay", test_id="", text="Pay $12"), "getByTitle('Money')"),
        ('<button data-it id="pay">Pay 12</button><button>No</button>', "locator('#pay')"),
        ('<button data-it id=":r1:">Pay 12</button><button>No</button>', "getByRole('button', { name: 'Pay 12' })"),
        (
            "<button data-it>Pay</button><button>Pay later</button>",
            "getByRole('button', { name: 'Pay', exact: true })",
        ),
        ('<input data-it placeholder="Search" type="hidden"><p>x</p>', "getByPlaceholder('Search')"),
        ("<p data-it>Thanks</p><p>Bye</p>", "getByText('Thanks')"),
        ('<i data-it class="css-1x2y3z wide"></i><i></i>', "locator('i.wide')"),
        ('<i data-it class="css-1x2y3z"></i><i></i>', ""),
    ],
)
def test_what_says_most_to_a_person_is_preferred(html: str, written: str) -> None:
    assert chosen(html, "getByText('old')") == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (TWO_BUTTONS.format(id="pay", test_id="pay-now", text="Pay"), '[data-testid="pay-now"]'),
        (TWO_BUTTONS.format(id="pay", test_id="", text="Pay"), 'role=button[name="Pay"i]'),
        (TWO_BUTTONS.format(id="pay", test_id="", text="Pay 12"), "#pay"),
        ("<p data-it>Thanks</p><p>Bye</p>", 'p:has-text("Thanks")'),
        (
            "<table><tr><td>Hat<td><button data-it>Go</button></tr><tr><td>Cap<td><button>Go</button></tr></table>",
            'tr:has-text("Hat") >> role=button[name="Go"i]',
        ),
    ],
)
def test_a_plain_string_is_replaced_by_a_plain_string(html: str, written: str) -> None:
    assert chosen(html, ".old") == written
    assert chosen(html, "page.locator('.old')", string_only=True) == written


def test_the_language_of_the_old_selector_is_kept() -> None:
    html = TWO_BUTTONS.format(id="", test_id="", text="Pay")
    assert chosen(html, 'get_by_text("old")') == 'get_by_role("button", name="Pay")'
    assert chosen(html, 'internal:text="old"i') == 'internal:role=button[name="Pay"i]'


def test_outer_parts_that_still_hold_are_kept() -> None:
    html = '<div id="cart"><button data-it>Pay</button></div><div id="more"><button>Pay</button></div>'
    assert (
        chosen(html, "page.locator('#cart').getByText('Buy')")
        == "locator('#cart').getByRole('button', { name: 'Pay' })"
    )
    row = "page.getByRole('row').filter({ hasText: 'Hat' }).locator('.old').first()"
    table = "<table><tr><td>Hat<td><button data-it>Go</button></tr><tr><td>Cap<td><button>Go</button></tr></table>"
    assert chosen(table, row) == "getByRole('row').filter({ hasText: 'Hat' }).getByRole('button', { name: 'Go' })"


def test_outer_parts_that_are_gone_are_replaced() -> None:
    html = '<footer><a data-it href="/h">Home</a></footer><nav><a href="/h">Home</a></nav>'
    written = chosen(html, "page.locator('#old').getByText('Home')")
    assert written == "getByRole('contentinfo').getByRole('link', { name: 'Home' })"


def test_a_frame_is_entered_by_what_tells_it_from_others() -> None:
    html = """<iframe title="Ads" srcdoc="<button>Pay</button>"></iframe>
    <iframe title="Payment" srcdoc="<button data-it>Pay</button>"></iframe>"""
    frame = """frameLocator('iframe[title="Payment"]')"""
    assert chosen(html, "getByText('old')") == f"{frame}.getByRole('button', {{ name: 'Pay' }})"
    assert chosen(html, "page.frameLocator('iframe >> nth=1').getByText('old')").startswith("locator('iframe').nth(1)")
    assert chosen(html, "#old") == ""


def test_the_projects_test_id_attribute_is_used() -> None:
    html = '<button data-it data-qa="pay">Pay</button><button>Other</button>'
    assert chosen(html, "getByText('old')", test_ids=("data-qa",)) == "getByTestId('pay')"
    assert chosen(html, "#old", test_ids=("data-qa",)) == '[data-qa="pay"]'


def test_twins_that_nothing_tells_apart_get_no_selector() -> None:
    assert chosen('<div><a data-it href="#">More</a></div><div><a href="#">More</a></div>', "getByText('old')") == ""


def test_hostile_words_of_a_page_stay_words() -> None:
    html = "<button data-it>\"]); x('`${n}</button><button>Other</button>"
    for old in ("getByText('old')", ".old"):
        new = chosen(html, old)
        assert canonical(parse_selector(new))
        assert "x(" in new


def test_widgets_are_found_by_key_then_by_what_they_say() -> None:
    page = widgets()
    like = parse_selector("find.byKey(const Key('old'))")
    written = [(element.tag, choose_selector(page, element.number, like=like)) for element in page.elements]
    assert [(tag, new.text if new else None) for tag, new in written] == [
        ("Column", "find.byType(Column)"),
        ("Tooltip", "find.byTooltip('Pay now')"),
        ("ElevatedButton", "find.byKey(const Key('pay'))"),
        ("Text", "find.text('Pay')"),
        ("ElevatedButton", "find.widgetWithText(ElevatedButton, 'Cancel')"),
        ("Text", "find.text('Cancel')"),
    ]
