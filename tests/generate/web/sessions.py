"""Sessions made by hand: events as short as can be written, and the plans and tests that come of them."""

from collections.abc import Mapping
from typing import Any

import pytest

from testwright.generate.web.browser.python_writer import write_python
from testwright.generate.web.browser.typescript_writer import write_typescript
from testwright.generate.web.session_slice import slice_for_error, slice_of_actions
from testwright.generate.web.syntax_trees import root_of
from testwright.generate.web.web_plan import ExpectedError, Polarity, WebPlan, WrittenTest
from testwright.generate.web.web_plan_builder import Ingredients, plan_for_actions, plan_for_error
from testwright.model.dom import DomSnapshot
from testwright.model.session import (
    Action,
    ActionTarget,
    ActionType,
    AnySessionEvent,
    ErrorId,
    ErrorSource,
    HttpRequest,
    MessageBody,
    Navigation,
    NavigationCause,
    OriginStorage,
    PageError,
    SelectorCandidate,
    Session,
    SessionHead,
    SessionId,
    SessionSource,
    SocketEvent,
    SocketMoment,
    StorageState,
    TabEvent,
)
from testwright.observe.recording.error_fingerprints import message_pattern

APP = "http://shop.test"
LANGUAGES = ("typescript", "python")
BOTH = pytest.mark.parametrize("language", LANGUAGES)
JSON = "application/json"


def head(**facts: Any) -> SessionHead:
    given: dict[str, Any] = {
        "id": SessionId("cap_20260101T120000_abc"),
        "source": SessionSource.LAUNCH,
        "url": f"{APP}/",
    }
    return SessionHead(**{**given, "started": 1_767_268_800_000, **facts})


def session(*events: AnySessionEvent, **facts: Any) -> Session:
    """With its events in order; begins at the shop's first page unless an event says otherwise."""
    last_page = facts.pop("last_page", "")
    return Session(head(**facts), tuple(sorted(events, key=lambda one: one.seq)), ended=9_999, last_page=last_page)


def goes(seq: int, path: str = "/", **facts: Any) -> Navigation:
    """Somebody gives an address."""
    given: dict[str, Any] = {"seq": seq, "t": seq * 10, "cause": NavigationCause.GOTO, "status": 200}
    return Navigation(**{**given, "url": path if "://" in path else APP + path, **facts})


def button(name: str = "Save", **facts: Any) -> ActionTarget:
    found = SelectorCandidate("role", f'internal:role=button[name="{name}"i]', 1)
    return ActionTarget(**{"candidates": (found,), "tag": "button", "role": "button", "name": name, **facts})


def field(selector: str = "#name", **facts: Any) -> ActionTarget:
    found = SelectorCandidate("id", f"css={selector}", 1)
    return ActionTarget(
        **{"candidates": (found,), "tag": "input", "role": "textbox", "name": selector.strip("#"), **facts}
    )


def does(seq: int, kind: ActionType, target: ActionTarget, **facts: Any) -> Action:
    given: dict[str, Any] = {"seq": seq, "t": seq * 10, "type": kind, "target": target, "url": f"{APP}/"}
    return Action(**{**given, **facts})


def clicks(seq: int, name: str = "Save", **facts: Any) -> Action:
    return does(seq, ActionType.CLICK, button(name), **facts)


def fills(seq: int, value: Any, selector: str = "#name", **facts: Any) -> Action:
    return does(seq, ActionType.FILL, field(selector), value=value, **facts)


def asks(seq: int, path: str = "/api/cart", answer: str | None = "{}", **facts: Any) -> HttpRequest:
    """Code asks for something, and gets it one millisecond later."""
    given: dict[str, Any] = {"seq": seq, "t": seq * 10, "method": "GET", "resource": "fetch", "status": 200}
    given |= {"url": path if "://" in path else APP + path, "ended": seq * 10 + 1}
    given |= {"answer_headers": {"content-type": JSON}}
    given |= {"received": MessageBody(answer, JSON, len(answer or ""))}
    return HttpRequest(**{**given, **facts})


def pushes(seq: int, text: str | None, socket: int) -> SocketEvent:
    """The server says something."""
    return SocketEvent(seq=seq, t=seq * 10, socket=socket, what=SocketMoment.RECEIVED, text=text)


def connects(seq: int, path: str = "/live") -> SocketEvent:
    url = APP.replace("http", "ws") + path
    return SocketEvent(seq=seq, t=seq * 10, socket=seq, what=SocketMoment.OPENED, url=url)


def opens(seq: int, tab: int, opener: int | None = 1, **facts: Any) -> TabEvent:
    return TabEvent(**{"seq": seq, "t": seq * 10, "tab": tab, "what": "opened", "opener": opener, **facts})


def breaks(seq: int, message: str = "x is not a function", **facts: Any) -> PageError:
    given: dict[str, Any] = {
        "seq": seq,
        "t": seq * 10,
        "error_id": ErrorId(f"err_17000000{seq:05d}_0badc0de"),
        "source": ErrorSource.PAGE_ERROR,
        "name": "TypeError",
        "message": message,
        "url": f"{APP}/",
    }
    return PageError(**{**given, **facts})


def stored(local: Mapping[str, Any] = {}, kept: Mapping[str, Any] = {}, cookies: Any = ()) -> StorageState:
    return StorageState(cookies=tuple(cookies), origins=(OriginStorage(APP, local, kept),))


def error_plan(
    recorded: Session, polarity: Polarity = Polarity.GUARD, ingredients: Ingredients | None = None, base_url: str = ""
) -> WebPlan:
    """The plan about the session's last error."""
    error = recorded.errors[-1]
    expected = ExpectedError(error.error_id, error.source, error.name, message_pattern(error.message), error.message)
    piece = slice_for_error(recorded, error)
    return plan_for_error(piece, expected, polarity, ingredients or Ingredients(), base_url=base_url)


def action_plan(recorded: Session, pages: Mapping[str, DomSnapshot] = {}) -> WebPlan:
    return plan_for_actions(slice_of_actions(recorded), pages.get, Ingredients())


def written(plan: WebPlan, language: str, polarity: Polarity = Polarity.GUARD) -> WrittenTest:
    return write_typescript(plan, polarity) if language == "typescript" else write_python(plan, polarity)


def text_of(plan: WebPlan, language: str, polarity: Polarity = Polarity.GUARD) -> str:
    """The test in that language, which it is valid in."""
    content = written(plan, language, polarity).content
    assert not root_of(content, language).has_error
    return content


def made_of(*events: AnySessionEvent, language: str, polarity: Polarity = Polarity.GUARD, **facts: Any) -> str:
    """The test that comes of these events, and of an error after them."""
    return text_of(error_plan(session(*events, breaks(90), **facts), polarity), language, polarity)


def said(language: str, typescript: str, python: str) -> str:
    return typescript if language == "typescript" else python
