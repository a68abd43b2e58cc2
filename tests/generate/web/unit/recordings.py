"""Small apps with a bug and their mended twins, each with what a recording of the bug would have brought."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from testwright.generate.web.session_slice import slice_for_error
from testwright.generate.web.web_plan import ExpectedError, Polarity, WebPlan
from testwright.generate.web.web_plan_builder import Ingredients, plan_for_error
from testwright.model.dom import DomSnapshot
from testwright.model.session import (
    Action,
    ActionTarget,
    ActionType,
    AnySessionEvent,
    BrowserEnvironment,
    ErrorId,
    ErrorSource,
    HttpRequest,
    MessageBody,
    Navigation,
    NavigationCause,
    OriginStorage,
    PageError,
    ScriptFrame,
    SelectorCandidate,
    Session,
    SessionHead,
    SessionId,
    SessionSource,
    SocketEvent,
    SocketMoment,
    SourceSpot,
    StorageState,
)
from testwright.observe.html_page import snapshot_html
from testwright.observe.recording.error_fingerprints import message_pattern

APP = "http://127.0.0.1:8000"
NULL_NAME = "Cannot read properties of null (reading 'name')"
PROFILE = ("POST", "/api/profile", 200, '{"profile": null}')
_ACTION, _FIRST, _ERROR = 4, 20, 90


@dataclass(frozen=True)
class Recording:
    """One bug. `frames` are (file, a piece of the failing line) from the innermost out."""

    name: str
    level: str
    buggy: Mapping[str, str]
    fixed: Mapping[str, str]
    frames: tuple[tuple[str, str], ...]
    html: str = "<p>nothing to see</p>"
    does: tuple[ActionType, str] | None = (ActionType.CLICK, "#load")  # the last action, and where
    before: tuple[tuple[ActionType, str, str], ...] = ()
    value: str = ""
    error: tuple[str, str] = ("TypeError", NULL_NAME)
    source: ErrorSource = ErrorSource.PAGE_ERROR
    requests: tuple[tuple[str, str, int, str], ...] = ()
    resource: str = "fetch"
    first_is_last: bool = False  # the first request was answered after the others
    scripts: tuple[str, ...] = ()  # that the page has loaded
    local: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[str, ...] = ()  # over a WebSocket
    started: int | None = None  # the clock stood still there
    delay: int = 150
    is_mapped: bool = True  # its script has a source map

    @property
    def page(self) -> DomSnapshot:
        return snapshot_html(f"<html><head><title>App</title></head><body>{self.html}</body></html>", f"{APP}/")

    def pages(self, name: str) -> DomSnapshot | None:
        return self.page if name == "page-4" else None

    def plan(self, polarity: Polarity = Polarity.GUARD) -> WebPlan:
        session = self.session()
        error = session.errors[0]
        expected = ExpectedError(
            error.error_id, error.source, error.name, message_pattern(error.message), error.message
        )
        return plan_for_error(slice_for_error(session, error), expected, polarity, Ingredients())

    def session(self) -> Session:
        state = StorageState(origins=(OriginStorage(APP, dict(self.local)),) if self.local else ())
        around = BrowserEnvironment(fixed_clock=self.started is not None)
        started = self.started if self.started is not None else 1_767_268_800_000
        head = SessionHead(
            SessionId("cap_20260101T120000_7f3a"), SessionSource.LAUNCH, f"{APP}/", started, around, state
        )
        return Session(head, tuple(self._events(state)), ended=5_000)

    def _events(self, state: StorageState) -> list[AnySessionEvent]:
        cause = _ACTION if self.does is not None else 1
        events: list[AnySessionEvent] = [
            Navigation(seq=1, t=0, url=f"{APP}/", cause=NavigationCause.GOTO, status=200, state=state)
        ]
        for place, (kind, selector, value) in enumerate(self.before):
            chosen = (value,) if kind is ActionType.SELECT else ()
            target = _target(selector)
            events.append(
                Action(seq=2 + place, t=100, type=kind, target=target, value=value, values=chosen, page="page-4")
            )
        if self.does is not None:
            kind, selector = self.does
            events.append(
                Action(
                    seq=_ACTION,
                    t=500,
                    type=kind,
                    target=_target(selector),
                    value=self.value,
                    page="page-4",
                    url=f"{APP}/",
                )
            )
        events += [self._script(10 + place, url) for place, url in enumerate(self.scripts)]
        events += [self._request(_FIRST + place, cause, *one) for place, one in enumerate(self.requests)]
        events += list(self._socket(cause))
        events.append(self._page_error(cause))
        return events

    def _script(self, seq: int, url: str) -> HttpRequest:
        return HttpRequest(seq=seq, t=5, after=1, method="GET", url=APP + url, resource="script", status=200, ended=9)

    def _request(self, seq: int, cause: int, method: str, url: str, status: int, text: str) -> HttpRequest:
        return HttpRequest(
            seq=seq,
            t=500 + seq,
            after=cause,
            method=method,
            url=APP + url,
            resource=self.resource,
            status=status,
            answer_headers={"content-type": "application/json"},
            received=MessageBody(text, "application/json", len(text)),
            ended=510 + seq + (100 if self.first_is_last and seq == _FIRST else 0),
        )

    def _socket(self, cause: int) -> list[SocketEvent]:
        if not self.messages:
            return []
        url = "ws://127.0.0.1:8000/live"
        opened = SocketEvent(seq=3, t=50, after=1, socket=3, what=SocketMoment.OPENED, url=url)
        received = [
            SocketEvent(seq=40 + place, t=560, after=cause, socket=3, what=SocketMoment.RECEIVED, text=text)
            for place, text in enumerate(self.messages)
        ]
        return [opened, *received]

    def _page_error(self, cause: int) -> PageError:
        name, message = self.error
        return PageError(
            seq=_ERROR,
            t=500 + self.delay,
            after=cause,
            error_id=ErrorId("err_1767268800813_a1b2c3d4"),
            source=self.source,
            name=name,
            message=message,
            stack=tuple(self._frame(file, piece) for file, piece in self.frames),
            url=f"{APP}/",
            page="page-4",
        )

    def _frame(self, file: str, piece: str) -> ScriptFrame:
        if file not in self.buggy:
            return ScriptFrame("t", f"{APP}/{file}", 1, 4_242)
        line, column = place_of(self.buggy[file], piece)
        if not self.is_mapped:
            return ScriptFrame("whatever", f"{APP}/{file}", line, column)
        return ScriptFrame("t", f"{APP}/bundle.js", 1, 999, SourceSpot(f"webpack://app/./{file}", line, column))


def place_of(text: str, piece: str) -> tuple[int, int]:
    """Where a piece of a text begins, as browsers count."""
    before = text[: text.index(piece)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _target(selector: str) -> ActionTarget:
    return ActionTarget((SelectorCandidate("css", selector, 1),), tag="button", name=selector.strip("#"))
