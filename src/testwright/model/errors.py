"""Errors we raise on purpose. Each has a stable code with a section in docs/messages.md, and says what to do next.

* TestwrightError
  * UsageError             the call is wrong: exit code 2
  * everything else        the machine or the project lacks something: exit code 3
An exception of any other kind is a fault of ours: exit code 4.
"""

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    OK = 0
    FAILURES = 1
    USAGE = 2
    ENVIRONMENT = 3
    INTERNAL = 4


class TestwrightError(Exception):
    """Base of every error meant for a person; `code` is stable and never reused."""

    __test__ = False

    code: ClassVar[str] = ""
    exit_code: ClassVar[ExitCode] = ExitCode.ENVIRONMENT

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "next_step": self.next_step}


class UsageError(TestwrightError):
    code = "usage"
    exit_code = ExitCode.USAGE


# --- paths and files -------------------------------------------------------------------------


class InvalidPath(UsageError):
    """A path no platform should be asked to write: control characters, reserved names, other schemes."""

    code = "invalid_path"


class PathNotAllowed(UsageError):
    """A path that leads, or may be made to lead, outside the root, or into a protected place."""

    code = "path_not_allowed"


class NotARegularFile(UsageError):
    code = "not_a_regular_file"


class PathNotFound(UsageError):
    code = "test_file_not_found"


class PathUnreadable(UsageError):
    code = "path_unreadable"


class DiskFull(TestwrightError):
    code = "disk_full"


# --- reading what others wrote ---------------------------------------------------------------


class TooLarge(UsageError):
    code = "too_large"


class MalformedReport(UsageError):
    code = "malformed_report"


class InvalidSettings(UsageError):
    code = "invalid_settings"


# --- running ---------------------------------------------------------------------------------


class NoTests(UsageError):
    """There is nothing here that we know how to run."""

    code = "no_tests"


class RunnerMissing(TestwrightError):
    """The project's tests need a runner that is not installed for it."""

    code = "runner_missing"


class IsolationUnavailable(TestwrightError):
    """The isolation that was asked for does not work on this machine."""

    code = "isolation_unavailable"


class SpawnFailed(TestwrightError):
    code = "spawn_failed"


# --- the store and the review queue ----------------------------------------------------------


class StoreCorrupt(TestwrightError):
    code = "store_corrupt"


class StoreTooNew(TestwrightError):
    code = "store_too_new"


class StoreLocked(TestwrightError):
    code = "store_locked"


class StoreUnavailable(TestwrightError):
    code = "store_unavailable"


class StoreUnsafe(TestwrightError):
    """The store's file is a link or a special file: writing through it could reach anything."""

    code = "store_unsafe"


class NotFound(UsageError):
    """A run, test or proposal with that id is not in the store."""

    code = "not_found"


class BaseChanged(TestwrightError):
    """The file is no longer the one the diff was made for: the proposal is stale."""

    code = "base_changed"
    exit_code = ExitCode.FAILURES


class WrongStatus(UsageError):
    """The proposal is not in a state that allows this."""

    code = "wrong_status"


class MissingExtra(TestwrightError):
    code = "missing_extra"

    def __init__(self, extra: str) -> None:
        super().__init__(
            f"This needs the {extra} extra.", next_step=f"Install it with: pip install 'testwright[{extra}]'"
        )


class WriteFailed(TestwrightError):
    """A file could not be saved; it is as it was before."""

    code = "write_failed"


class WriteUncertain(WriteFailed):
    """A file may or may not have been saved: disk or store did not say. The next look at it settles the matter."""

    code = "write_uncertain"


# --- understanding a repository --------------------------------------------------------------


class InvalidSource(UsageError):
    """A Python file that Python itself could not read: a syntax error, or bytes that are not text."""

    code = "invalid_source"


class SymbolNotFound(UsageError):
    """The file has no class, function or method of that name."""

    code = "symbol_not_found"


# --- mutants ---------------------------------------------------------------------------------


class ControlFailed(TestwrightError):
    """The tests are not green as they are, so that nothing can be learned from a test that fails with a mutant."""

    code = "control_failed"
    exit_code = ExitCode.FAILURES


class MutationFailed(TestwrightError):
    """The process that tries the mutants could not do its work."""

    code = "mutation_failed"


# --- selectors and pages ---------------------------------------------------------------------


class SelectorNotParseable(UsageError):
    """The text is not a selector in any spelling we know."""

    code = "selector_not_parseable"


class SelectorTooLong(UsageError):
    code = "selector_too_long"


class SelectorInvalidChar(UsageError):
    """A NUL character: no page, file or protocol can carry it."""

    code = "selector_invalid_char"


class SelectorTooCostly(UsageError):
    """Trying the selector on the page would take more steps than it may."""

    code = "selector_too_costly"


class SelectorUnsupported(UsageError):
    """The selector asks for something that a kept page does not know, such as where the pointer is."""

    code = "selector_unsupported"


class InvalidTestSyntax(UsageError):
    """A test file that its own language could not read; the message has the line."""

    code = "invalid_test_syntax"


class InvalidTestEncoding(UsageError):
    """A test file that names an encoding that does not exist, or holds bytes that are not in it."""

    code = "invalid_test_encoding"


class SelectorNotPatchable(TestwrightError):
    """The new selector cannot be written where the old one is, without changing anything else."""

    code = "selector_not_patchable"


class InvalidGolden(UsageError):
    """A golden file, or what a program drew instead, that no terminal could show: bytes that are not text."""

    code = "invalid_golden"


class TooManySelectors(UsageError):
    code = "too_many_selectors"


class BatchTooLarge(UsageError):
    """More files, or larger ones, than one request may have; the message names the limit."""

    code = "batch_too_large"


class PilotDisabled(UsageError):
    """A change was to be applied without review, and the toggle that allows it is off."""

    code = "ai_web_pilot_disabled"


class HealBusy(TestwrightError):
    """Another request is healing in this project; there is one at a time."""

    code = "heal_busy"


class DomQueryFailed(TestwrightError):
    """A page could not be read: it does not answer, or there is no browser to open it with."""

    code = "dom_query_failed"


class ArchiveInvalid(UsageError):
    """Bytes that are not an archive, or an archive that is torn or made to deceive."""

    code = "archive_invalid"


class ArchiveTooLarge(UsageError):
    code = "archive_too_large"


class ArchiveUnsupported(UsageError):
    """An archive that is locked with a password, or packed in a way we do not read."""

    code = "archive_unsupported"


class TraceUnsupported(UsageError):
    """A trace of a version of Playwright that we do not read; the message names the version."""

    code = "trace_unsupported"


class OverlayTooLarge(TestwrightError):
    """The project is too large to be copied, so that nothing can be tried without touching it."""

    code = "overlay_too_large"


# --- why a test failed -----------------------------------------------------------------------


class ClassificationUncertain(UsageError):
    """The text carries no reason: a person has to look, or more of it has to be given."""

    code = "classification_uncertain"


# --- sessions ---------------------------------------------------------------------------------


class SessionNotFound(UsageError):
    """There is no session with that id, or none at all."""

    code = "session_not_found"


class SessionUnreadable(TestwrightError):
    """A session's folder without a head that can be read: somebody changed it, or the disk did."""

    code = "session_unreadable"


class InvalidCursor(UsageError):
    """A text that no list has given out to go on from."""

    code = "invalid_cursor"


class NoErrorContext(UsageError):
    """The session has no error with that id, or none at all."""

    code = "no_error_context"


class NoActionsCaptured(UsageError):
    """The session has nothing in it that a person did."""

    code = "no_actions_captured"


class BaselineNotFound(UsageError):
    """There is no baseline of that name, or it cannot be read."""

    code = "baseline_not_found"


class InvalidErrorId(UsageError):
    """A text that cannot be the id of a captured error."""

    code = "invalid_error_id"


class ReproNotPossible(UsageError):
    """A test that passes while the bug is there, for a runner that fails any test in which such an error happens."""

    code = "repro_not_possible"


class MalformedSession(UsageError):
    """A file that should hold a session (HAR, trace, DevTools recording) and does not; the message says where."""

    code = "malformed_session"


class NoLiveSession(UsageError):
    """No recording is going on that could be spoken to."""

    code = "no_live_session"


class NoDisplay(TestwrightError):
    """A browser with a window was asked for where there is no screen to show it on."""

    code = "no_display"


class InvalidSteps(UsageError):
    """A file of steps for a browser that is not a list of them; the message names the step."""

    code = "invalid_steps"


class InvalidUrl(UsageError):
    """A text that is not an address of a page."""

    code = "invalid_url"


class UrlNotAllowed(UsageError):
    """An address that is not opened: another scheme than http and https, or one that hides where it leads."""

    code = "url_not_allowed"


class PageUnreachable(TestwrightError):
    """The address that was to be recorded does not answer."""

    code = "page_unreachable"


class BrowserUnreachable(TestwrightError):
    """There is no running browser at the given place that could be attached to."""

    code = "browser_unreachable"


class PilotFailed(TestwrightError):
    """The recorded browser could not do what it was told."""

    code = "pilot_failed"
