"""Recordings of Chrome's DevTools as sessions."""

from typing import Any

import pytest

from testwright.masking.masker import Masker
from testwright.model.errors import MalformedSession
from testwright.model.session import Action, ActionType, Navigation, NavigationCause, Secret, SessionSource, TabEvent
from testwright.observe.importers.devtools_recorder import import_recording
from testwright.observe.importers.session_masker import masked_again
from testwright.observe.importers.session_timeline import SessionContent

Json = dict[str, Any]
START = {"type": "navigate", "url": "http://shop.test/"}


def imported(*steps: Any, **flow: Any) -> SessionContent:
    masker = Masker()
    found = import_recording({"title": "Shop", "steps": list(steps), **flow}, "flow.json", masker, recorded_at=5_000.7)
    return masked_again(found, masker)


def step(kind: str, *selectors: Any, **more: Any) -> Json:
    return {"type": kind, "target": "main", "selectors": list(selectors), "offsetX": 1, "offsetY": 1, **more}


def press(*keys: str) -> list[Json]:
    return [{"type": "keyDown", "key": key} for key in keys] + [{"type": "keyUp", "key": key} for key in reversed(keys)]


def actions(session: SessionContent) -> list[Action]:
    return [event for event in session.events if isinstance(event, Action)]


def selectors(*given: Any, kind: str = "click") -> list[tuple[str, str]]:
    (action,) = actions(imported(step(kind, *given, value="x")))
    return [(one.by, one.selector) for one in action.target.candidates]


def test_steps_become_actions_each_after_the_one_before() -> None:
    session = imported(
        {"type": "setViewport", "width": 800, "height": 600, "deviceScaleFactor": 2, "hasTouch": True},
        {**START, "assertedEvents": [{"type": "navigation", "url": "http://shop.test/", "title": "Shop"}]},
        step("change", ["#mail"], value="ann@shop.test"),
        step("click", ["#pay"], assertedEvents=[{"type": "navigation", "url": "http://shop.test/paid"}]),
        step("doubleClick", ["#row"]),
        step("hover", ["#menu"]),
        step("click", ["#row"], button="secondary"),
    )

    told = [(type(one).__name__, one.after, getattr(one, "type", getattr(one, "cause", ""))) for one in session.events]
    assert told == [
        ("Navigation", None, NavigationCause.GOTO),
        ("Action", 1, ActionType.FILL),
        ("Action", 2, ActionType.CLICK),
        ("Navigation", 3, NavigationCause.PAGE),
        ("Action", 4, ActionType.DOUBLE_CLICK),
        ("Action", 5, ActionType.HOVER),
        ("Action", 6, ActionType.RIGHT_CLICK),
    ]
    assert actions(session)[0].value == "ann@shop.test"
    assert [action.url for action in actions(session)[1:3]] == ["http://shop.test/", "http://shop.test/paid"]
    head = session.head
    assert (head.source, head.title, head.url, head.started) == (
        SessionSource.RECORDER,
        "Shop",
        "http://shop.test/",
        5000,
    )
    assert (head.surroundings.viewport, head.surroundings.scale, head.surroundings.touch) == ((800, 600), 2.0, True)


@pytest.mark.parametrize(
    "field",
    [
        ["aria/Password"],
        ["#password"],
        ["#login > #passwordInput"],
        ["input.password-field"],
        ["[name=passwd]"],
        ["input[type='password']"],
        ['xpath///*[@id="password"]'],
    ],
)
def test_a_password_never_gets_through(field: list[str]) -> None:
    typed = "correct-horse-7"
    session = imported(START, step("click", [f"text/Hello {typed}"], ["#hello"]), step("change", field, value=typed))

    assert typed not in repr(session)
    assert isinstance(actions(session)[1].value, Secret)
    # A selector that showed it would find nothing: the other one is left.
    assert [one.selector for one in actions(session)[0].target.candidates] == ["#hello"]


def test_selectors_are_spelled_as_playwright_knows_them_the_best_first() -> None:
    assert selectors(
        ["#nav > button"], ["xpath///*[@id='n']/button"], ["pierce/#p"], ["text/Pay"], ["aria/Pay now"]
    ) == [
        ("role", 'internal:role=button[name="Pay now"s]'),
        ("text", 'internal:text="Pay"i'),
        ("id", "#p"),
        ("css", "#nav > button"),
        ("css", "//*[@id='n']/button"),
    ]
    assert selectors(['aria/Close "it"[role="link"]']) == [("role", 'internal:role=link[name="Close \\"it\\""s]')]
    assert selectors(["aria/[name='Go'][role='tab']"]) == [("role", 'internal:role=tab[name="Go"s]')]
    assert selectors(["aria/E-mail"], kind="change") == [("label", 'internal:label="E-mail"s')]
    assert selectors(["aria/Somewhere"]) == [("text", 'internal:text="Somewhere"s')]
    assert selectors(['[data-testid="pay"]']) == [("testid", 'internal:testid=[data-testid="pay"s]')]
    assert selectors("#plain") == [("id", "#plain")]


def test_nothing_says_that_a_selector_was_tried_and_the_first_is_the_best() -> None:
    (action,) = actions(imported(step("click", ["div > span"], ["aria/Pay[role='button']"])))

    assert {one.count for one in action.target.candidates} == {0}
    assert action.target.best is not None
    assert action.target.best.by == "role"


def test_shadow_roots_and_frames_are_walked_into() -> None:
    (action,) = actions(imported(step("click", ["x-shop", "x-cart", "button.pay"], frame=[1, 0])))

    assert [one.selector for one in action.target.candidates] == ["x-shop >> x-cart >> button.pay"]
    assert action.target.frames == ("iframe >> nth=1", "iframe >> nth=0")
    assert action.target.in_shadow


def test_the_attribute_for_test_ids_is_the_one_the_recording_names() -> None:
    session = imported(step("click", ["[data-qa='pay']"]), selectorAttribute="data-qa")

    assert session.head.test_id_attribute == "data-qa"
    assert actions(session)[0].target.candidates[0].by == "testid"


@pytest.mark.parametrize(
    ("selector", "type_"),
    [
        (["select#country"], ActionType.SELECT),
        (["xpath///form/select[2]"], ActionType.SELECT),
        (['aria/Country[role="combobox"]'], ActionType.SELECT),
        (["#country"], ActionType.FILL),
    ],
)
def test_a_change_is_a_choice_where_the_element_is_a_select(selector: list[str], type_: ActionType) -> None:
    (action,) = actions(imported(step("change", selector, value="de")))

    assert action.type is type_
    assert (action.value, action.values) == (("", ("de",)) if type_ is ActionType.SELECT else ("de", ()))


def test_an_input_with_a_list_is_filled_though_its_role_is_that_of_a_select() -> None:
    (action,) = actions(imported(step("change", ['aria/City[role="combobox"]'], ["form > input"], value="Bonn")))

    assert action.type is ActionType.FILL


def test_keys_go_to_the_element_that_was_used_last() -> None:
    session = imported(
        START, step("change", ["#q"], value="tea"), *press("Enter"), *press("Control", "a"), *press("Tab"), *press(" ")
    )

    pressed = [(one.value, [c.selector for c in one.target.candidates]) for one in actions(session)[1:]]
    assert pressed == [("Enter", ["#q"]), ("Control+a", ["#q"]), ("Tab", ["#q"]), ("Space", [])]


def test_keys_do_not_spell_a_secret() -> None:
    session = imported(START, step("click", ["#password"]), *(key for one in "hunter2" for key in press(one)))

    assert [one.type for one in actions(session)] == [ActionType.CLICK]
    assert "keys typed into secret fields: 7" in session.gaps


def test_other_targets_are_tabs() -> None:
    popup = "http://shop.test/popup"
    session = imported(
        START,
        step("click", ["#open"]),
        step("click", ["#ok"], target=popup),
        {"type": "close", "target": popup},
    )

    assert [(one.tab, one.what, one.opener) for one in session.events if isinstance(one, TabEvent)] == [
        (2, "opened", 1),
        (2, "closed", None),
    ]
    assert [(one.tab, one.url) for one in actions(session)] == [(1, "http://shop.test/"), (2, popup)]


def test_the_empty_tab_that_a_recording_began_in_is_no_page() -> None:
    session = imported({"type": "navigate", "url": "chrome://new-tab-page/"}, START)

    assert [one.url for one in session.events if isinstance(one, Navigation)] == ["http://shop.test/"]


def test_what_cannot_be_used_is_counted() -> None:
    session = imported(
        START,
        {"type": "scroll", "x": 0, "y": 100},
        {"type": "waitForElement", "selectors": ["#a"]},
        {"type": "waitForExpression", "expression": "true"},
        {"type": "customStep", "name": "x", "parameters": {}},
        {"type": "emulateNetworkConditions", "download": 1, "upload": 1, "latency": 1},
        {"type": "dance"},
        "click",
        step("click", []),
        step("click", ["::::"]),
        step("click", [7]),
        {"type": "click", "selectors": "#a"},
        step("click", ["#a"], frame=["x"]),
        step("change", ["#a"], value=["x"]),
        step("click", ["#a"], button="back"),
        {"type": "keyDown", "key": "AudioVolumeUp"},
    )

    assert not actions(session)
    for what in (
        "steps that scroll: 1",
        "steps that wait for elements: 1",
        "steps that wait for expressions: 1",
        "steps of extensions: 1",
        "steps that slow down the network: 1",
        "steps of a kind that is not known: 1",
        "steps of the file that could not be used: 7",
        "selectors that could not be read: 1",
        "clicks with other buttons of the mouse: 1",
        "keys that are not known: 1",
    ):
        assert what in session.gaps


def test_what_a_recording_cannot_contain_is_said() -> None:
    gaps = imported(START).gaps

    for word in ("requests", "errors and console lines", "pages", "cookies and storage", "times"):
        assert any(gap.startswith(word) for gap in gaps), word


@pytest.mark.parametrize("flow", [{}, {"steps": {}}, {"steps": []}, {"steps": [{"type": "scroll"}, 3]}])
def test_what_is_no_recording_is_refused(flow: Json) -> None:
    with pytest.raises(MalformedSession, match=r"flow\.json cannot be read"):
        import_recording(flow, "flow.json", Masker(), recorded_at=0)
