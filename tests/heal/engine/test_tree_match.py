"""Which elements of an old page are still there."""

from tests.heal.engine.pages import CHECKOUT, page, the
from testwright.heal.engine.page_view import PageView
from testwright.heal.engine.tree_match import TreeMatch, match_trees
from testwright.model.dom import DomSnapshot


def matched(old: DomSnapshot, new: DomSnapshot) -> TreeMatch:
    return match_trees(PageView(old), PageView(new))


def test_a_page_matches_itself() -> None:
    old = page(CHECKOUT)
    match = matched(old, page(CHECKOUT))
    assert all(number == other for number, other in match.new_of.items())
    assert len(match.certain) > 15


def test_ids_that_were_handed_on_do_not_mislead() -> None:
    old = page('<ul><li><a id="m1" href="#">Shipping</a></li><li><a id="m2" href="#">Tracking</a></li></ul>')
    new = page('<ul><li><a id="m1" href="#">Tracking</a></li><li><a id="m2" href="#">Shipping</a></li></ul>')
    match = matched(old, new)
    assert match.new_of[the(old, "a", id="m1").number] == the(new, "a", id="m2").number


def test_a_place_is_known_by_what_is_around_it() -> None:
    """Nothing tells the field itself any more; its row and its label do."""
    old = page('<div><p>Amount</p><input name="a"></div><div><p>Date</p><input name="d"></div>')
    new = page('<div><p>Amount</p><input name="x1"></div><div><p>Date</p><input name="x2"></div>')
    match = matched(old, new)
    assert match.new_of[the(old, "input", name="d").number] == the(new, "input", name="x2").number
    assert the(old, "input", name="d").number not in match.certain


def test_a_wrapper_that_was_added_does_not_take_the_place_of_a_parent() -> None:
    old = page('<nav class="bar"><a href="/a">One</a><a href="/b">Two</a></nav>')
    new = page('<nav class="bar"><div class="inner"><a href="/a">One</a><a href="/b">Two</a></div></nav>')
    match = matched(old, new)
    assert match.new_of[the(old, "nav").number] == the(new, "nav").number


def test_a_row_that_is_gone_has_no_match() -> None:
    old = page("<table><tr><td>Assam</td><td>4.50</td></tr><tr><td>Sencha</td><td>7.80</td></tr></table>")
    new = page("<table><tr><td>Sencha</td><td>7.80</td></tr></table>")
    match = matched(old, new)
    gone = [each.number for each in old.elements if each.text in ("Assam", "4.50")]
    assert not any(number in match.new_of for number in gone)
    assert match.lost_for_certain == 2
