import pytest
from checkout_page import CheckoutPage
from locators import EXPRESS, TOTAL

expect = pytest.importorskip("playwright.sync_api", reason="needs pytest-playwright").expect
pytestmark = pytest.mark.usefixtures("checkout")


@pytest.fixture
def checkout(page):
    checkout = CheckoutPage(page)
    checkout.open()
    return checkout


def test_takes_a_voucher(page):
    page.locator("#voucher").fill("TEATIME")
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_test_id(TOTAL)).to_have_text("11.07 €")


def test_places_an_order(checkout):
    checkout.subscribe()
    checkout.place_order()

    expect(checkout.message).to_have_text("Thank you! Tea and news are on their way.")


def test_delivers_by_express(page):
    page.locator(EXPRESS).check()

    expect(page.get_by_text("It arrives tomorrow.")).to_be_visible()


def test_takes_a_gift_note(page):
    page.click(".summary .gift-note")

    expect(page.get_by_label("What shall we write?")).to_be_visible()


def test_keeps_the_basket_for_later(checkout, page):
    page.get_by_role("button", name="Save basket for later").click()

    expect(checkout.message).to_have_text("Your basket will wait for you.")


def test_shows_the_delivery_terms(page):
    page.locator("button.terms").click()

    expect(page.get_by_text("We deliver to every door in the country.")).to_be_visible()


def test_lists_the_teas_as_they_were_chosen(page):
    expect(page.locator(".lines li").first).to_contain_text("Assam")


def test_changes_the_address(checkout, page):
    checkout.change_street("3 Bridge Street")

    expect(page.get_by_label("Street")).to_have_value("3 Bridge Street")


def test_pays_by_card(checkout, page):
    checkout.pay_by_card("4000123412345678")

    expect(page.get_by_text("We charge the card that ends in 5678.")).to_be_visible()
