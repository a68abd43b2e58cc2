"""Elements found by a selector's own words: when it is enough, when it is not, and how sure."""

import pytest

from testwright.heal.intent_matcher import IntentMatch, find_by_intent
from testwright.heal.page_names import PageNames
from testwright.heal.selector_intent import intent_of
from testwright.heal.wire_vocabulary import MatchKind
from testwright.observe.html_page import snapshot_html
from testwright.selectors.selector_parser import parse_selector

SHOP = """<!doctype html><title>Shop</title><main>
<h1>Your order</h1>
<form action="/orders">
  <label>Email <input name="email" type="email"></label>
  <button data-testid="submit-button" class="wide">Place order</button>
  <button type="button" id="cancel">Cancel</button>
</form>
<a href="/help">Help</a>
</main>"""


def found(selector: str, html: str = SHOP, taken: tuple[int, ...] = ()) -> IntentMatch:
    return find_by_intent(intent_of(parse_selector(selector)), PageNames(snapshot_html(html)), taken=taken)


def text_of(finding: IntentMatch, html: str = SHOP) -> str:
    assert finding.found is not None, finding
    element = snapshot_html(html).elements[finding.found.element]
    return element.text or element.get("name")


def test_TG_003_a_renamed_test_id_is_found_with_high_confidence() -> None:  # noqa: N802  the spec's name
    for selector in ("[data-testid='submit-btn']", "getByTestId('submit-btn')", "#submit-btn"):
        finding = found(selector)
        assert text_of(finding) == "Place order"
        assert finding.found is not None
        assert finding.found.kind is MatchKind.TEST_ID
        assert finding.found.confidence >= 0.9


def test_TG_004_a_reworded_button_is_found_by_role_and_name_with_medium_confidence() -> None:  # noqa: N802
    html = SHOP.replace('data-testid="submit-button"', 'id="place-order"')
    finding = found("getByRole('button', { name: 'Place your order' })", html)
    assert text_of(finding, html) == "Place order"
    assert finding.found is not None
    assert finding.found.kind is MatchKind.ARIA
    assert 0.7 <= finding.found.confidence < 0.9


@pytest.mark.parametrize(
    "selector",
    [
        "getByRole('button', { name: 'Place your order' })",
        "button:has-text('Place your order')",
        "button:text-is('place order')",
        "button[aria-label='Place order']",
        "//button[text()='Place your order']",
        "getByText('Place your order')",
    ],
)
def test_a_name_and_a_kind_are_one_key_which_is_worth_a_suggestion_and_no_more(selector: str) -> None:
    finding = found(selector)
    assert (finding.found, finding.reason) == (None, "too_few_keys")
    assert snapshot_html(SHOP).elements[finding.suggestions[0].element].text == "Place order"
    assert 0.7 <= finding.suggestions[0].confidence < 0.9


def test_a_text_counts_beside_an_id_that_the_selector_names() -> None:
    html = SHOP.replace('data-testid="submit-button"', 'id="place-order"')
    assert text_of(found("#place_order:text-is('Place your order')", html), html) == "Place order"
    assert found("button:text-is('Place your order')", html).found is None


def test_the_example_of_an_old_id_that_became_a_test_id() -> None:
    html = "<button data-testid='login'>Login</button><button data-testid='help'>Help</button>"
    finding = found("#old-login-btn", html)
    assert text_of(finding, html) == "Login"
    assert finding.found is not None
    assert finding.found.kind is MatchKind.TEST_ID


def test_a_label_finds_the_field_that_kept_its_name_and_placeholder() -> None:
    html = "<input name='email' placeholder='E-Mail'><input name='phone' placeholder='Phone'>"
    finding = found("getByLabel('Email')", html)
    assert text_of(finding, html) == "email"


@pytest.mark.parametrize(
    ("selector", "html", "reason"),
    [
        ("#submit-btn", "<button>Send</button><button>Back</button>", "gone"),
        ("getByText('Delete')", "<p>delete-</p>", "too_few_keys"),
        ("#submit-btn", "<button>Submit</button>", "too_few_keys"),
        ("getByRole('button', { name: 'Search »' })", "<button>Search</button>", "too_few_keys"),
        ("section.pale", "<section class='wide pale' aria-label='Team'>Team</section>", "too_few_keys"),
        ("#first_name", "<div class='row first-name'>First name <input></div>", "gone"),
        ("#submit-btn", "<button name='submit'>Go</button><button data-qa='submit'>Go</button>", "ambiguous"),
        ("#submit-btn", "<button id='submit'>Go</button><button>Submit</button>", "ambiguous"),
        ("getByRole('link', { name: 'Log in' })", "<a href='/a'>Login</a><a href='/b'>Log-in</a>", "too_few_keys"),
        ("a[href='/faq']:text-is('F.A.Q.')", "<a href='/faq' name='faq'>FAQ</a>", "too_few_keys"),
        ("label.pass:text-is('Password')", "<input name='password' aria-label='Password'>", "too_few_keys"),
        ("input#search-field", "<button name='search'>Search</button>", "contradiction"),
        ("button#search", "<input id='search-field' placeholder='Search'>", "contradiction"),
        ("button#save", "<button id='store-draft' name='save'>Store</button>", "contradiction"),
        (".btn-1x2y3z4", "<button class='btn-9z8y7x6'>Save</button>", "says_too_little"),
        ("li:nth-child(2)", "<ul><li>One</li><li>Two</li></ul>", "says_too_little"),
        ("#submit-btn", "<button hidden>Submit</button>", "gone"),
        ("#submit-btn", "<button disabled>Submit</button>", "gone"),
        ("#remove-item-1", "<button id='remove_item_2'>Remove item 2</button>", "gone"),
        ("#enable-billing", "<button id='disable-billing'>Disable billing</button>", "gone"),
    ],
)
def test_what_is_not_sure_is_not_healed_and_the_reason_is_told(selector: str, html: str, reason: str) -> None:
    finding = found(selector, html)
    assert finding.found is None
    assert finding.reason == reason
    assert finding.explanation


def test_an_element_that_another_selector_finds_under_another_name_is_taken() -> None:
    page = snapshot_html(SHOP)
    button = next(one.number for one in page.elements if one.get("data-testid") == "submit-button")
    assert found("#submit-btn", taken=(button,)).reason == "taken"


def test_suggestions_name_what_comes_near_best_first() -> None:
    html = (
        "<button id='save-draft'>Save draft</button><button id='save-all'>Save all changes</button><a href='/'>Home</a>"
    )
    finding = found("#save-draft-now-btn", html)
    assert finding.found is None
    texts = [snapshot_html(html).elements[each.element].text for each in finding.suggestions]
    assert texts[0] == "Save draft"
    assert "Home" not in texts


def test_a_wrapper_around_the_element_is_no_rival() -> None:
    html = "<div class='submit'><button id='submit'><span>Submit</span></button></div>"
    finding = found("[data-testid='submit-btn']", html)
    assert finding.found is not None
    assert snapshot_html(html).elements[finding.found.element].tag == "button"
