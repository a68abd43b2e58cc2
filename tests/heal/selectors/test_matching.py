"""Selectors find on a kept page what Playwright finds in a real browser, and nothing else."""

import json
import random

import pytest
from playwright.sync_api import Page

from tests.heal.selectors.pages import SHOP, found_by_browser, marked
from testwright.heal.selectors.matching import matching
from testwright.heal.selectors.parsing import parse_selector
from testwright.model.dom import DomSnapshot
from testwright.observe.live import snapshot_page

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
    theirs = [one.split()[-1] for one in found_by_browser(tab, selector)]
    assert sorted(ours, key=int) == sorted(theirs, key=int), [shop.elements[n].tag for n in matching(parse_selector(selector), shop)]
