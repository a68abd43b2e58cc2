"""Held against a baseline, a test is red for new errors, answers of another shape and a page that lost parts."""

import pytest

from tests.generate.web.sessions import BOTH, action_plan, asks, clicks, goes, said, session, text_of
from testwright.generate.web.regression_plan import MOST_ELEMENTS, plan_for_regression
from testwright.generate.web.web_plan import CheckKind, WebPlan
from testwright.model.session_baseline import ApiShape, ElementShape, KnownError, PageShape, SessionBaseline, shape_of
from testwright.observe.recording.error_fingerprints import message_pattern

CART = ApiShape("GET", "/api/cart/{id}", (200,), shape_of({"items": [{"price": 1.5, "old": None}], "note": "x"}))


def held(*pages: PageShape, apis: tuple[ApiShape, ...] = ()) -> WebPlan:
    """What somebody did, held against such a baseline."""
    plan = action_plan(session(goes(1, "/shop"), clicks(2), asks(3, "/api/cart/17", after=2)))
    return plan_for_regression(plan, SessionBaseline("good", "cap_1", pages=pages, apis=apis), message_pattern)


def elements(*shapes: ElementShape) -> list[str]:
    checks = held(PageShape("/shop", elements=shapes)).steps[-1].checks
    return [line for one in checks if one.kind is CheckKind.ARIA for line in one.value.split("\n")]


def test_it_is_called_after_its_baseline() -> None:
    plan = held()

    assert plan.title == 'clicking "Save" on /shop: as in good'
    assert plan.slug == "regression-shop-save"


@BOTH
def test_any_error_makes_it_red(language: str) -> None:
    content = text_of(held(), language)

    assert "errors that were not there before" in content
    assert said(language, "const known: RegExp[] = [];", "known: list[str] = []") in content


@BOTH
def test_but_for_those_that_the_baseline_had(language: str) -> None:
    known = KnownError("f00d", "TypeError", "order 17 is null")
    plan = held(PageShape("/shop", (known,)), PageShape("/other", (known,)))

    assert plan.known_errors == (r"order -?\d[\d.,:]* is null",)
    assert r"order -?\d[\d.,:]* is null" in text_of(plan, language)


def test_of_the_answers_those_are_checked_that_these_steps_ask_for() -> None:
    others = (ApiShape("POST", "/api/cart/{id}", (200,), CART.shape), ApiShape("GET", "/api/x", (200,), CART.shape))

    [shape] = held(apis=(CART, *others)).shapes

    assert (shape.method, shape.path, shape.status) == ("GET", "/api/cart/*", 200)
    assert set(shape.parts) == {
        "$: object",
        "$.items: array",
        "$.items[]: object",
        "$.items[].price: number",
        "$.items[].old: null",
        "$.note: string",
    }


def test_what_was_not_always_so_is_not_checked() -> None:
    varied = ApiShape("GET", "/api/cart/{id}", (200,), shape_of({"a": 1, "b": 1}, {"a": "1"}))
    moody = ApiShape("GET", "/api/cart/{id}", (200, 500), CART.shape)

    [shape] = held(apis=(varied,)).shapes
    assert shape.parts == ("$: object",)
    assert held(apis=(moody,)).shapes == ()


@BOTH
def test_shapes_are_looked_for_in_the_answers_themselves(language: str) -> None:
    content = " ".join(text_of(held(apis=(CART,)), language).split())

    assert said(language, "isFor(one.request, 'GET /api/cart/*')", 'is_for(one.request, "GET /api/cart/*")') in content
    assert "$.items[].price: number" in content


def test_named_landmarks_headings_and_controls_must_still_be_there() -> None:
    assert elements(ElementShape("heading", "Shop"), ElementShape("button"), ElementShape("link", 'The "new" one')) == [
        '- heading "Shop"',
        r'- link "The \"new\" one"',
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Cart (#)", r"- button /Cart \([\d.,:]+\)/"),
        ("Total: now", """- 'button "Total: now"'"""),
        ("It's: ours", """- 'button "It''s: ours"'"""),
        ("two\nlines", r'- button "two\nlines"'),
    ],
)
def test_names_are_written_so_that_they_are_read_again(name: str, line: str) -> None:
    assert elements(ElementShape("button", name)) == [line]


def test_not_every_element_of_a_large_page_is_asked_for() -> None:
    assert len(elements(*(ElementShape("link", f"Page {'x' * number}") for number in range(100)))) == MOST_ELEMENTS


def test_another_pages_elements_are_not_asked_for() -> None:
    plan = held(PageShape("/elsewhere", elements=(ElementShape("heading", "Shop"),)), PageShape("/shop"))

    assert all(one.kind is not CheckKind.ARIA for one in plan.checks)


@BOTH
def test_each_part_of_the_page_is_one_check(language: str) -> None:
    odd = ElementShape("heading", "a\x85b\u2028c")
    content = text_of(held(PageShape("/shop", elements=(ElementShape("button", "Pay"), odd))), language)

    assert said(language, "toMatchAriaSnapshot(part)", "to_match_aria_snapshot(part)") in content
    assert said(language, """'- button "Pay"', '- heading "a\\x85b\\u2028c"'""", "a\\x85b\\u2028c") in content
