"""Small pages to lose elements on."""

from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide
from testwright.model.dom import DomSnapshot, Element, Fingerprint
from testwright.model.heal import HealDecision
from testwright.observe.html_page import snapshot_html

CHECKOUT = """
<title>Checkout</title>
<header><nav><a href="/">Tea shop</a> <a href="/cart">Cart</a> <a href="/help">Help</a></nav></header>
<main>
  <h1>Checkout</h1>
  <form id="payment">
    <label>Name on card <input id="holder" name="holder"></label>
    <label>Card number <input id="number" name="number" inputmode="numeric"></label>
    <label>Secret <input id="secret" name="secret" type="password"></label>
    <label><input id="terms" type="checkbox" name="terms"> I accept the terms</label>
    <button id="submit-btn" class="btn btn-primary" type="submit">Pay now</button>
    <button id="cancel-btn" class="btn" type="button">Cancel</button>
  </form>
  <table>
    <tr><td>Assam</td><td><button class="remove">Remove</button></td></tr>
    <tr><td>Sencha</td><td><button class="remove">Remove</button></td></tr>
  </table>
</main>
<footer>
  <a href="/help">Help</a> <a href="/imprint">Imprint</a> <a href="/terms">Terms</a> <a href="/jobs">Jobs</a>
</footer>
"""


def page(html: str) -> DomSnapshot:
    return snapshot_html(html, url="http://127.0.0.1/checkout")


def with_changes(*changes: tuple[str, str]) -> DomSnapshot:
    """The checkout with pieces of its HTML replaced."""
    html = CHECKOUT
    for before, after in changes:
        assert before in html, before
        html = html.replace(before, after)
    return page(html)


def the(page: DomSnapshot, tag: str, **attributes: str) -> Element:
    """The one element with these attributes."""
    (found,) = [
        each
        for each in page.elements
        if each.tag == tag and all(each.get(name.replace("_", "-")) == value for name, value in attributes.items())
    ]
    return found


def remembered(element_id: str) -> Fingerprint:
    """What a passing run keeps of an element of the checkout."""
    old = page(CHECKOUT)
    (number,) = [each.number for each in old.elements if each.get("id") == element_id]
    return fingerprint_of(old, number)


def healed(element_id: str, *changes: tuple[str, str], action: str = "") -> tuple[HealDecision, DomSnapshot]:
    new = with_changes(*changes)
    return decide(remembered(element_id), new, action=action), new
