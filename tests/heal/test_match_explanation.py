"""Elements that were compared with how they were last seen, explained in the words of `test_heal`."""

from testwright.heal.match_explanation import explained_by_memory
from testwright.heal.wire_vocabulary import MatchKind
from testwright.model.dom import DomSnapshot, Fingerprint
from testwright.observe.html_page import snapshot_html


def number_of(page: DomSnapshot, text: str) -> int:
    return next(one.number for one in page.elements if one.own_text == text)


def test_a_remembered_element_is_explained_by_what_it_kept() -> None:
    before = snapshot_html("<main><button id='go' class='a'>Pay now</button></main>")
    after = snapshot_html("<main><button id='go2' class='b'>Pay now</button><button>Back</button></main>")
    old = before.elements[number_of(before, "Pay now")]
    explained = explained_by_memory(Fingerprint(old, before.paths[old.number]), after, number_of(after, "Pay now"))
    assert explained.kind is MatchKind.ARIA
    assert explained.confidence == 0.9
    assert "name or text" in explained.agreed


def test_a_remembered_element_that_moved_far_down_the_page_is_less_sure() -> None:
    before = snapshot_html("<button data-testid='go'>Pay</button>")
    after = snapshot_html("<div><div><div><div><button data-testid='go'>Pay</button></div></div></div></div>")
    old = before.elements[number_of(before, "Pay")]
    explained = explained_by_memory(Fingerprint(old, before.paths[old.number]), after, number_of(after, "Pay"))
    assert (explained.kind, explained.confidence) == (MatchKind.TEST_ID, 0.9)
