"""Selectors find on a kept page what Playwright finds in a real browser, and nothing else."""

import random

import pytest
from playwright.sync_api import Page

from tests.selectors.pages import SHOP, found_by_browser, marked
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import SelectorNotParseable, SelectorTooCostly, SelectorUnsupported
from testwright.observe.html_page import snapshot_html
from testwright.observe.live_page import snapshot_page
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import internal

SELECTORS = """
#cart
table#cart
.btn
.btn.remove
li.item
[data-testid]
[data-testid=card]
[data-testid="pay-later"]
a[href="javascript:void(0)"]
a[href^="/"]
a[href$="me"]
a[href*="ar"]
[class~="first"]
[lang|="en"]
[lang|="en" i]
[type=SUBMIT]
[name=CARD]
[name=CARD i]
h1, h2
h2, h1
:is(h1, h2)
:where(h3, h2)
li:not(.item)
li:not(:is(.first, .last))
tr:has(button:disabled)
tr:has(td:text("Hat"))
tr:has(> td > button)
:has(> button.remove)
td:has(+ td)
ul li ul li
ul > li > ul
nav li + li
nav li ~ li
nav li:first-child
li:last-child
li:nth-child(2)
li:nth-child(odd)
li:nth-child(2n+1)
tr:nth-last-child(1)
td:nth-of-type(2)
td:nth-last-of-type(1)
nav li:nth-child(1 of .last)
li:only-child
h1:first-of-type
:root
:checked
input:checked
option:checked
:required
:enabled
:disabled
button:not(:disabled)
:link
section.shade
x-card button
x-card .deep
#card1 a
#card1 > section
main .shade > button
.deep
body *
*
\\#weird
#weird\\:id
日本語
:has-text("Save")
li:has-text("save")
li:has-text("Save more")
:text("Save")
li:text("Save")
:text-is("Remove")
:text-is("remove")
:text-is("Home")
:text-matches("^Red", "i")
button:visible
p:visible
:nth-match(button, 3)
:nth-match(li.item, 2)
:nth-match(:text("Buy"), 1)
css=button.primary
text=Save
text="Save"
text='Remove'
text=remove
text=Home
text=/^remove$/i
text=Hidden words
text=Pay now
text=Your cart
text=Buy
"Deep text"
'Deep text'
id=mail
data-testid=card
//li
//li[2]
(//li)[2]
//button[text()='Remove']
//button[contains(., 'Rem')]
//a[@href='/home']
//tr[td[text()='Hat']]//button
//tr[3]/td[1]
//label[normalize-space()='Card number']
//svg
//*[local-name()='svg']
//x-card
//x-card//button
xpath=//h2
xpath=/html/body
//h2/..
//table >> xpath=..
//li/following-sibling::li
//input[@type='checkbox' and @checked]
//button | //a
#cart >> tr
#cart >> button >> nth=1
#cart >> text=Remove
#cart >> //td[2]
#cart >> (//li)[1]
nav >> li >> a
.shade >> button
.shade >> button >> nth=0
button >> nth=0
button >> nth=-1
button >> nth=1
a >> nth=-1
button >> visible=true
p >> visible=false
tr >> internal:has="button"
tr >> internal:has="td >> text=Hat"
tr >> internal:has-not="button:disabled"
tr >> internal:has-text="shoes"i
tr >> internal:has-not-text="shoes"i
tr >> internal:has-text=/Red|Hat/
button >> internal:and="internal:role=button[name=\\"Remove\\"i]"
h1 >> internal:or="h2"
h2 >> internal:or="h1" >> nth=0
#cart >> internal:chain="tr >> td"
*css=tr >> text=Hat
role=button
role=button[name="Remove"]
role=button[name="remove"i]
role=button[name*="Rem"]
role=button[name=/^rem/i]
role=heading[level=2]
role=checkbox[checked]
role=checkbox[checked=false]
role=radio[checked=true]
role=button[disabled]
role=button[pressed]
role=button[expanded=false]
role=tab[selected=true]
role=tab[selected=false]
role=button[include-hidden]
internal:role=button
internal:role=button[name="Pay"i]
internal:role=button[name="Pay now"s]
internal:role=button[name="pay now"s]
internal:role=link[name="home"i]
internal:role=row[name="Hat"i]
internal:role=cell[name="Red shoes"i]
internal:role=textbox[name="E-mail"i]
internal:role=textbox[name="Card number"i]
internal:role=textbox[name="Coupon code"i]
internal:role=combobox[name="Country"i]
internal:role=option[name="Peru"i]
internal:role=img[name="shoe"i]
internal:role=navigation
internal:role=region
internal:role=listitem
internal:role=heading[level=1]
internal:testid=[data-testid="card"s]
internal:testid=[data-testid=/card|pay/]
internal:text="Save"i
internal:text="Save 10"s
internal:text="save 10"s
internal:text=/^Save \\d+$/
internal:text="important"i
internal:text="Home"i
internal:text="Pay now"i
internal:text="It's \\"quoted\\""i
internal:label="E-mail"i
internal:label="card number"i
internal:label="Coupon"s
internal:label="code"i
internal:label="Country"s
internal:label="I agree"i
internal:label="Remove hat"i
internal:label="Main"i
internal:attr=[placeholder="you@"i]
internal:attr=[placeholder="you@example.com"s]
internal:attr=[alt="shoe"i]
internal:attr=[title="cart"i]
internal:attr=[title=/^Note/]
internal:role=table >> internal:role=row >> internal:has-text="Hat"i >> internal:role=button
#frame-one >> internal:control=enter-frame >> button
iframe[title="Payment"] >> internal:control=enter-frame >> internal:role=button[name="Pay now"i]
#frame-one >> internal:control=enter-frame >> [name=nested] >> internal:control=enter-frame >> text=Nested
iframe >> nth=1 >> internal:control=enter-frame >> button
#frame-one >> button
""".strip().splitlines()


@pytest.fixture(scope="module")
def shop(tab: Page) -> DomSnapshot:
    marked(tab, SHOP)
    return snapshot_page(tab)


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_selector_finds_what_playwright_finds(tab: Page, shop: DomSnapshot, selector: str) -> None:
    ours = [shop.elements[number].get("data-at") for number in matching(parse_selector(selector), shop)]
    assert sorted(ours) == sorted(found_by_browser(tab, selector))


CHAINS = """
getByRole('button', { name: 'Remove' })
getByRole('button', { name: 'Remove', exact: true })
getByRole('row').filter({ hasText: 'Hat' }).getByRole('button')
getByRole('row').filter({ has: getByText('Hat'), hasNotText: 'Red' })
getByRole('heading', { level: 2 }).nth(1)
getByTestId('card')
getByLabel('Card number')
getByPlaceholder('you@')
getByAltText('shoe')
getByTitle(/cart/i)
getByText('Save').first()
locator('#cart').getByText('remove').last()
locator('button').and(getByRole('button', { name: 'Buy' }))
locator('h1').or(locator('h2')).first()
locator('#cart').locator(getByRole('cell', { name: 'Hat' }))
frameLocator('#frame-one').getByRole('button')
locator('#frame-one').contentFrame().getByText('Pay now')
locator('button', { hasText: 'Pay' })
getByRole('button').filter({ visible: true })
""".strip().splitlines()


@pytest.mark.parametrize("chain", CHAINS)
def test_a_chain_finds_what_its_internal_form_finds_in_playwright(tab: Page, shop: DomSnapshot, chain: str) -> None:
    selector = parse_selector(chain)
    ours = [shop.elements[number].get("data-at") for number in matching(selector, shop)]
    assert ours
    assert sorted(ours) == sorted(found_by_browser(tab, internal(selector)))


def test_random_selectors_find_what_playwright_finds(tab: Page, shop: DomSnapshot) -> None:
    chance = random.Random(7)
    simple = ["li", "button", ".btn", "tr", "td", "section", "*", "#main", "[name]", "ul", "a", ":visible", "x-card"]
    pseudo = [
        "",
        "",
        ":first-child",
        ":last-child",
        ":nth-child(2)",
        ":not(.btn)",
        ":has(a)",
        ':has-text("a")',
        ":enabled",
    ]
    joins = [" ", " > ", " + ", " ~ ", " >> "]
    for _ in range(150):
        text = chance.choice(simple) + chance.choice(pseudo)
        for _ in range(chance.randrange(3)):
            text += chance.choice(joins) + chance.choice(simple) + chance.choice(pseudo)
        ours = [shop.elements[number].get("data-at") for number in matching(parse_selector(text), shop)]
        assert sorted(ours) == sorted(found_by_browser(tab, text)), text


def test_test_ids_may_have_another_attribute() -> None:
    page = snapshot_html('<button data-qa="pay">Pay</button><button data-testid="pay">No</button>')
    found = matching(parse_selector("getByTestId('pay')"), page, test_id_attributes=("data-qa",))
    assert [page.elements[number].text for number in found] == ["Pay"]


def test_a_selector_in_a_trace_says_which_attribute_it_means() -> None:
    page = snapshot_html('<button data-qa="pay">Pay</button><button data-testid="pay">No</button>')
    found = matching(parse_selector('internal:testid=[data-qa="pay"s]'), page)
    assert [page.elements[number].text for number in found] == ["Pay"]


@pytest.mark.parametrize(
    "selector", ["div[", "a[href=/x]", "#1st", "a > > b", "a,", ".5", 'a"]);fetch("x");//', "a`b`"]
)
def test_css_that_no_browser_takes_is_refused_when_it_is_tried(selector: str) -> None:
    with pytest.raises(SelectorNotParseable):
        matching(parse_selector(selector), snapshot_html("<a href='/x'>a</a>"))


@pytest.mark.parametrize("selector", ["a:hover", "button:focus", ":near(:text('x'))", "getByText(/\\p{L}/u)"])
def test_what_a_kept_page_does_not_know_is_neither_found_nor_missing(selector: str) -> None:
    with pytest.raises(SelectorUnsupported):
        matching(parse_selector(selector), snapshot_html("<a href='/x'>a</a>"))


@pytest.mark.parametrize(
    "selector",
    [
        "//*[//*[//*[//*]]]",
        "//*[count(//*[count(//*) > 1]) > 1]",
        "//*[following::*[preceding::*]]",
        "getByText(/(a+)+$/)",
        "getByText(/(a|a)*b/)",
        "getByText(/.*a.*b.*c.*d.*e/)",
        ":is(" * 80 + "a" + ")" * 80,
    ],
)
def test_a_selector_that_could_take_for_ever_is_refused(selector: str) -> None:
    page = snapshot_html("<div>" + "<p><b>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</b></p>" * 300 + "</div>")
    with pytest.raises(SelectorTooCostly):
        matching(parse_selector(selector), page)


def test_deeply_nested_has_ends_soon_by_count_of_steps() -> None:
    deep = snapshot_html("<a>" + "<i>" * 70 + "x" + "</i>" * 70 + "</a>" + "<p><b>x</b></p>" * 900)
    selector = parse_selector("a" + ":has(*" * 60 + ")" * 60)
    assert [deep.elements[number].tag for number in matching(selector, deep, budget=20_000)] == ["a"]
    with pytest.raises(SelectorTooCostly):
        matching(selector, deep, budget=2_000)


def test_flutter_finders_find_widgets() -> None:
    page = widgets()
    tags = {text: [page.elements[n].tag for n in matching(parse_selector(text), page)] for text in FINDERS}
    assert tags == FINDERS


FINDERS = {
    "find.byKey(const Key('pay'))": ["ElevatedButton"],
    "find.byKey(const Key('gone'))": [],
    "find.text('Pay')": ["Text"],
    "find.textContaining('a')": ["Text", "Text"],
    "find.byType(ElevatedButton)": ["ElevatedButton", "ElevatedButton"],
    "find.byType(ElevatedButton).at(1)": ["ElevatedButton"],
    "find.widgetWithText(ElevatedButton, 'Cancel')": ["ElevatedButton"],
    "find.byTooltip('Pay now')": ["Tooltip"],
    "find.descendant(of: find.byTooltip('Pay now'), matching: find.byType(Text))": ["Text"],
    "find.ancestor(of: find.text('Cancel'), matching: find.byType(Column))": ["Column"],
}


def widgets() -> DomSnapshot:
    return DomSnapshot(
        (
            Element(0, None, "Column", text="Pay Cancel"),
            Element(1, 0, "Tooltip", {"tooltip": "Pay now"}, text="Pay"),
            Element(2, 1, "ElevatedButton", {"key": "pay"}, text="Pay"),
            Element(3, 2, "Text", own_text="Pay", text="Pay"),
            Element(4, 0, "ElevatedButton", text="Cancel"),
            Element(5, 4, "Text", own_text="Cancel", text="Cancel"),
        )
    )
