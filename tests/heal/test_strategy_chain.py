"""The heal chain: its order, its second keys, and that several matches end it."""

from dataclasses import replace

import pytest

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.page_strategies import PageStrategies
from testwright.heal.strategy_chain import DEFAULT_ORDER, ChainResult, StrategyOutcome, walk_chain
from testwright.model.dom import Box, DomSnapshot, Element, Fingerprint
from testwright.model.heal import FailureRecord, OriginalSelector, Strategy

VIEWPORT = (1000, 500)


class PlainAdapter(PageStrategies):
    """The strategies alone: these tests parse no failures and write no patches."""

    def parse_failure(self, record: FailureRecord) -> tuple[OriginalSelector, DomSnapshot]:
        raise NotHealable("not_here")

    def emit_patch(self, original: OriginalSelector, found: Element, strategy: Strategy) -> bytes:
        raise NotHealable("not_here")


def button(text: str = "", *, role: str = "button", tag: str = "button", at: tuple[float, float] | None = None,
           label: str = "", visible: bool = True, name: str = "", **attributes: str) -> Element:  # fmt: skip
    """An element without a place on a page yet."""
    box = None if at is None else Box(at[0] - 20, at[1] - 10, 40, 20)
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return Element(
        0, None, tag, named, own_text=text, text=text, role=role, name=name or text or label, label=label, box=box,
        visible=visible,
    )  # fmt: skip


def page(*elements: Element, viewport: tuple[int, int] | None = VIEWPORT) -> DomSnapshot:
    """The elements side by side in a body."""
    body = Element(0, None, "body", text=" ".join(element.text for element in elements))
    placed = [replace(element, number=number, parent=0) for number, element in enumerate(elements, 1)]
    return DomSnapshot((body, *placed), viewport=viewport)


def nested(*elements: Element) -> DomSnapshot:
    """The elements one inside the other, the first outermost."""
    body = Element(0, None, "body", text="all of it")
    placed = [replace(element, number=number, parent=number - 1) for number, element in enumerate(elements, 1)]
    return DomSnapshot((body, *placed), viewport=VIEWPORT)


def walk(lost: Element, now: DomSnapshot, order: tuple[Strategy, ...] = DEFAULT_ORDER) -> ChainResult:
    before = Fingerprint(replace(lost, number=1), "/body[1]/button[1]", page=page(lost))
    return walk_chain(PlainAdapter(), now, before, order)


def test_the_text_finds_the_element_whatever_else_has_changed() -> None:
    result = walk(button("Save", id="save"), page(button("Cancel"), button("Save", id="store")))

    assert (result.strategy, result.ambiguous) == (Strategy.BY_TEXT, False)
    assert result.element is not None
    assert result.element.number == 2


def test_the_first_strategy_that_finds_one_wins() -> None:
    result = walk(button("Save", title="Keep it"), page(button("Save"), button("Other", title="Keep it")))

    assert result.strategy is Strategy.BY_TEXT
    assert result.tried == ((Strategy.BY_TEXT, StrategyOutcome.FOUND),)


def test_several_matches_end_the_search_even_where_a_later_strategy_would_find_one() -> None:
    lost = button("Remove", title="Remove the lamp")
    result = walk(lost, page(button("Remove", title="Remove the lamp"), button("Remove", title="Remove the chair")))

    assert result.ambiguous
    assert (result.strategy, result.element) == (Strategy.BY_TEXT, None)
    assert [element.number for element in result.several] == [1, 2]
    assert result.tried == ((Strategy.BY_TEXT, StrategyOutcome.AMBIGUOUS),)


def test_the_same_text_on_another_kind_of_element_is_not_it() -> None:
    result = walk(button("Checkout"), page(button("Checkout", role="heading", tag="h1"), button("Checkout")))

    assert result.element is not None
    assert result.element.number == 2


def test_T3_a_renamed_class_and_a_slightly_different_text_are_found_by_role() -> None:  # noqa: N802  its id
    lost = button("Submit", class_="btn-primary")
    result = walk(lost, page(button("Cancel"), button("Submit order", class_="button-primary")))

    assert result.strategy is Strategy.BY_ROLE
    assert result.element is not None
    assert result.element.number == 2
    assert result.tried == ((Strategy.BY_TEXT, StrategyOutcome.NOTHING), (Strategy.BY_ROLE, StrategyOutcome.FOUND))


def test_the_same_role_alone_is_not_enough() -> None:
    result = walk(button("Submit"), page(button("Newsletter")))

    assert (result.strategy, result.element) == (None, None)


def test_a_text_field_without_text_is_found_by_its_label() -> None:
    lost = button(role="textbox", tag="input", label="Email", id="mail")
    label = Element(0, None, "label", own_text="Email", text="Email")
    result = walk(lost, page(label, button(role="textbox", tag="input", label="Email", id="email-2")))

    assert result.strategy is Strategy.BY_TEXT
    assert result.element is not None
    assert result.element.tag == "input"


def test_a_field_of_another_type_is_another_kind_of_element() -> None:
    lost = button(role="textbox", tag="input", label="Code", type="email")

    assert (
        walk(lost, page(button(role="textbox", tag="input", label="Code", type="tel")), (Strategy.BY_TEXT,)).element
        is None
    )


def test_the_tooltip_is_asked_once_text_and_role_have_failed() -> None:
    lost = button("⚙", title="Settings")
    result = walk(lost, page(button("☰", title="Settings"), button("×", title="Close")))

    assert result.strategy is Strategy.BY_TOOLTIP
    assert result.element is not None
    assert result.element.number == 1


def test_the_place_is_the_last_resort_and_scales_with_the_viewport() -> None:
    lost = button("⚙", at=(500, 250))
    result = walk(lost, page(button("☰", at=(1000, 500)), button("×", at=(500, 250)), viewport=(2000, 1000)))

    assert result.strategy is Strategy.BY_COORDINATES
    assert result.element is not None
    assert result.element.number == 1


@pytest.mark.parametrize(("x", "found"), [(549.0, True), (551.0, False)])
def test_near_means_a_twentieth_of_the_viewport(x: float, found: bool) -> None:
    result = walk(button("⚙", at=(500, 250)), page(button("☰", at=(x, 250))), (Strategy.BY_COORDINATES,))

    assert (result.element is not None) is found


def test_two_elements_at_the_place_are_one_too_many() -> None:
    lost = button("⚙", at=(300, 200))
    result = walk(lost, page(button("☰", at=(300, 195)), button("≡", at=(300, 205))))

    assert result.ambiguous
    assert result.strategy is Strategy.BY_COORDINATES


def test_what_nobody_can_see_is_not_found() -> None:
    assert walk(button("Save"), page(button("Save", visible=False))).element is None


def test_an_element_and_the_only_text_in_it_are_one() -> None:
    inner = button("Save", role="", tag="span")
    result = walk(button("Save"), nested(button("Save"), inner), (Strategy.BY_TEXT,))

    assert result.element is not None
    assert result.element.tag == "button"


def test_of_nested_elements_that_read_alike_the_one_with_a_role_is_meant() -> None:
    lost, outer, inner = (button("News", role="", tag="div") for _ in range(3))
    result = walk(lost, nested(outer, inner), (Strategy.BY_TEXT,))

    assert not result.ambiguous
    assert result.element is not None
    assert result.element.number == 2


def test_a_test_may_ask_for_another_order() -> None:
    now = page(button("Save", title="Other"), button("Save all", title="Keep it"))
    result = walk(button("Save", title="Keep it"), now, (Strategy.BY_TOOLTIP, Strategy.BY_TEXT))

    assert result.strategy is Strategy.BY_TOOLTIP
    assert result.element is not None
    assert result.element.number == 2


def test_a_strategy_that_has_nothing_to_go_by_is_passed_over() -> None:
    result = walk(button("", role="", tag="div"), page(button("Save")))

    assert [outcome for _, outcome in result.tried] == [StrategyOutcome.NOT_APPLICABLE] * 4
