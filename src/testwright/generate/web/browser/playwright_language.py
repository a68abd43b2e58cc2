"""What a language says in a Playwright test. When it is said is the same in every language: see `plan_writer`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from testwright.generate.web.web_plan import AnswerShape, Mock
from testwright.model.case import WebFramework
from testwright.model.selector import Dialect
from testwright.model.session import ErrorSource, Secret

LISTENS_EARLY = "Listens before the first page is opened: an error that comes early counts too."


class Helper(StrEnum):
    """A function that a test file brings along."""

    REPLAY = "replay"
    IS_FOR = "is for"
    PLAY_SOCKET = "play socket"
    WITHIN = "within"
    SHAPE_OF = "shape of"


@dataclass(frozen=True, slots=True)
class StepWaits:
    """What a step ends with besides its action: an answer of the server, and a tab that opens by it."""

    number: int  # of the step, from 1
    page: str
    request: str = ""  # empty: no answer is awaited
    holds: str = ""  # a piece of the request's body
    opens: int | None = None
    opened_page: str = ""


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A test file in its pieces, each already in the language. Lines are not indented yet."""

    title: str
    session: str
    error_id: str
    notes: Sequence[str]  # each in one line
    origin: str
    options: Sequence[str]
    mocks: Sequence[Mock]
    helpers: Sequence[Helper]
    body: Sequence[str]
    is_known_bug: bool


class PlaywrightLanguage(ABC):
    """Methods are given plain values and yield lines. None of them sees the plan."""

    framework: WebFramework
    dialect: Dialect
    remark: str  # before a comment
    indent: str
    literal_indent: int  # of a long literal in a call
    file_literal: str  # an empty file of a name
    right_click: str
    hostname: str  # of the application, as an expression
    loop: tuple[str, str]  # around what is done for each part of a list
    has_test_id_option: bool  # whether the attribute of test ids is set once; else each selector names it
    after_setup: Sequence[str] = ()  # between what is set up and the first step
    helpers: Mapping[Helper, str]

    # --- the words of a line ---

    @abstractmethod
    def name(self, name: str) -> str:
        """The name of a call or an option, from how TypeScript spells it: `toBeVisible`, `to_be_visible`."""

    @abstractmethod
    def call(self, call: str) -> str: ...

    @abstractmethod
    def statement(self, code: str, comment: str = "") -> str: ...

    @abstractmethod
    def pattern(self, regex: str) -> str:
        """A regular expression where one is expected."""

    @abstractmethod
    def address(self, regex: str) -> str:
        """A regular expression where a text would do."""

    @abstractmethod
    def record(self, fields: Mapping[str, str]) -> str: ...

    @abstractmethod
    def option(self, name: str, value: str) -> str: ...

    # --- around the test ---

    @abstractmethod
    def filename(self, slug: str, *, is_repro: bool) -> str: ...

    @abstractmethod
    def file(self, draft: FileDraft) -> str: ...

    @abstractmethod
    def storage_state(self, cookies: Sequence[str], entries: Sequence[str]) -> Iterator[str]:
        """Cookies, and entries of the local storage, each as a record."""

    # --- before the first step ---

    @abstractmethod
    def listener(self, source: ErrorSource, pattern: str) -> Iterator[str]: ...

    @abstractmethod
    def watch_errors(self) -> Iterator[str]: ...

    @abstractmethod
    def collect_answers(self) -> Iterator[str]: ...

    @abstractmethod
    def replay(self) -> str: ...

    @abstractmethod
    def play_socket(self, number: int, path: str, messages: str) -> str: ...

    @abstractmethod
    def fix_clock(self, moment: str) -> str: ...

    @abstractmethod
    def accept_dialogs(self) -> str: ...

    @abstractmethod
    def session_storage(self, entries: Mapping[str, str | Secret]) -> Iterator[str]: ...

    # --- a step ---

    @abstractmethod
    def waiting(self, waits: StepWaits, lines: Sequence[str]) -> Iterator[str]:
        """The lines of an action, and what is awaited around them."""

    # --- after the last step ---

    @abstractmethod
    def was_answered(self, key: str) -> str:
        """Without the end of the line."""

    @abstractmethod
    def socket_played(self, number: int, count: int) -> str: ...

    @abstractmethod
    def verdict(self, source: ErrorSource, milliseconds: int, *, must_come: bool) -> Iterator[str]: ...

    @abstractmethod
    def no_new_errors(self, known: Sequence[str]) -> Iterator[str]: ...

    @abstractmethod
    def answer_shape(self, shape: AnswerShape) -> Iterator[str]: ...
