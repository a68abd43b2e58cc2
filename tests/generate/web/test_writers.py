"""What a test brings along, what it listens for, and when it is red: the same in both languages."""

import re
from typing import Any

import pytest

from tests.generate.web.sessions import (
    APP,
    BOTH,
    asks,
    breaks,
    clicks,
    connects,
    does,
    error_plan,
    field,
    fills,
    goes,
    made_of,
    pushes,
    said,
    session,
    stored,
    text_of,
    written,
)
from testwright.generate.web.web_plan import Polarity
from testwright.generate.web.web_plan_builder import Ingredients
from testwright.model.session import (
    ActionTarget,
    ActionType,
    BrowserEnvironment,
    Cookie,
    ErrorSource,
    Secret,
    SelectorCandidate,
    SocketEvent,
    SocketMoment,
)


@BOTH
def test_a_clock_that_stood_still_stands_still_again(language: str) -> None:
    content = made_of(goes(1), clicks(2), language=language, surroundings=BrowserEnvironment(fixed_clock=True))

    assert "2026-01-01T12:00:00.000Z" in content


@BOTH
def test_the_clock_of_the_recording_is_an_ingredient(language: str) -> None:
    recorded = session(goes(100), clicks(102), breaks(103))

    assert "2026-01-01T12:00:01.000Z" in text_of(error_plan(recorded, ingredients=Ingredients(clock=True)), language)
    assert "2026" not in text_of(error_plan(recorded), language).partition("BASE_URL")[2]


@BOTH
def test_storage_and_cookies_are_there_before_the_first_page(language: str) -> None:
    cookies = [Cookie("sid", Secret("SESSION_TOKEN"), http_only=True), Cookie("theme", "dark")]
    state = stored({"cart": "[1]", "token": Secret("TOKEN")}, {"step": "2"}, cookies)
    content = " ".join(made_of(goes(1, state=state), clicks(2), language=language).split())

    quote = said(language, "'", '"')
    for text in ("sid", "SESSION_TOKEN", "theme", "dark", "cart", "[1]", "TOKEN", "step"):
        assert text in content
    assert f"{quote}placeholder{quote}" in content
    assert "sessionStorage.setItem" in content


@BOTH
def test_secrets_that_it_needs_are_named(language: str) -> None:
    state = stored({"token": Secret("TOKEN")}, cookies=[Cookie("sid", Secret("SESSION_TOKEN"))])

    assert "set SESSION_TOKEN, TOKEN in the environment" in made_of(goes(1, state=state), clicks(2), language=language)


@BOTH
def test_without_that_ingredient_there_is_none_of_it(language: str) -> None:
    recorded = session(goes(1, state=stored({"cart": "[1]"})), clicks(2), asks(3), breaks(4))
    test = written(error_plan(recorded, ingredients=Ingredients(state=False, mocks=False)), language)

    assert "cart" not in test.content.lower().replace("/api/cart", "")
    assert test.ingredients == ()
    assert written(error_plan(recorded), language).ingredients == ("storage", "mocks")


@BOTH
def test_what_the_page_saw_of_the_browser_is_the_same_again(language: str) -> None:
    around = BrowserEnvironment((800, 600), 2.0, True, "", "de-DE", "Europe/Berlin", "dark")
    content = made_of(goes(1), clicks(2), language=language, surroundings=around)

    for text in ("800", "600", "de-DE", "Europe/Berlin", "dark"):
        assert text in content
    assert said(language, "deviceScaleFactor: 2,", '"device_scale_factor": 2,') in content
    assert said(language, "hasTouch: true,", '"has_touch": True,') in content


@BOTH
def test_test_ids_in_another_attribute_are_found_there(language: str) -> None:
    target = ActionTarget((SelectorCandidate("testid", 'internal:testid=[data-qa="pay"s]', 1),))
    content = made_of(goes(1), does(2, ActionType.CLICK, target), language=language, test_id_attribute="data-qa")

    assert said(language, "testIdAttribute: 'data-qa'", 'data-qa="pay"') in content.replace("\\", "")


@BOTH
def test_the_application_may_be_anywhere(language: str) -> None:
    recorded = session(goes(1, "/cart"), clicks(2), breaks(3))
    content = text_of(error_plan(recorded, base_url="http://127.0.0.1:4000/"), language)

    assert said(language, "process.env.BASE_URL ?? 'http://127.0.0.1:4000'", '"http://127.0.0.1:4000"') in content
    assert APP not in content


def test_in_python_storage_belongs_to_the_origin_whatever_the_address_of_the_app() -> None:
    content = made_of(goes(1, state=stored({"a": "b"})), clicks(2), language="python")

    [line] = [one for one in content.splitlines() if one.startswith("ORIGIN = ")]
    from urllib.parse import urlsplit

    known: dict[str, Any] = {"urlsplit": urlsplit, "BASE_URL": "http://127.0.0.1:4000/app/"}
    exec(line, known)
    assert known["ORIGIN"] == "http://127.0.0.1:4000"
    assert '"origin": ORIGIN' in content


def test_messages_of_a_socket_come_after_as_many_steps_as_the_test_has() -> None:
    spoke = SocketEvent(seq=8, t=80, socket=2, what=SocketMoment.SENT, text="hi")
    into = does(3, ActionType.CLICK, field(), page="page-3")
    events = (goes(1), connects(2), into, fills(4, "a", page="page-3"), pushes(5, "first", 2), clicks(7), spoke)
    plan = error_plan(session(*events, pushes(9, "second", 2), pushes(10, None, 2), breaks(90)))

    [script] = plan.sockets
    assert script.path == "/live"
    assert [(one.text, one.after_steps, one.after_sent) for one in script.messages] == [
        ("first", 1, 0),
        ("second", 2, 1),
    ]


# --- the verdict -------------------------------------------------------------------------------


@BOTH
def test_a_guard_fails_while_the_error_comes_and_a_repro_while_it_does_not(language: str) -> None:
    guard = made_of(goes(1), clicks(2), language=language)
    repro = made_of(goes(1), clicks(2), language=language, polarity=Polarity.REPRO)

    assert "the recorded error is back" in guard
    assert "the recorded error did not come" in repro
    assert "does not throw TypeError: x is not a function" in guard


@BOTH
def test_both_may_lie_side_by_side(language: str) -> None:
    recorded = session(goes(1), clicks(2), breaks(3))
    names = [written(error_plan(recorded), language, polarity).filename for polarity in Polarity]

    guard = said(language, "error-save-typeerror.spec.ts", "test_error_save_typeerror.py")
    repro = said(language, "error-save-typeerror-repro.spec.ts", "test_error_save_typeerror_repro.py")
    assert names == [guard, repro, guard]


@BOTH
def test_a_known_bug_is_a_guard_that_is_marked(language: str) -> None:
    content = made_of(goes(1), clicks(2), language=language, polarity=Polarity.KNOWN_BUG)

    assert said(language, "test.fail();", "@pytest.mark.xfail(strict=True") in content
    assert "the recorded error is back" in content


@BOTH
@pytest.mark.parametrize(
    ("source", "event"),
    [
        (ErrorSource.PAGE_ERROR, "weberror"),
        (ErrorSource.REJECTION, "weberror"),
        (ErrorSource.CONSOLE, "console"),
        (ErrorSource.CRASH, "crash"),
    ],
)
def test_each_kind_of_error_is_listened_for(source: ErrorSource, event: str, language: str) -> None:
    content = text_of(error_plan(session(goes(1), clicks(2), breaks(3, source=source))), language)

    first = re.search(r"\.goto\(", content)
    listening = re.search(rf"\.on\(\s*['\"]{event}['\"]", content)
    assert first is not None
    assert listening is not None
    assert listening.start() < first.start()


@BOTH
def test_a_guard_with_answers_of_its_own_makes_sure_that_they_were_asked_for(language: str) -> None:
    content = made_of(goes(1), clicks(2), asks(3, after=2), language=language)

    assert said(
        language,
        "expect(server.answered).toContain('GET /api/cart #1')",
        'assert "GET /api/cart #1" in server.answered',
    ) in " ".join(content.split())
