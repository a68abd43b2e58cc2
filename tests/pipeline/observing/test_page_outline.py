"""A kept page in words, and which of the kept pages is meant."""

from pathlib import Path

import pytest

from tests.store.sessions.session_events import breaks, click, head, page
from testwright.model.dom import DomSnapshot, Element
from testwright.model.errors import NotFound
from testwright.pipeline.observing.page_outline import kept_page, outline
from testwright.store.sessions import SessionReader, SessionWriter


def test_an_outline_shows_roles_names_states_and_texts_as_they_lie_in_one_another() -> None:
    shown = DomSnapshot(
        (
            Element(0, None, "html", role="document"),
            Element(1, 0, "div"),
            Element(2, 1, "main", role="main"),
            Element(3, 2, "h2", role="heading", name="Cart", own_text="Cart"),
            Element(4, 2, "p", role="paragraph", own_text="Two things"),
            Element(5, 2, "div", own_text="loose words"),
            Element(6, 2, "button", role="button", name="Pay now", own_text="Pay", enabled=False),
            Element(7, 6, "span", own_text="now"),
            Element(8, 2, "input", {"checked": ""}, role="checkbox", name="Gift"),
            Element(9, 2, "div", own_text="hidden", visible=False),
            Element(10, 2, "a", {"aria-expanded": "true"}, role="link", name="More", own_text="More"),
        )
    )

    assert outline(shown) == [
        "- main",
        '  - heading "Cart" [level=2]',
        "  - paragraph: Two things",
        "  - text: loose words",
        '  - button "Pay now" [disabled]',
        '  - checkbox "Gift" [checked]',
        '  - link "More" [expanded]',
    ]


def test_a_page_of_any_depth_has_an_outline() -> None:
    deep = DomSnapshot(tuple(Element(n, n - 1 if n else None, "div", own_text=f"{n}") for n in range(3_000)))

    assert len(outline(deep)) == 3_000


def test_the_last_page_is_meant_unless_another_is_asked_for(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())
        writer.add(click(1, page=writer.keep_page(1, page("First"))))
        writer.add(breaks(2, page=writer.keep_page(2, page("Broken"))))
        writer.add(click(3, page=writer.keep_page(3, page("Third"))))
        reader = SessionReader(writer.folder)

        assert kept_page(reader)[1] == page("Third")
        assert kept_page(reader, at=1)[1] == page("First")
        assert kept_page(reader, error_id=breaks(2).error_id)[1] == page("Broken")

        writer.finish(ended=9, gaps=(), last_page=writer.keep_page(9, page("Last")))
        assert kept_page(reader) == ("page-9", page("Last"))
        with pytest.raises(NotFound):
            kept_page(reader, at=7)


def test_where_no_page_was_kept_that_is_said(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())

        with pytest.raises(NotFound, match="No such page"):
            kept_page(SessionReader(writer.folder))
