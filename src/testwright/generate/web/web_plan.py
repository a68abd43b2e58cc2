"""What a web test consists of, in no language yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlencode

from testwright.generate.web.request_urls import is_masked, origin_of
from testwright.generate.web.session_slice import Slice
from testwright.model.case import WebFramework
from testwright.model.selector import Selector
from testwright.model.session import (
    ActionType,
    BrowserEnvironment,
    ErrorId,
    ErrorSource,
    OriginStorage,
    Secret,
    StorageState,
)


class Polarity(StrEnum):
    GUARD = "guard"  # red while the bug is there, green once it is fixed
    REPRO = "repro"  # green while the bug is there
    KNOWN_BUG = "known-bug"  # a guard that is marked as expected to fail


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """What the server answered, for the test to answer again."""

    status: int
    content_type: str = ""
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""  # the connection broke, in Playwright's word for it; no answer then
    is_pending: bool = False  # no answer ever came
    waits_for: str = ""  # `KEY #N`: the answer that went out first, though it was asked for later
    after_steps: int = 0  # it came only after so many steps, though it was asked for before the last of them


@dataclass(frozen=True, slots=True)
class Mock:
    """The answers to one kind of request, in order; the last one repeats."""

    method: str
    path: str  # the pathname; with the origin in front where that is not the app's
    query: tuple[tuple[str, str], ...] = ()  # the part of the query that is the same each time
    body_holds: str = ""  # a piece of the body that tells this kind from others with the same address
    answers: tuple[ServerAnswer, ...] = ()

    @property
    def request(self) -> str:
        """How a person would call it: `GET /api/users/*?sort=name`. A star is a part that is not known any more."""
        path = "/".join("*" if is_masked(part) else part for part in self.path.replace(" ", "%20").split("/"))
        query = urlencode(self.query)
        return f"{self.method} {path}{'?' + query if query else ''}"

    @property
    def key(self) -> str:
        """The same, and what tells it from others with the same address."""
        return f"{self.request} {self.body_holds}" if self.body_holds else self.request


def split_key(key: str) -> tuple[str, str]:
    """A key's request, and the piece of the body; an address has no spaces."""
    method, _, rest = key.partition(" ")
    address, _, holds = rest.partition(" ")
    return f"{method} {address}", holds


@dataclass(frozen=True, slots=True)
class SocketMessage:
    """Sent to the page once it has done so many steps, and has sent so many messages itself."""

    text: str
    after_steps: int
    after_sent: int


@dataclass(frozen=True, slots=True)
class SocketScript:
    path: str
    messages: tuple[SocketMessage, ...]


class CheckKind(StrEnum):
    URL = "url"
    VISIBLE = "visible"
    HIDDEN = "hidden"
    TEXT = "text"
    VALUE = "value"
    CHECKED = "checked"
    UNCHECKED = "unchecked"
    COUNT = "count"
    ARIA = "aria"  # `value` is an ARIA snapshot that the element must contain


@dataclass(frozen=True, slots=True)
class PageCheck:
    """Something a person would look at."""

    kind: CheckKind
    target: Selector | None = None  # None: the page itself
    value: str = ""
    tab: int = 1


@dataclass(frozen=True, slots=True)
class WebStep:
    """One thing to do. `target` None: go to an address, go back, or reload."""

    tab: int
    type: ActionType | str  # goto, reload, back
    target: Selector | None = None
    value: str | Secret = ""
    values: tuple[str, ...] = ()
    onto: Selector | None = None
    opens: int | None = None  # the tab that opens by it
    awaits: str = ""  # the key of the request whose answer ends it
    checks: tuple[PageCheck, ...] = ()  # what must be seen afterwards
    note: str = ""  # for the reader of the test


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """The error that a test is about."""

    error_id: ErrorId
    source: ErrorSource
    name: str
    pattern: str  # a regular expression for JavaScript and Python
    message: str
    delay: int = 0  # milliseconds from the last step to the error


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """What an answer must look like: `path: type` for every part that was always there."""

    method: str
    path: str
    status: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WebPlan:
    """A test, ready to be written."""

    title: str
    slug: str
    origin: str  # of the app
    start: str  # where to go first: a path below the origin, or a whole address
    slice: Slice
    steps: tuple[WebStep, ...] = ()
    surroundings: BrowserEnvironment = field(default_factory=BrowserEnvironment)
    state: StorageState = field(default_factory=StorageState)
    clock: int | None = None  # milliseconds since 1970 at which the pages' clock stands still
    mocks: tuple[Mock, ...] = ()
    sockets: tuple[SocketScript, ...] = ()
    accepts_dialogs: bool = False
    error: ExpectedError | None = None
    shapes: tuple[AnswerShape, ...] = ()
    known_errors: tuple[str, ...] = ()  # patterns of errors that were there before: a regression test allows them
    watches_errors: bool = False  # any error that is not known makes it red
    start_checks: tuple[PageCheck, ...] = ()  # what must be true of the first page
    notes: tuple[str, ...] = ()  # what is left to do, or could not be had
    confidence: float = 1.0  # below 1: some element is only found by its place

    @property
    def holds_answers(self) -> bool:
        """Whether some answer has to wait for something else."""
        return any(answer.waits_for or answer.after_steps for mock in self.mocks for answer in mock.answers)

    @property
    def counts_steps(self) -> bool:
        return any(answer.after_steps for mock in self.mocks for answer in mock.answers)

    @property
    def own_storage(self) -> OriginStorage:
        """Of the app's own origin, wherever it runs now."""
        return storage_of(self.state, origin_of(self.slice.start_url))

    @property
    def checks(self) -> tuple[PageCheck, ...]:
        return (*self.start_checks, *(check for step in self.steps for check in step.checks))


def storage_of(state: StorageState, *origins: str) -> OriginStorage:
    """What was stored for the first of these origins that has any; else none."""
    return next((one for one in state.origins if one.origin in origins), OriginStorage(origins[0]))


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test file."""

    framework: WebFramework
    filename: str
    content: str
    selectors: tuple[str, ...] = ()
    assertions: int = 0  # counted on the syntax tree
    level: str = "browser"  # or, for unit tests: module, handler, promise, todo
    notes: tuple[str, ...] = ()
    uses_mocks: bool = False
    uses_state: bool = False
    uses_clock: bool = False
    confidence: float = 1.0  # below 1: some element is only found by its place

    @property
    def ingredients(self) -> tuple[str, ...]:
        """What it brings along besides its steps."""
        brought = {"storage": self.uses_state, "mocks": self.uses_mocks, "clock": self.uses_clock}
        return tuple(name for name, is_brought in brought.items() if is_brought)
