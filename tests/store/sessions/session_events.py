"""Events to keep: as short as can be written, each with what a test says of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from testwright.model.dom import DomSnapshot, Element
from testwright.model.session import (
    Action,
    ActionTarget,
    ActionType,
    ConsoleLine,
    ErrorId,
    ErrorSource,
    HttpRequest,
    Navigation,
    PageError,
    SelectorCandidate,
    SessionHead,
    SessionId,
    SessionSource,
)
from testwright.store.sessions import SessionWriter
from testwright.store.sessions.session_paths import make_session_folder

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def head(**facts: Any) -> SessionHead:
    given: dict[str, Any] = {
        "id": SessionId("cap_20260101T000000_abc"),
        "source": SessionSource.LAUNCH,
        "started": 1_700_000_000_000,
    }
    return SessionHead(**{**given, "url": "http://shop.test/", **facts})


def click(seq: int, **facts: Any) -> Action:
    target = ActionTarget(
        (SelectorCandidate("role", 'internal:role=button[name="Save"i]', 1),), tag="button", role="button", name="Save"
    )
    return Action(**{"seq": seq, "t": seq * 10, "type": ActionType.CLICK, "target": target, **facts})


def says(seq: int, text: str = "hello", **facts: Any) -> ConsoleLine:
    return ConsoleLine(**{"seq": seq, "t": seq * 10, "level": "log", "text": text, **facts})


def asks(seq: int, url: str = "http://shop.test/api/cart", **facts: Any) -> HttpRequest:
    given = {"seq": seq, "t": seq * 10, "method": "GET", "url": url, "resource": "fetch", "status": 200}
    return HttpRequest(**{**given, **facts})


def breaks(seq: int, **facts: Any) -> PageError:
    given: dict[str, Any] = {
        "seq": seq,
        "t": seq * 10,
        "error_id": ErrorId(f"err_17000000{seq:05d}_0badc0de"),
        "source": ErrorSource.PAGE_ERROR,
        "name": "TypeError",
        "message": "x is not a function",
        "fingerprint": "f00d",
        "url": "http://shop.test/cart",
    }
    return PageError(**{**given, **facts})


def goes(seq: int, url: str = "http://shop.test/", **facts: Any) -> Navigation:
    return Navigation(**{"seq": seq, "t": seq * 10, "url": url, **facts})


def page(*texts: str, url: str = "http://shop.test/") -> DomSnapshot:
    """A page with a button for each text."""
    root = Element(0, None, "html", role="document")
    below = [
        Element(number, 0, "button", {"data-note": text}, text, text, "button", text)
        for number, text in enumerate(texts, 1)
    ]
    return DomSnapshot((root, *below), url=url, title="Shop")


def make_session(root: Path, minutes: int) -> SessionId:
    """A session that was begun so many minutes after noon."""
    with SessionWriter(make_session_folder(root, now=NOON + timedelta(minutes=minutes))) as writer:
        writer.begin(head(id=writer.id, title=f"number {minutes}"))
        writer.add(click(1))
        writer.add(says(2))
        writer.add(says(3))
        writer.finish(ended=500, gaps=())
    return writer.id
