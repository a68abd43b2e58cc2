"""Files of ours, in folders that are private, hidden from git, and never reached through a link.

They are read without following a link, replaced or appended to without half a line, and locked by one process at a
time. What the file system complains of becomes an error that names the file and says what to do.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import DiskFull, StoreUnavailable, StoreUnsafe
from testwright.model.state_folder import STATE_FOLDER

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_POLL_SECONDS = (0.0005, 0.002)


@contextlib.contextmanager
def named_file_errors(path: Path) -> Iterator[None]:
    """Turn an operating system's error inside the block into one of ours, about `path`."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFull(
                f"No room is left for {path}; what was written before is unharmed.",
                next_step="Free some space on that disk and repeat the command.",
            ) from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StoreUnavailable(
            f"{path} cannot be used: {reason}.", next_step="Check that the path exists and that you may write there."
        ) from error


def prepare_folder(folder: Path) -> None:
    """Make `folder` and what is missing above it, for this user alone, each with a `.gitignore` that hides it."""
    with named_file_errors(folder):
        for path in reversed((folder, *folder.parents)):  # outermost first: nothing is made behind a link
            made = _make(path)
            # A folder that somebody else made keeps its own rules; `.testwright` is ours, even half made.
            if path.name == STATE_FOLDER or path == folder:
                _refuse_unless_folder(path)
            if path.name == STATE_FOLDER or made:
                _hide_from_git(path)


def refuse_unless_regular(file: Path) -> None:
    """A link, a device or a pipe in the place of a file of ours could lead a write anywhere."""
    if os.path.lexists(file) and not stat.S_ISREG(file.lstat().st_mode):
        raise _unsafe(file, "a regular file")


def _make(folder: Path) -> bool:
    if os.path.lexists(folder):
        return False
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:  # another process was quicker
        return False
    return True


def _refuse_unless_folder(path: Path) -> None:
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise _unsafe(path, "a folder of its own")


def _unsafe(path: Path, wanted: str) -> StoreUnsafe:
    return StoreUnsafe(
        f"{path} is not {wanted}: writing through it could change something else.",
        next_step="Remove it, or name another place for the store; a place behind a link is named by its real path.",
    )


def _hide_from_git(folder: Path) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(folder / ".gitignore", flags, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write("*\n")


def open_to_read(path: Path) -> int | None:
    """A descriptor of a regular file, never of a link; None: there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def content_of(path: Path, *, most: int) -> bytes | None:
    """The bytes of a regular file; None: there is none, or it is larger than `most`."""
    descriptor = open_to_read(path)
    if descriptor is None:
        return None
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(most + 1)
    return content if len(content) <= most else None


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` there at once or not at all, for this user alone."""
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    with named_file_errors(path):
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            beside.replace(path)
        except BaseException:  # an interrupt too must not leave half a file
            beside.unlink(missing_ok=True)
            raise


def append_lines(descriptor: int, lines: bytes) -> None:
    """Write whole lines to the end of an open file. Where that fails, those that are whole stay."""
    before, written = os.fstat(descriptor).st_size, 0
    try:
        while written < len(lines):
            written += os.write(descriptor, memoryview(lines)[written:])
    except BaseException:  # a full disk, or Ctrl-C: half a line in the middle would spoil all that follow
        whole = lines.rfind(b"\n", 0, written) + 1
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, before + whole)
        raise


def try_lock(descriptor: int, kind: int) -> bool:
    """Lock an open file, exclusively or shared, if no one else holds it now."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def wait_for_lock(file: Path, *, wait_seconds: float) -> Iterator[bool]:
    """Hold the lock on `file` throughout the block; False when others held it all the while.

    SQLite makes a writer that has to wait ask again after ever longer pauses, up to a tenth of a second; among many
    quick writers it may then never find the moment. Here all ask equally often, so that each has its chance.
    """
    import random  # late: start-up: only a store is waited for

    with named_file_errors(file):
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        deadline = time.monotonic() + wait_seconds
        while not (ours := try_lock(descriptor, fcntl.LOCK_EX)) and time.monotonic() < deadline:
            time.sleep(random.uniform(*_POLL_SECONDS))  # noqa: S311  no secret: only to be out of step with the others
        yield ours
    finally:
        os.close(descriptor)
