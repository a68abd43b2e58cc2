"""The ways to find an element again, the best first."""

from testwright.model.session import ActionTarget, SelectorCandidate
from testwright.observe.html_page import snapshot_html
from testwright.observe.recording.element_targets import target_of


def found(html: str, tag: str, place: int = 0, test_id_attribute: str = "data-testid") -> ActionTarget:
    page = snapshot_html(f"<!doctype html><body>{html}")
    number = [element.number for element in page.elements if element.tag == tag][place]
    return target_of(page, number, test_id_attribute=test_id_attribute)


def test_the_order_is_test_id_role_label_placeholder_id_css() -> None:
    html = '<label for="mail">Mail</label><input id="mail" data-testid="m" data-qa="q" placeholder="you@" name="mail">'

    target = found(html, "input")

    assert [one.by for one in target.candidates[:6]] == ["testid", "testid", "role", "label", "placeholder", "id"]
    assert [one.selector for one in target.candidates[:2]] == ['internal:testid=[data-testid="m"s]', '[data-qa="q"]']


def test_the_projects_own_test_id_comes_first() -> None:
    target = found('<b data-test="a" data-testid="b">x</b>', "b", test_id_attribute="data-test")

    assert target.candidates[0] == SelectorCandidate("testid", 'internal:testid=[data-testid="a"s]', 1)
    assert target.candidates[1] == SelectorCandidate("testid", '[data-testid="b"]', 1)


def test_where_words_find_more_than_one_they_are_taken_exactly() -> None:
    target = found("<button>Pay</button><button>Pay later</button>", "button")

    assert target.best == SelectorCandidate("role", 'internal:role=button[name="Pay"s]', 1)


def test_what_cannot_be_told_apart_by_itself_is_told_by_the_row_it_is_in() -> None:
    rows = "".join(f"<tr><td>{name}</td><td><button>Delete</button></td></tr>" for name in ("Ham", "Figs", "Olives"))

    target = found(f"<table>{rows}</table>", "button", 1)

    assert target.candidates[0].nth == 1
    assert target.best is not None
    assert "Figs" in target.best.selector


def test_the_last_resort_is_a_path_by_position() -> None:
    target = found('<div id="list"><i></i><i></i></div>', "i", 1)

    assert target.best == SelectorCandidate("css", "#list > i:nth-of-type(2)", 1)


def test_what_was_masked_is_no_way_to_find_an_element() -> None:
    target = found("<button>Copy [REDACTED]</button>", "button")

    assert not [one for one in target.candidates if "REDACTED" in one.selector]
    assert target.best is not None
