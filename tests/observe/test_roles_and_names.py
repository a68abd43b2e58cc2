"""Roles and names as the snapshot has them, against what Playwright finds in a real browser."""

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page

from testwright.model.dom import DomSnapshot, Element
from testwright.observe.html_page import snapshot_html
from testwright.observe.live_page import snapshot_page

pytestmark = pytest.mark.needs_chromium

CASES = """
<button>Pay</button>
<button>Pay <b>now</b></button>
<button><span>Two</span><span>parts</span></button>
<button><div>Two</div><div>blocks</div></button>
<button style="display:flex"><span>Flex</span><span>box</span></button>
<button aria-label="Close">x</button>
<button title="Only a title"></button>
<button><img src="data:," alt="Search"></button>
<button><svg width="9" height="9"><title>Menu</title><path d="M0 0"/></svg></button>
<button>Visible <span style="display:none">not this</span></button>
<button>Visible <span hidden>nor this</span></button>
<button>Seen <span aria-hidden="true">unsaid</span></button>
<button style="visibility:hidden">Unseen</button>
<div style="display:none"><button>Far away</button></div>
<div aria-hidden="true"><button>Covered</button></div>
<button>Non&nbsp;breaking</button>
<button>  lots   of
  space </button>
<button disabled>Disabled</button>
<button role="switch">As a switch</button>
<button role="nonsense tab">Second role</button>
<input type="submit"><input type="submit" value="Send"><input type="reset"><input type="button" value="Push">
<input type="button" title="Titled push"><input type="image" alt="Picture" src="data:,"><input type="file">
<label>Upload <input type="file"></label>
<a href="/home">Home</a><a>Not a link</a><a href="/x" aria-label="Labelled">Else</a><a href="/i">
<img src="data:," alt=""> Icon</a>
<a href="#" role="button">Link as button</a>
<label for="mail">E-mail</label><input id="mail" type="email">
<label>Around <input></label>
<label>Agree <input type="checkbox"></label>
<label for="news">News</label><label for="news">letter</label><input id="news" type="checkbox">
<input placeholder="Search here" type="search"><input placeholder="Plain">
<input title="Titled" placeholder="Held back">
<input type="password" placeholder="Secret"><input type="number" aria-label="Count">
<input type="range" aria-label="Volume">
<input type="radio" name="r" id="r1"><label for="r1">One</label>
<input list="dl" aria-label="With list"><datalist id="dl"><option value="a"></datalist>
<input type="hidden" value="x"><input type="date" aria-label="When"><input type="color" aria-label="Colour">
<select aria-label="Country"><option>Austria</option><option selected>Belgium</option></select>
<label>Size <select><option>S</option><option>M</option></select></label>
<select multiple aria-label="Many"><optgroup label="G"><option>X</option></optgroup></select>
<select size="3" aria-label="Three"><option>Y</option></select>
<textarea aria-label="Text"></textarea><textarea placeholder="Words"></textarea>
<span id="l1">First</span><span id="l2">Second</span><button aria-labelledby="l1 l2">Overridden</button>
<button aria-labelledby="missing">Fallback</button>
<button id="self" aria-label="Delete" aria-labelledby="self l2">x</button>
<span id="hid" hidden>Hidden words</span><button aria-labelledby="hid">x</button>
<h1>Top</h1><h2>Second <em>level</em></h2><h3 role="presentation">Not heading</h3>
<div role="heading" aria-level="2">Div</div>
<nav>n</nav><nav aria-label="Main">n</nav><main>m</main><aside>a</aside>
<header>page header</header><section><header>section header</header></section><footer>page footer</footer>
<article><footer>article footer</footer></article>
<section aria-label="Named">s</section><form aria-label="Named form"></form><form><p>plain</p></form>
<search>s</search>
<ul><li>One</li><li>Two</li></ul><ol role="none"><li>None</li></ol><menu><li>m</li></menu>
<table><caption>Prices</caption><thead><tr><th>Name</th><th>Price</th></tr></thead>
<tbody><tr><th scope="row">Tea</th><td>2</td></tr><tr><td>Milk</td><td>1 <button>Buy</button></td></tr></tbody>
</table>
<table role="presentation"><tr><td>layout</td></tr></table><table role="grid"><tr><td>in a grid</td></tr></table>
<table><tr><th>Alone</th></tr></table><table><tr><th>Row head</th><td>value</td></tr></table>
<table summary="Summed up"><tr><td>x</td></tr></table>
<table><tr><td><label for="cc">Choose</label></td><td><input id="cc" type="checkbox"></td></tr></table>
<img src="data:," alt="Photo"><img src="data:," alt=""><img src="data:,"><img src="data:," title="T">
<img src="data:," alt="" title="T2">
<figure><img src="data:," alt="inner"><figcaption>Caption</figcaption></figure>
<fieldset><legend>Address</legend><input aria-label="Street"></fieldset>
<fieldset disabled><input aria-label="Off"></fieldset>
<details><summary>More</summary><p>Inside</p></details><details open><summary>Open</summary><p>Shown</p></details>
<dialog open aria-label="Ask">?</dialog><dialog>closed</dialog>
<progress aria-label="Done" value="3" max="9"></progress><meter aria-label="Level" value="1"></meter>
<output>Result</output>
<hr><p>Paragraph</p><blockquote>Quote</blockquote><code>c</code><strong>s</strong><em>e</em><del>d</del>
<ins>i</ins><time>t</time>
<dl><dt>Term</dt><dd>Definition</dd></dl>
<div role="alert">Alert</div><div role="tablist"><div role="tab">Tab 1</div></div>
<div role="tabpanel" aria-label="P">p</div>
<div role="menu"><div role="menuitem">Cut</div></div><div role="tooltip">Tip</div>
<div role="dialog" aria-labelledby="dt">
<h2 id="dt">Dialog title</h2></div>
<div role="checkbox" aria-checked="true" tabindex="0">Custom box</div>
<div role="row"><span role="gridcell">c1</span> <span role="gridcell">c2</span></div>
<div role="group" aria-label="Group"><button>Inside group</button></div>
<div role="img" aria-label="Drawn"></div><svg width="9" height="9" aria-label="Vector"></svg>
<svg width="5" height="5"></svg>
<div role="button" tabindex="0">Div button
<span style="width:0;height:0;overflow:hidden;display:inline-block">more</span></div>
<button role="none">Insists</button><ul role="presentation" aria-label="x"><li>kept</li></ul>
<span style="display:contents"><button>In contents</button></span>
<button style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px">Screen reader</button>
<a href="/card"><h3>Card title</h3><p>Card text</p></a>
<label>Wrap <span>deep</span> <textarea></textarea></label>
<button><label>Label in button</label></button>
<link-card></link-card><x-slotted>Given <b slot="extra">extra</b><i slot="none">lost</i></x-slotted>
<iframe title="Frame" srcdoc="<h2>In frame</h2>"></iframe>
"""

SHADOWS = """() => {
  const card = document.querySelector('link-card').attachShadow({ mode: 'open' });
  card.innerHTML = '<label for="in">Inner</label><input id="in"><button>Shadow button</button>';
  const slotted = document.querySelector('x-slotted').attachShadow({ mode: 'open' });
  slotted.innerHTML = '<button>Before <slot></slot> and <slot name="extra">nothing</slot></button>';
}"""

ROLES = """
alert article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo
definition deletion dialog document emphasis figure form grid gridcell group heading img insertion link list listbox
listitem main menu menuitem meter navigation none option paragraph presentation progressbar radio region row rowgroup
rowheader search searchbox separator slider spinbutton status strong switch tab table tablist tabpanel term textbox time
tooltip
""".split()  # noqa: SIM905 - easier to read

NUMBERED = """() => {
  let number = 0;
  const visit = (root) => { for (const one of root.querySelectorAll('*')) {
    one.setAttribute('data-n', String(number++)); if (one.shadowRoot) visit(one.shadowRoot); } };
  visit(document);
}"""


@pytest.fixture(scope="module")
def live(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_content(CASES)
    page.evaluate(SHADOWS)
    page.evaluate(NUMBERED)
    yield page
    page.close()


@pytest.fixture(scope="module")
def exposed(live: Page) -> list[Element]:
    return [element for element in snapshot_page(live).elements if element.exposed and element.frame == 0]


def found_by_the_browser(page: Page, role: str, **options: Any) -> list[str]:
    found = page.get_by_role(cast("Any", role), **options)
    return sorted(found.evaluate_all("found => found.map(one => one.getAttribute('data-n'))"))


def test_each_role_is_on_exactly_the_elements_that_a_browser_finds_it_on(live: Page, exposed: list[Element]) -> None:
    for role in ROLES:
        ours = sorted(element.get("data-n") for element in exposed if element.role == role)
        assert ours == found_by_the_browser(live, role), role


def test_each_name_leads_a_browser_to_the_same_elements(live: Page, exposed: list[Element]) -> None:
    named: dict[tuple[str, str], list[str]] = {}
    for element in exposed:
        if element.role in ROLES and element.name:
            named.setdefault((element.role, element.name), []).append(element.get("data-n"))

    wrong = {
        key: (ours, theirs)
        for key, ours in named.items()
        if sorted(ours) != (theirs := found_by_the_browser(live, key[0], name=key[1], exact=True))
    }

    assert len(named) > 80
    assert wrong == {}


def test_what_has_no_name_for_us_has_none_for_a_browser(live: Page, exposed: list[Element]) -> None:
    for role in ROLES:
        ours = sorted(element.get("data-n") for element in exposed if element.role == role and element.name)
        assert ours == found_by_the_browser(live, role, name=re.compile(".")), role


def test_a_file_gives_the_same_roles_and_names_as_a_browser(page: Page) -> None:
    page.set_content(CASES)

    def described(snapshot: DomSnapshot) -> list[tuple[str, str, str]]:
        return [(one.tag, one.role, one.name) for one in snapshot.elements if one.exposed and one.role]

    # Only a browser knows that the style sheet of the page makes one element a line and another a block.
    at_odds = {"Flexbox", "Flex box"}
    live, saved = described(snapshot_page(page)), described(snapshot_html(CASES))
    assert [one for one in live if one[2] not in at_odds] == [one for one in saved if one[2] not in at_odds]
