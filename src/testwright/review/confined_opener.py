"""Open what a name leads to below a folder, without following a link and without waiting for anybody."""

import errno
import os
import stat
from collections.abc import Callable

from testwright.model.errors import (
    InvalidPath,
    NotARegularFile,
    PathNotAllowed,
    PathNotFound,
    PathUnreadable,
    TestwrightError,
    TooLarge,
)
from testwright.review import file_system_calls

MAX_FILE_BYTES = 64 * 1024 * 1024
# A pipe opened without O_NONBLOCK waits for a writer that may never come.
READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Opener = Callable[[int, str, int], int]
"""Opens a normalised path below a folder's descriptor with these flags; OSError with ELOOP for a link on the way."""


def best_opener(root: int) -> Opener:
    """One call where the kernel has it and a container's filter lets it through; step by step elsewhere."""
    try:
        os.close(file_system_calls.open_beneath(root, ".", FOLDER))
    except OSError as error:
        if error.errno in {errno.ENOSYS, errno.EPERM, errno.EINVAL}:
            return open_by_steps
        raise
    return file_system_calls.open_beneath


def open_by_steps(root: int, path: str, flags: int) -> int:
    """Open each folder on the way by itself, so that none of them can be a link."""
    *folders, name = path.split("/")
    folder = os.dup(root)
    try:
        for part in folders:
            below = open_step(folder, part, FOLDER)
            os.close(folder)
            folder = below
        return open_step(folder, name, flags)
    finally:
        os.close(folder)


def open_step(folder: int, name: str, flags: int) -> int:
    """Open `name` in `folder`; a link is ELOOP, also where the kernel would call it ENOTDIR."""
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except NotADirectoryError as error:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name) from error
        raise


def regular_stat(descriptor: int, shown: str) -> os.stat_result:
    """What an open descriptor is, which must be a regular file."""
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        raise NotARegularFile(
            f"'{shown}' is {_KINDS.get(stat.S_IFMT(facts.st_mode), 'something special')}, not a regular file.",
            next_step="Name a file.",
        )
    return facts


def read_regular(descriptor: int, shown: str, *, limit: int = MAX_FILE_BYTES) -> bytes:
    """All of an open regular file, counted while reading: a file may grow under us."""
    regular_stat(descriptor, shown)
    chunks: list[bytes] = []
    room = limit + 1
    while room and (chunk := os.read(descriptor, min(room, 1024 * 1024))):
        chunks.append(chunk)
        room -= len(chunk)
    if not room:
        raise TooLarge(f"'{shown}' is larger than {limit:,} bytes.", next_step="Split the file.")
    return b"".join(chunks)


def open_failure(error: OSError, shown: str) -> TestwrightError:
    """What to tell a person when the system would not open `shown`."""
    if error.errno in {errno.ELOOP, errno.EXDEV}:
        return PathNotAllowed(f"'{shown}' goes through a link.", next_step="Name the file by the path it really has.")
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return PathNotFound(
            f"There is no file '{shown}'.", next_step="Check the path; it starts at the project's root."
        )
    if error.errno in {errno.ENXIO, errno.ENODEV, errno.EISDIR}:
        return NotARegularFile(f"'{shown}' is not a regular file.", next_step="Name a file.")
    if error.errno == errno.ENAMETOOLONG:
        return InvalidPath(f"'{shown}' is too long for a path.", next_step="Give the file a shorter name.")
    return PathUnreadable(
        f"'{shown}' cannot be read: {error.strerror}.", next_step="Check its permissions, and the disk it lies on."
    )


_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
