"""What is worked out for elements of which only a part was recorded."""

from testwright.model.accessibility.accessible_elements import completed
from testwright.model.dom import Element


def test_records_without_the_order_of_their_texts_get_role_and_name() -> None:
    link, box = completed(
        [
            Element(0, None, "a", {"href": "/pay"}, text="Pay now", own_text="Pay now"),
            Element(1, None, "input", {"type": "checkbox"}, label="Agree"),
        ]
    )

    assert (link.role, link.name, link.text) == ("link", "Pay now", "Pay now")
    assert (box.role, box.label) == ("checkbox", "Agree")


def test_a_text_or_label_that_is_given_stays() -> None:
    (button, _) = completed([Element(0, None, "button", text="All of it"), Element(1, 0, "b", own_text="part")])

    assert button.text == "All of it"


def test_text_that_is_not_given_is_gathered_from_below() -> None:
    elements = completed(
        [
            Element(0, None, "form"),
            Element(1, 0, "label", {"for": "m"}, own_text="E-mail"),
            Element(2, 0, "input", {"id": "m"}),
            Element(3, 0, "p", own_text="Hidden", visible=False),
        ]
    )

    assert [element.text for element in elements] == ["E-mail", "E-mail", "", "Hidden"]
    assert (elements[2].label, elements[2].name, elements[2].role) == ("E-mail", "E-mail", "textbox")
    assert [element.exposed for element in elements] == [True, True, True, False]


def test_what_is_complete_comes_out_as_it_went_in() -> None:
    once = completed([Element(0, None, "h1", own_text="Top"), Element(1, 0, "em", own_text="er")])

    assert completed(once) == once


def test_references_in_circles_end() -> None:
    first, second = completed(
        [
            Element(0, None, "button", {"id": "a", "aria-labelledby": "b"}, own_text="A"),
            Element(1, None, "button", {"id": "b", "aria-labelledby": "a"}, own_text="B"),
        ]
    )

    assert (first.name, second.name) == ("B", "A")


def test_many_names_that_share_a_large_part_stay_affordable() -> None:
    buttons = [Element(n, 0, "button", {"aria-labelledby": "all"}, own_text="x") for n in range(1, 5_001)]

    elements = completed([Element(0, None, "div", {"id": "all"}), *buttons])

    assert len(elements[1].name) <= 1_000


def test_nesting_without_end_is_no_obstacle() -> None:
    depth = 5_000
    nested = [Element(n, n - 1 if n else None, "button", own_text="x" if n == depth - 1 else "") for n in range(depth)]

    assert completed(nested)[0].text == "x"
