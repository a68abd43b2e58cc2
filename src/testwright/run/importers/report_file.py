"""A report as it lies on disk: its bytes, its text, and where in it something was wrong."""

import codecs
import errno
import hashlib
import os
import stat
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Self

from testwright.isolate.limits import MIB, size_text
from testwright.model.errors import MalformedReport, NotARegularFile, PathNotFound, PathUnreadable, TooLarge
from testwright.model.untrusted_text import decoded, visible_line

MAX_REPORT_BYTES = 256 * MIB


class ReportFile:
    """A whole report in memory. It is read once, so that what was checked is what is used."""

    def __init__(self, path: Path, raw: bytes, modified_at: datetime) -> None:
        self.path, self.raw, self.modified_at = path, raw, modified_at

    @classmethod
    def at(cls, path: Path) -> Self:
        """Read the file. Raises a TestwrightError when it is missing, special, unreadable or too large."""
        try:
            # Without O_NONBLOCK, opening a named pipe would wait for a writer without end.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            raise _unopenable(path, error) from error
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise NotARegularFile(
                    f"{path} is not a regular file.", next_step="Name the report file that the test runner wrote."
                )
            if status.st_size > MAX_REPORT_BYTES:
                raise _too_large(path, status.st_size)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                raw = file.read(MAX_REPORT_BYTES + 1)
        except OSError as error:
            raise _unopenable(path, error) from error
        finally:
            os.close(descriptor)
        if len(raw) > MAX_REPORT_BYTES:  # it grew after it was measured
            raise _too_large(path, len(raw))
        return cls(path, raw, datetime.fromtimestamp(status.st_mtime, UTC))

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()

    @cached_property
    def _decoded(self) -> tuple[str, bool]:
        if self.raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # how PowerShell's `>` writes
            text = self.raw.decode("utf-16", errors="replace")
            return text, "\ufffd" not in text
        return decoded(self.raw.removeprefix(codecs.BOM_UTF8))

    @property
    def text(self) -> str:
        """The file as text; bytes that are not UTF-8 have become the replacement character."""
        return self._decoded[0]

    @property
    def has_replacements(self) -> bool:
        return not self._decoded[1]

    @cached_property
    def is_xml(self) -> bool:
        return self.text.lstrip().startswith("<")

    def malformed(self, what: str) -> MalformedReport:
        """The error for a report that cannot be believed; `what` says where, and what was expected."""
        return MalformedReport(
            f"{self.path} cannot be read: {visible_line(what)}",
            next_step="Let the test runner write the report again, and check that it ran to its end; "
            "or name the report's format if it was taken for another one.",
        )


def _unopenable(path: Path, error: OSError | ValueError) -> PathNotFound | PathUnreadable | NotARegularFile:
    number = error.errno if isinstance(error, OSError) else errno.EINVAL
    if number in (errno.ENOENT, errno.ENOTDIR):
        return PathNotFound(f"There is no {path}.", next_step="Check the path of the report.")
    if number in (errno.ENXIO, errno.EISDIR):  # a socket or a device without its other end; a folder
        return NotARegularFile(f"{path} is not a regular file.", next_step="Name the report file itself.")
    reason = os.strerror(number) if number else str(error)
    return PathUnreadable(f"{path} cannot be read: {reason}.", next_step="Check the path and its permissions.")


def _too_large(path: Path, size: int) -> TooLarge:
    return TooLarge(
        f"{path} is {size_text(size)}; a report may be {size_text(MAX_REPORT_BYTES)}.",
        next_step="Let the runner write less output into the report, or a report for each part of the tests.",
    )
