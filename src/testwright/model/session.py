"""A session: one stretch of a browser's life, as it was captured. Every text in it has been masked.

A session is a head (where and how it began) and events in the order of `seq`. Times `t` are milliseconds since then.
`after` names the action or navigation that an event came after: its likely cause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE

SessionId = NewType("SessionId", str)
ErrorId = NewType("ErrorId", str)

REDACTED = "[REDACTED]"  # stands where a secret was


class SessionSource(StrEnum):
    """Where a session comes from. Each way sees other things: `gaps` says what is missing."""

    LAUNCH = "launch"  # a browser we started
    CDP = "cdp"  # a running browser we attached to
    TRACE = "trace"
    HAR = "har"
    RECORDER = "recorder"  # the Recorder panel of Chrome's DevTools


class EventKind(StrEnum):
    """What an event is about. Each kind is kept, and grows old, by itself."""

    NAVIGATION = "navigation"
    ACTION = "action"
    REQUEST = "request"
    SOCKET = "socket"
    CONSOLE = "console"
    ERROR = "error"
    TAB = "tab"
    DIALOG = "dialog"


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that was seen and is not kept: what it was called, and why it counts as secret."""

    name: str  # PASSWORD, SESSION_TOKEN, ...: fit for an environment variable
    why: str = ""  # input[type=password], header authorization, ...


@dataclass(frozen=True, slots=True)
class Cookie:
    name: str
    value: str | Secret
    domain: str = ""
    path: str = "/"
    http_only: bool = False
    secure: bool = False
    same_site: str = "Lax"
    expires: float = -1


@dataclass(frozen=True, slots=True)
class OriginStorage:
    """What a site keeps in the browser."""

    origin: str
    local: Mapping[str, str | Secret] = field(default_factory=dict)
    session: Mapping[str, str | Secret] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StorageState:
    """Cookies and storage at one moment."""

    cookies: tuple[Cookie, ...] = ()
    origins: tuple[OriginStorage, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.cookies and not any(one.local or one.session for one in self.origins)


@dataclass(frozen=True, slots=True)
class BrowserEnvironment:
    """What a page can see of the browser it is in. Empty or None: not known."""

    viewport: tuple[int, int] | None = None
    scale: float = 1.0
    touch: bool = False
    user_agent: str = ""
    locale: str = ""
    timezone: str = ""
    color_scheme: str = ""
    permissions: tuple[str, ...] = ()
    fixed_clock: bool = False  # the pages' clock stood still at `SessionHead.started`, because somebody asked for it


@dataclass(frozen=True, slots=True)
class SessionHead:
    """How a session began."""

    id: SessionId
    source: SessionSource
    url: str
    started: int  # milliseconds since 1970, on the clock that the pages saw
    surroundings: BrowserEnvironment = BrowserEnvironment()
    state: StorageState = StorageState()
    test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE
    title: str = ""  # what the user calls it
    gaps: tuple[str, ...] = ()  # what this way of capturing cannot see, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEvent:
    seq: int  # unique within the session, in the order things began
    t: int
    tab: int = 1
    after: int | None = None


class NavigationCause(StrEnum):
    GOTO = "goto"  # somebody gave the address: only this can be repeated by giving it again
    PAGE = "page"  # a link, a form, a script, a redirect
    RELOAD = "reload"
    HISTORY = "history"
    SAME_DOCUMENT = "same_document"  # the address changed, the document stayed


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigation(SessionEvent):
    """The main frame of a tab went to another address. `state` is what the new document found there."""

    url: str
    cause: NavigationCause = NavigationCause.PAGE
    method: str = "GET"
    status: int | None = None
    state: StorageState = StorageState()
    title: str = ""


class ActionType(StrEnum):
    CLICK = "click"
    DOUBLE_CLICK = "dblclick"
    RIGHT_CLICK = "right_click"
    FILL = "fill"  # `value` is the whole text afterwards
    CHECK = "check"
    UNCHECK = "uncheck"
    SELECT = "select"  # `values` are the chosen options' values
    PRESS = "press"  # `value` is a key as Playwright names it: Enter, Control+A
    UPLOAD = "upload"  # `values` are file names without folders
    DRAG = "drag"  # from `target` to `onto`
    HOVER = "hover"


@dataclass(frozen=True, slots=True)
class SelectorCandidate:
    """One way to find an element, and how many it found on the page at that moment."""

    by: str  # testid, role, label, placeholder, text, alt, title, id, css
    selector: str  # in Playwright's internal form; testwright.selectors reads and writes it
    count: int  # 0: it was not tried; the tool that wrote it says that it finds this element
    nth: int | None = None  # the element's place among them, where there are several


@dataclass(frozen=True, slots=True)
class ActionTarget:
    """An element, and the ways to find it, the best first. `frames` are the iframes around it, the outermost first."""

    candidates: tuple[SelectorCandidate, ...]
    frames: tuple[str, ...] = ()  # selectors in Playwright's internal form, each within the one before
    tag: str = ""
    role: str = ""
    name: str = ""
    in_shadow: bool = False
    box: tuple[float, float, float, float] | None = None

    @property
    def best(self) -> SelectorCandidate | None:
        """The first that finds only this element; where none does, the first that was not tried."""
        alone = (one for one in self.candidates if one.count == 1)
        untried = (one for one in self.candidates if one.count == 0)
        return next(alone, None) or next(untried, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(SessionEvent):
    """Something a person did. Only events that the browser trusts become actions."""

    type: ActionType
    target: ActionTarget
    value: str | Secret = ""
    values: tuple[str, ...] = ()
    onto: ActionTarget | None = None
    page: str = ""  # the page just before, kept under this name; empty: not kept
    url: str = ""  # of the tab, at that moment
    by_pilot: bool = False  # done through `interact`, not by hand


@dataclass(frozen=True, slots=True)
class MessageBody:
    """What was sent or received. `text` None: nothing readable is kept, and `note` says why."""

    text: str | None
    mime: str = ""
    size: int = 0  # in bytes, as it came
    note: str = ""  # binary, too_large, evicted, streamed; empty: the text is whole
    blob: str = ""  # kept apart under this name, because it is long


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest(SessionEvent):
    """A request and its answer; `seq` and `t` are of its start. Written down once it is over."""

    method: str
    url: str
    resource: str = ""  # document, script, fetch, xhr, ...
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    sent: MessageBody | None = None
    status: int | None = None  # None: no answer; `failure` says why
    answer_headers: Mapping[str, str] = field(default_factory=dict)
    received: MessageBody | None = None
    failure: str = ""
    ended: int | None = None  # t at its end
    frame_url: str = ""
    is_navigation: bool = False

    @property
    def is_api(self) -> bool:
        """Asked for by code, not by markup."""
        return self.resource in {"fetch", "xhr", "eventsource"}


class SocketMoment(StrEnum):
    OPENED = "opened"
    SENT = "sent"  # by the page
    RECEIVED = "received"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketEvent(SessionEvent):
    """Something about a WebSocket; `socket` is the `seq` of its opening."""

    socket: int
    what: SocketMoment
    url: str = ""
    text: str | None = None  # None: binary, or nothing was said
    size: int = 0
    note: str = ""  # binary, too_large


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleLine(SessionEvent):
    level: str  # log, info, debug, warning, error, ...
    text: str
    args: tuple[str, ...] = ()  # empty: the browser itself wrote it
    url: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class SourceSpot:
    """A place in the source that a script was made from, by its source map. The first line and column are 1."""

    file: str  # as the map names it
    line: int
    column: int
    name: str = ""  # what the function or variable was called


@dataclass(frozen=True, slots=True)
class ScriptFrame:
    """One level of a script's stack, innermost first. The first line and column are 1."""

    function: str
    url: str
    line: int
    column: int
    spot: SourceSpot | None = None  # None: no source map
    is_app: bool = True  # False: a library, an extension, the browser itself


class ErrorSource(StrEnum):
    PAGE_ERROR = "pageerror"  # an exception that was not caught
    REJECTION = "unhandledrejection"
    CONSOLE = "console"  # console.error, called by code
    CRASH = "crash"  # the page's process died


@dataclass(frozen=True, slots=True, kw_only=True)
class PageError(SessionEvent):
    error_id: ErrorId
    source: ErrorSource
    name: str  # TypeError; empty: what was thrown had none
    message: str
    stack: tuple[ScriptFrame, ...] = ()
    url: str = ""  # of the tab's page
    frame_url: str = ""  # of the document it happened in, where that is another one
    frames: tuple[str, ...] = ()  # the iframes around that document, as in Target
    fingerprint: str = ""  # the same for the same error on another day; see observe.recording.fingerprints
    page: str = ""  # the page just after it, kept under this name
    aria: str = ""  # the same as an ARIA snapshot, kept under this name


@dataclass(frozen=True, slots=True, kw_only=True)
class TabEvent(SessionEvent):
    """A tab came or went; `tab` is its number, `opener` the one whose page opened it."""

    what: str  # opened, closed, crashed
    opener: int | None = None
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog(SessionEvent):
    type: str  # alert, confirm, prompt, beforeunload
    message: str
    accepted: bool | None = None  # None: not known
    text: str = ""  # what was answered to a prompt


AnySessionEvent = Navigation | Action | HttpRequest | SocketEvent | ConsoleLine | PageError | TabEvent | Dialog


def begins_something(event: SessionEvent) -> bool:
    """Whether what follows in its tab came after it: an action, or a navigation to another document."""
    if isinstance(event, Navigation):
        return event.cause is not NavigationCause.SAME_DOCUMENT
    return isinstance(event, Action)


# Fields of heads and events with words of ours: kinds, and names by which things are found again. Those look like
# chance, and masking leaves them as they are.
OWN_FIELDS = frozenset({"id", "source", "error_id", "fingerprint", "page", "aria", "type", "what", "cause"})
OWN_BODY_FIELDS = frozenset({"blob", "note"})  # the same of a MessageBody

KINDS: Mapping[type[SessionEvent], EventKind] = {
    Navigation: EventKind.NAVIGATION,
    Action: EventKind.ACTION,
    HttpRequest: EventKind.REQUEST,
    SocketEvent: EventKind.SOCKET,
    ConsoleLine: EventKind.CONSOLE,
    PageError: EventKind.ERROR,
    TabEvent: EventKind.TAB,
    Dialog: EventKind.DIALOG,
}


@dataclass(frozen=True, slots=True)
class Session:
    """A session, or a part of one, with its events in order."""

    head: SessionHead
    events: tuple[AnySessionEvent, ...] = ()
    dropped: Mapping[EventKind, int] = field(default_factory=dict)  # how many old ones gave way to newer ones
    gaps: tuple[str, ...] = ()
    ended: int | None = None  # t of its end; None: it was cut off, or still goes on
    last_page: str = ""  # the page as it was at the end, kept under this name

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(event for event in self.events if isinstance(event, Action))

    @property
    def errors(self) -> tuple[PageError, ...]:
        return tuple(event for event in self.events if isinstance(event, PageError))

    @property
    def requests(self) -> tuple[HttpRequest, ...]:
        return tuple(event for event in self.events if isinstance(event, HttpRequest))

    @property
    def navigations(self) -> tuple[Navigation, ...]:
        return tuple(event for event in self.events if isinstance(event, Navigation))
