"""A failure taken apart: what a runner said, in parts that mean the same for every framework."""

from dataclasses import dataclass
from enum import StrEnum


class CodeOwner(StrEnum):
    """Whose code a stack frame is."""

    TEST = "test"
    PRODUCT = "product"
    LIBRARY = "library"
    RUNNER = "runner"


@dataclass(frozen=True, slots=True)
class StackFrame:
    file: str
    line: int
    function: str = ""
    owner: CodeOwner = CodeOwner.PRODUCT


@dataclass(frozen=True, slots=True)
class FailureLine:
    """A line of the text, and where it begins in what was given."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class FailureDetail:
    """One failure. What the text did not say is empty."""

    framework: str = ""
    said: tuple[FailureLine, ...] = ()  # what the error itself says: no code, no frames, no page, no quoted values
    error_class: str = ""
    headline: FailureLine = FailureLine("", 0)  # the first line of the error
    api: str = ""  # the call that failed: page.goto, locator.click, expect, ...
    matcher: str = ""  # toHaveURL, to_be_visible, toBe, ...
    is_negated: bool = False
    locator: str = ""
    expected: str = ""
    received: str = ""
    subject: str = ""  # the expression that was checked, from the line of code that failed
    log: tuple[FailureLine, ...] = ()  # steps of a Playwright call log
    frames: tuple[StackFrame, ...] = ()  # innermost first
    page: tuple[FailureLine, ...] = ()  # a picture of the page in words, where the text has one
    noise: tuple[FailureLine, ...] = ()  # what was printed beside the error
    hook: str = ""  # beforeEach, setup, ...: the failure is not in the test's own body
    did_not_load: bool = False  # no test ran: the file could not be loaded or compiled
    timeout_ms: int = 0  # of the limit that was exceeded
    is_empty: bool = False

    @property
    def innermost(self) -> StackFrame | None:
        """The first frame that is somebody's own: of the test or of the product."""
        return next((frame for frame in self.frames if frame.owner in (CodeOwner.TEST, CodeOwner.PRODUCT)), None)
