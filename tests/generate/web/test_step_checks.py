"""What a person would look at after a step is what the test checks: what came, what went, what a field shows."""

from typing import Any

import pytest

from tests.generate.web.sessions import (
    APP,
    BOTH,
    action_plan,
    button,
    clicks,
    does,
    field,
    fills,
    goes,
    said,
    session,
    text_of,
)
from testwright.generate.web.step_checks import MOST_CHECKS, without_passing_checks
from testwright.generate.web.web_plan import CheckKind, WebPlan
from testwright.model.dom import DomSnapshot
from testwright.model.selector import Dialect
from testwright.model.session import Action, ActionType, NavigationCause, Secret
from testwright.observe.html_page import snapshot_html
from testwright.selectors.spelling import spelled

BUTTON = "<button>Save</button>"


def page(html: str) -> DomSnapshot:
    return snapshot_html(f"<html><head><title>Shop</title></head><body>{html}</body></html>", f"{APP}/")


def plan_of(before: str, after: str, action: Action | None = None, *more: Any) -> WebPlan:
    """A session with one action, which made the second page of the first."""
    done = action or clicks(2, page="page-2")
    recorded = session(goes(1), done, *more, last_page="page-9")
    return action_plan(recorded, {"page-2": page(before), "page-9": page(after)})


def seen(plan: WebPlan) -> list[tuple[str, str, str]]:
    """What is checked: how, where and for what."""
    return [
        (str(one.kind), spelled(one.target, Dialect.TYPESCRIPT) if one.target else "", one.value) for one in plan.checks
    ]


def test_what_appeared_must_appear() -> None:
    by_words = plan_of(BUTTON, BUTTON + "<p role=status>Saved.</p>")
    by_id = plan_of(BUTTON, BUTTON + "<p role=status data-testid=told>Saved.</p>")

    assert seen(by_words) == [("visible", "getByText('Saved.')", "")]
    assert seen(by_id) == [("text", "getByTestId('told')", "Saved.")]


def test_what_was_made_for_telling_people_comes_before_the_rest() -> None:
    news = "<ul><li>One</li><li>Two</li></ul><div role=alert>No stock</div><h2>Your cart</h2>"
    plan = plan_of(BUTTON, BUTTON + news)

    assert [where for _, where, _ in seen(plan)] == [
        "getByText('No stock')",
        "getByRole('heading', { name: 'Your cart' })",
    ]
    assert len(plan.checks) == MOST_CHECKS


def test_what_went_must_be_gone() -> None:
    plan = plan_of(BUTTON + "<p id=note>Unsaved</p>", BUTTON)

    [(kind, where, _), still] = seen(plan)
    assert kind == CheckKind.HIDDEN
    assert "note" in where or "Unsaved" in where
    assert still == ("visible", "getByRole('button', { name: 'Save' })", "")  # not because all of it is gone


def test_where_nothing_changed_the_page_must_at_least_be_there() -> None:
    html = BUTTON + "<h1>Shop</h1>"

    assert seen(plan_of(html, html)) == [("visible", "getByRole('heading', { name: 'Shop' })", "")]
    assert seen(plan_of(BUTTON, BUTTON)) == [("visible", "getByRole('button', { name: 'Save' })", "")]


def test_without_any_page_the_element_itself_must_be_there() -> None:
    plan = action_plan(session(goes(1), clicks(2)))

    assert [one.kind for one in plan.checks] == [CheckKind.VISIBLE]


@pytest.mark.parametrize(
    ("action", "kind", "value"),
    [
        (fills(2, "Zoë", page="page-2"), CheckKind.VALUE, "Zoë"),
        (does(2, ActionType.SELECT, field(), values=("b",), page="page-2"), CheckKind.VALUE, "b"),
        (does(2, ActionType.CHECK, field(), page="page-2"), CheckKind.CHECKED, ""),
        (does(2, ActionType.UNCHECK, field(), page="page-2"), CheckKind.UNCHECKED, ""),
    ],
)
def test_a_field_shows_what_was_done_to_it(action: Action, kind: CheckKind, value: str) -> None:
    plan = plan_of("<input id=name>", "<input id=name>", action)

    assert [(one.kind, one.value) for one in plan.checks] == [(kind, value)]


@pytest.mark.parametrize("text", ["Hello [REDACTED]", "[REDACTED]"])
def test_a_text_that_was_masked_is_never_expected(text: str) -> None:
    plan = plan_of(BUTTON, f"{BUTTON}<p role=status>{text}</p><p role=alert>Done</p>")

    assert seen(plan) == [("visible", "getByText('Done')", "")]


@pytest.mark.parametrize(
    "action",
    [
        fills(2, Secret("PASSWORD"), page="page-2"),
        fills(2, "a [REDACTED] b", page="page-2"),
        does(2, ActionType.SELECT, field(), values=("[REDACTED]",), page="page-2"),
    ],
)
def test_nor_is_a_value_that_was_secret(action: Action) -> None:
    plan = plan_of("<input id=name>", "<input id=name>", action)

    assert all(one.kind is CheckKind.VISIBLE for one in plan.checks)


def test_hidden_things_and_scripts_do_not_count_as_seen() -> None:
    plan = plan_of(BUTTON, BUTTON + "<script>let a = 'x'</script><p hidden>Later</p><p role=status>Now</p>")

    assert seen(plan) == [("visible", "getByText('Now')", "")]


def test_a_long_text_is_not_tied_down() -> None:
    plan = plan_of(BUTTON, f"{BUTTON}<p role=status>{'word ' * 30}</p>")

    assert seen(plan) == [("visible", "getByRole('status')", "")]


def test_only_what_can_be_found_without_its_place_is_checked() -> None:
    plan = plan_of(BUTTON, BUTTON + "<i>x</i><i>x</i>")

    assert seen(plan) == [("visible", "getByRole('button', { name: 'Save' })", "")]


def test_a_step_to_another_page_is_checked_by_its_address() -> None:
    move = goes(3, "/cart?a=b", cause=NavigationCause.PAGE)
    plan = plan_of(BUTTON, "<h1>Cart</h1>", None, move)

    assert seen(plan)[0] == ("url", "", "/cart")


@pytest.mark.parametrize("path", ["/cart/[REDACTED]", "https://pay.test/cart", "/"])
def test_unless_the_address_is_secret_or_elsewhere_or_the_same(path: str) -> None:
    move = goes(3, path, cause=NavigationCause.PAGE)
    plan = plan_of(BUTTON, "<h1>Cart</h1>", None, move)

    assert [one.kind for one in plan.checks] == [CheckKind.VISIBLE]


def test_only_the_last_step_is_checked_for_what_it_shows() -> None:
    first, last = clicks(2, page="page-2"), clicks(5, "Done", page="page-5")
    pages = {"page-2": page(BUTTON), "page-5": page("<h1>Between</h1>"), "page-9": page("<h1>End</h1>")}
    plan = action_plan(session(goes(1), first, last, last_page="page-9"), pages)

    assert [len(step.checks) for step in plan.steps] == [0, 0, 1]


def test_the_plainer_test_keeps_what_hangs_on_the_step_alone() -> None:
    action = fills(2, "Zoë", page="page-2")
    plan = without_passing_checks(plan_of("<input id=name>", "<input id=name><p role=status>12:07</p>", action))

    assert [one.kind for one in plan.checks] == [CheckKind.VALUE]


def test_and_never_checks_nothing() -> None:
    plan = without_passing_checks(plan_of(BUTTON, BUTTON + "<p role=status>12:07</p>"))

    assert [one.kind for one in plan.checks] == [CheckKind.VISIBLE]


@BOTH
def test_checks_are_written_as_people_write_them(language: str) -> None:
    came = text_of(plan_of(BUTTON, BUTTON + "<p data-testid=told>Saved.</p>"), language)
    went = text_of(plan_of(BUTTON + "<p id=note>Unsaved</p>", BUTTON), language)
    move = goes(3, "/cart", cause=NavigationCause.PAGE)
    moved = text_of(plan_of(BUTTON, "<h1>Cart</h1>", None, move), language)
    checked = text_of(plan_of("<i>a</i>", "<i>a</i>", does(2, ActionType.CHECK, field(), page="page-2")), language)

    assert said(language, "toHaveText('Saved.')", 'to_have_text("Saved.")') in came
    assert said(language, ".toBeHidden()", ".to_be_hidden()") in went
    assert said(language, "toHaveURL(", "to_have_url(") in moved
    assert said(language, ".toBeChecked()", ".to_be_checked()") in checked


def test_the_title_says_what_is_done_and_where() -> None:
    one = action_plan(session(goes(1, "/shop"), clicks(2, "Pay")))
    two = action_plan(session(goes(1, "/shop"), clicks(2, "Add"), does(3, ActionType.CLICK, button("Pay  \n now"))))

    assert one.title == 'clicking "Pay" on /shop'
    assert two.title == 'clicking "Add" and on to clicking "Pay now", from /shop'
    assert (one.slug, two.slug) == ("interaction-shop-pay", "interaction-shop-pay-now")
