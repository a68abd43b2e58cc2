"""What is remembered of an element."""

from tests.heal.engine.pages import CHECKOUT, page, the
from testwright.heal.engine.element_fingerprint import container_of, fingerprint_of


def test_how_many_share_each_key() -> None:
    old = page(CHECKOUT)
    found = fingerprint_of(old, the(old, "button", id="submit-btn").number)
    assert found.shared_by["text"] == 1
    assert found.shared_by["id"] == 1
    remove = next(each for each in old.elements if each.get("class") == "remove")
    assert fingerprint_of(old, remove.number).shared_by["text"] == 2


def test_the_page_and_where_it_was_are_kept() -> None:
    old = page(CHECKOUT)
    found = fingerprint_of(old, the(old, "input", id="holder").number)
    assert found.page is old
    assert (found.url, found.title) == ("http://127.0.0.1/checkout", "Checkout")
    assert found.path.startswith("/html[1]/body[1]/main[1]/form[1]/label[1]")


def test_a_container_is_named_as_a_person_would() -> None:
    old = page(CHECKOUT)
    remove = next(each for each in old.elements if each.get("class") == "remove")
    assert container_of(old, remove.number) == 'row "Assam Remove"'


def test_the_words_around_it_are_not_its_own() -> None:
    old = page(CHECKOUT)
    found = fingerprint_of(old, the(old, "button", id="cancel-btn").number)
    assert "pay" in found.neighbours.split()
    assert "cancel" not in found.neighbours.split()
