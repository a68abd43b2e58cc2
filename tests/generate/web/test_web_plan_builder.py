"""From what somebody did to what a test does: the same steps, in both languages, as a person would write them."""

import re
from typing import Any

import pytest

from tests.generate.web.sessions import (
    APP,
    BOTH,
    action_plan,
    asks,
    breaks,
    button,
    clicks,
    does,
    error_plan,
    field,
    fills,
    goes,
    made_of,
    opens,
    said,
    session,
    text_of,
    written,
)
from testwright.generate.web.web_plan import CheckKind
from testwright.generate.web.web_plan_builder import Ingredients
from testwright.model.session import (
    ActionTarget,
    ActionType,
    AnySessionEvent,
    Dialog,
    MessageBody,
    NavigationCause,
    Secret,
    SelectorCandidate,
)


@BOTH
@pytest.mark.parametrize(
    ("action", "typescript", "python"),
    [
        pytest.param(does(2, ActionType.CLICK, field()), ".click();", ".click()", id="click"),
        pytest.param(does(2, ActionType.DOUBLE_CLICK, field()), ".dblclick();", ".dblclick()", id="double"),
        pytest.param(
            does(2, ActionType.RIGHT_CLICK, field()),
            ".click({ button: 'right' });",
            '.click(button="right")',
            id="right",
        ),
        pytest.param(fills(2, "Zoë"), ".fill('Zoë');", '.fill("Zoë")', id="fill"),
        pytest.param(does(2, ActionType.CHECK, field()), ".check();", ".check()", id="check"),
        pytest.param(does(2, ActionType.UNCHECK, field()), ".uncheck();", ".uncheck()", id="uncheck"),
        pytest.param(does(2, ActionType.HOVER, field()), ".hover();", ".hover()", id="hover"),
        pytest.param(
            does(2, ActionType.PRESS, field(), value="Control+A"),
            ".press('Control+A');",
            '.press("Control+A")',
            id="press",
        ),
        pytest.param(
            does(2, ActionType.SELECT, field(), values=("a",)), ".selectOption('a');", '.select_option("a")', id="one"
        ),
        pytest.param(
            does(2, ActionType.SELECT, field(), values=("a", "b")),
            ".selectOption(['a', 'b']);",
            '.select_option(["a", "b"])',
            id="two",
        ),
        pytest.param(
            does(2, ActionType.DRAG, field(), onto=field("#bin")),
            ".dragTo(page.locator('#bin'));",
            '.drag_to(page.locator("#bin"))',
            id="drag",
        ),
    ],
)
def test_each_kind_of_action_is_its_call(action: Any, typescript: str, python: str, language: str) -> None:
    line = said(language, f"await page.locator('#name'){typescript}", f'page.locator("#name"){python}')

    assert line in made_of(goes(1), action, language=language)


@BOTH
def test_a_key_that_no_field_has_is_pressed_wherever_the_focus_is(language: str) -> None:
    content = made_of(goes(1), does(2, ActionType.PRESS, ActionTarget(()), value="Escape"), language=language)

    assert said(language, "await page.keyboard.press('Escape');", 'page.keyboard.press("Escape")') in content


@BOTH
def test_files_are_named_and_what_was_in_them_is_left_to_the_reader(language: str) -> None:
    content = made_of(goes(1), does(2, ActionType.UPLOAD, field(), values=("cat.png",)), language=language)

    assert "TODO: what was in the files was not recorded." in content
    assert "cat.png" in content


@BOTH
def test_a_secret_is_read_from_the_environment(language: str) -> None:
    content = made_of(goes(1), fills(2, Secret("PASSWORD")), language=language)

    line = said(
        language, ".fill(process.env.PASSWORD ?? 'placeholder')", '.fill(os.environ.get("PASSWORD", "placeholder"))'
    )
    assert line in content


@BOTH
def test_a_mark_of_ours_is_never_typed(language: str) -> None:
    content = made_of(goes(1), fills(2, "Bearer [REDACTED]"), language=language)

    assert "REDACTED" not in content
    assert said(language, "process.env.VALUE", 'os.environ.get("VALUE"') in content


@BOTH
def test_an_address_with_a_secret_in_it_is_left_to_the_reader(language: str) -> None:
    content = made_of(goes(1, "/reset?token=[REDACTED]"), clicks(2), language=language)

    assert "TODO: A part of an address was secret" in content


@BOTH
def test_so_is_a_choice_that_was_secret(language: str) -> None:
    chosen = does(2, ActionType.SELECT, field(), values=("[REDACTED]",))

    assert "TODO: A part of what was chosen was secret" in made_of(goes(1), chosen, language=language)


@BOTH
def test_an_element_that_is_one_of_several_is_found_by_its_place_with_a_word_about_it(language: str) -> None:
    several = ActionTarget((SelectorCandidate("css", "css=.row", 3, 1),), tag="div")
    plan = error_plan(session(goes(1), does(2, ActionType.CLICK, several), breaks(3)))

    content = text_of(plan, language)

    assert ".nth(1)" in content
    assert "TODO: found only by its place among 3: give the element a test id" in content
    assert plan.confidence == 0.6


def test_a_selector_that_nobody_tried_makes_a_test_less_sure() -> None:
    plan = error_plan(
        session(goes(1), does(2, ActionType.CLICK, ActionTarget((SelectorCandidate("css", "css=a", 0),))), breaks(3))
    )

    assert plan.confidence == 0.8
    assert plan.steps[-1].note == "this selector was not tried on the page"


def test_what_people_go_by_is_chosen_first() -> None:
    names = [
        SelectorCandidate("css", "css=.x", 1),
        SelectorCandidate("text", "text=Pay", 2),
        SelectorCandidate("testid", "css=#t", 1),
    ]
    plan = error_plan(session(goes(1), does(2, ActionType.CLICK, ActionTarget(tuple(names))), breaks(3)))

    assert plan.confidence == 1
    assert "'#t'" in written(plan, "typescript").content


@BOTH
def test_an_action_of_which_nothing_is_known_is_told_as_missing(language: str) -> None:
    plan = error_plan(session(goes(1), does(2, ActionType.CLICK, ActionTarget((), tag="canvas")), clicks(3), breaks(4)))

    assert plan.confidence == 0
    assert 'TODO: A step is missing, since nothing is known of its element: clicking "canvas".' in text_of(
        plan, language
    )


@BOTH
def test_an_element_in_frames_is_looked_for_there(language: str) -> None:
    inside = button("Pay", frames=("css=#outer", "css=#inner"))

    content = made_of(goes(1), does(2, ActionType.CLICK, inside), language=language)

    assert (
        said(language, "frameLocator('#outer').frameLocator('#inner').getByRole(", 'frame_locator("#inner")') in content
    )


@BOTH
def test_the_click_into_a_field_and_clicks_on_nothing_are_left_out(language: str) -> None:
    into = does(2, ActionType.CLICK, field(), page="page-2")
    content = made_of(
        goes(1),
        into,
        fills(3, "a", page="page-2"),
        does(4, ActionType.CLICK, ActionTarget((), tag="body")),
        language=language,
    )

    assert ".click(" not in content
    assert "TODO" not in content


@BOTH
def test_a_click_into_a_field_that_changes_the_page_stays(language: str) -> None:
    into = does(2, ActionType.CLICK, field(), page="page-2")

    assert ".click(" in made_of(goes(1), into, fills(3, "a", page="page-3"), language=language)


# --- waiting -----------------------------------------------------------------------------------


@BOTH
def test_a_step_ends_with_the_last_answer_that_came_of_it(language: str) -> None:
    asked = (asks(3, "/api/a", after=2), asks(4, "/api/b", after=2), asks(5, "/api/other", after=1))
    content = made_of(goes(1), clicks(2), *asked, clicks(60, "Next"), language=language)

    in_python = r'expect_response\(\s*lambda answer: is_for\(answer.request, "GET /api/b"'
    wait = said(language, r"waitForResponse\(.*'GET /api/b'", in_python)
    assert len(re.findall(wait, content)) == 1


def test_an_answer_that_came_after_the_next_step_is_not_waited_for() -> None:
    recorded = session(goes(1), clicks(2), asks(3, after=2, ended=900), clicks(4), breaks(5))

    assert [step.awaits for step in error_plan(recorded).steps] == ["", "", ""]


def test_the_first_page_is_waited_for_too() -> None:
    recorded = session(goes(1), asks(2, "/api/start", after=1), clicks(4), breaks(5))

    assert error_plan(recorded).steps[0].awaits == "GET /api/start"


def test_the_same_step_twice_has_two_names_for_its_answers() -> None:
    more: list[AnySessionEvent] = [clicks(2, "More"), asks(3, after=2), clicks(4, "More"), asks(5, after=4)]
    content = made_of(goes(1), *more, language="typescript")

    names = re.findall(r"const (answer\d+) =", content)
    assert len(names) == len(set(names)) == 2


@BOTH
def test_one_of_several_operations_is_waited_for_by_its_name_with_mocks_or_without(language: str) -> None:
    def query(seq: int, name: str) -> Any:
        return asks(seq, "/graphql", method="POST", after=2, sent=MessageBody(f'{{"operationName": "{name}"}}'))

    recorded = session(goes(1), clicks(2), query(3, "Cart"), query(4, "User"), breaks(5))
    for mocks in (True, False):
        content = text_of(error_plan(recorded, ingredients=Ingredients(mocks=mocks)), language)
        line = said(language, """'POST /graphql', '"User"'""", """"POST /graphql", '"User"'""")
        assert line in " ".join(content.split())


# --- pages and tabs ----------------------------------------------------------------------------


@BOTH
def test_a_test_that_ends_up_on_another_page_does_not_pass(language: str) -> None:
    content = made_of(goes(1, "/shop/cart?a=b"), clicks(2, url=f"{APP}/shop/cart?a=b"), language=language)

    assert r"\/shop\/cart" in content if language == "typescript" else "/shop/cart(?:" in content
    assert said(language, "toHaveURL(", "to_have_url(") in content


def test_a_redirect_before_the_first_action_is_where_it_begins() -> None:
    plan = error_plan(session(goes(1, "/"), clicks(2, url=f"{APP}/home"), breaks(3)))

    assert [(one.kind, one.value) for one in plan.start_checks] == [(CheckKind.URL, "/home")]


@BOTH
def test_addresses_given_reloads_and_the_way_back_are_steps(language: str) -> None:
    plan = action_plan(
        session(
            goes(1),
            clicks(2),
            goes(300, "/cart"),
            goes(500, "/cart", cause=NavigationCause.RELOAD),
            goes(700, "/", cause=NavigationCause.HISTORY),
            clicks(900),
        )
    )
    content = text_of(plan, language)

    lines = ["goto('/')", "goto('/cart')", "reload()", "goBack()"]
    found = [content.index(line if language == "typescript" else _python(line)) for line in lines]
    assert found == sorted(found)


def _python(line: str) -> str:
    return line.replace("'", '"').replace("goBack", "go_back")


def test_the_way_back_that_a_click_took_is_no_step_of_its_own() -> None:
    plan = action_plan(session(goes(1), clicks(2, "Back"), goes(3, "/x", cause=NavigationCause.HISTORY), clicks(4)))

    assert [str(step.type) for step in plan.steps] == ["goto", "click", "click"]


@BOTH
def test_a_tab_that_a_click_opens_is_waited_for_and_used(language: str) -> None:
    events = (goes(1), clicks(2, "Invoice"), opens(3, 2), goes(4, "/invoice", tab=2), clicks(5, "Pay", tab=2))
    recorded = session(*events, breaks(90, tab=2))
    content = text_of(error_plan(recorded), language)

    assert said(language, "context.waitForEvent('page')", "context.expect_page() as opened2") in content
    assert said(language, "const tab2 = await opened2;", "tab2 = opened2.value") in content
    assert said(language, "await tab2.getByRole(", "tab2.get_by_role(") in content
    assert "/invoice" not in content  # the click leads there


@BOTH
def test_dialogs_are_answered_as_they_were(language: str) -> None:
    def content(accepted: bool | None) -> str:
        dialog = Dialog(seq=3, t=30, type="confirm", message="Sure?", accepted=accepted)
        return made_of(goes(1), clicks(2), dialog, language=language)

    assert "dialog.accept()" in content(True)
    assert "dialog.accept()" not in content(False)
    assert "dialog.accept()" not in made_of(goes(1), clicks(2), language=language)


@BOTH
def test_where_nobody_knows_how_they_are_accepted_with_a_word_about_it(language: str) -> None:
    dialog = Dialog(seq=3, t=30, type="confirm", message="Sure?")
    content = made_of(goes(1), clicks(2), dialog, language=language)

    assert "dialog.accept()" in content
    assert "TODO: It is not known how a question of the page was answered" in content
