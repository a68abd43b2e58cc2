"""Change one file in an open folder so that a reader, a crash or a full disk sees it whole: as it was, or as it became.

The new content goes into a temporary file beside the target, is forced to the disk, and takes the
target's name in one step. Just before that step the target is looked at again: if it is no longer the
file the change was made for, nothing happens. What somebody saves between that look and the step, a
few microseconds, would be lost; no system call offers "rename if still this content".
"""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from testwright.model.errors import BaseChanged, DiskFull, PathNotAllowed, WriteFailed, WriteUncertain
from testwright.review import file_system_calls
from testwright.review.confined_opener import READ, open_failure, open_step, read_regular, regular_stat

_TEMP_NAME = re.compile(r"\.testwright-[0-9a-f]{32}\.tmp")
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where a file lies, or will lie: an open folder, and a name in it."""

    folder: int
    name: str
    shown: str  # the path from the project's root, for messages


def new_temp_name() -> str:
    """A name that cannot be foreseen, that says whose it is, and that no test runner collects."""
    return f".testwright-{secrets.token_hex(16)}.tmp"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def replace_file(
    place: FilePlace, content: bytes, *, base_sha256: str, temp_name: str, check_folder: Callable[[], None]
) -> None:
    """Put `content` in the place of the file whose hash is `base_sha256`; BaseChanged if that is no longer there."""
    before = _target(place, base_sha256)
    with _temporary_file(place, temp_name, content, like=before):
        check_folder()
        now = _target(place, base_sha256)
        if (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
            raise _base_changed(place)
        os.rename(temp_name, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    _confirm(place)


def create_file(place: FilePlace, content: bytes, *, temp_name: str, check_folder: Callable[[], None]) -> None:
    """Make a file that was not there; BaseChanged if something has that name by now."""
    _refuse_if_present(place)
    with _temporary_file(place, temp_name, content, like=None):
        check_folder()
        try:
            file_system_calls.rename_without_replacing(place.folder, temp_name, place.name)
        except FileExistsError:
            raise _appeared(place) from None
    _confirm(place)


def flush_file(place: FilePlace) -> None:
    """Force a file that is already in place, and its name, to the disk, by descriptors that met no error before."""
    try:
        descriptor = open_step(place.folder, place.name, READ)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.fsync(place.folder)
    except OSError as error:
        raise _uncertain(place, error) from error


def remove_temporary(place: FilePlace, temp_name: str) -> bool:
    """Remove what a broken-off write left beside `place`; only a regular file with a name of our making."""
    _insist_on_our_name(temp_name)
    try:
        if not stat.S_ISREG(os.stat(temp_name, dir_fd=place.folder, follow_symlinks=False).st_mode):
            return False
        os.unlink(temp_name, dir_fd=place.folder)
        os.fsync(place.folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _uncertain(place, error) from error
    return True


def write_failure(error: OSError, shown: str) -> WriteFailed | DiskFull:
    """What to tell a person when nothing was changed because the system would not write."""
    if error.errno in _NO_ROOM:
        return DiskFull(
            f"There is no room to write '{shown}'; nothing was changed.", next_step="Free some space and try again."
        )
    return WriteFailed(
        f"'{shown}' could not be written: {error.strerror}; nothing was changed.",
        next_step="Check the folder's permissions, and the disk it lies on.",
    )


@contextlib.contextmanager
def _temporary_file(place: FilePlace, temp_name: str, content: bytes, *, like: os.stat_result | None) -> Iterator[None]:
    """The content on disk under `temp_name`; the body gives it its real name, or it is removed again."""
    _insist_on_our_name(temp_name)
    try:
        # A new file gets the rights that the user's umask gives; a replaced one must not be readable by more people
        # than the original, not even for a moment.
        rights = 0o666 if like is None else 0o600
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(temp_name, flags, rights, dir_fd=place.folder)
    except OSError as error:
        raise write_failure(error, place.shown) from error
    try:
        try:
            _fill(descriptor, content, like)
        finally:
            os.close(descriptor)
        yield
    except OSError as error:
        if not _discard(place, temp_name):
            # It is gone although the rename complained: a network file system may have done it and lost the answer.
            raise _uncertain(place, error) from error
        raise write_failure(error, place.shown) from error
    except BaseException:  # an interrupt too must leave nothing behind
        _discard(place, temp_name)
        raise


def _insist_on_our_name(temp_name: str) -> None:
    if _TEMP_NAME.fullmatch(temp_name) is None:
        raise ValueError(f"not a temporary name of ours: {temp_name!r}")


def _fill(descriptor: int, content: bytes, like: os.stat_result | None) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    if like is not None:
        made = os.fstat(descriptor)
        if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
            # Only root may give files away; anybody else's editor, too, leaves a file that is theirs.
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, like.st_uid, like.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & 0o777)
    # An error here means that the kernel may have dropped our bytes and forgotten it: asking the same descriptor
    # again would be answered with success. The file is thrown away instead.
    os.fsync(descriptor)


def _discard(place: FilePlace, temp_name: str) -> bool:
    """Remove the temporary file; False where it is no longer there."""
    try:
        os.unlink(temp_name, dir_fd=place.folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _uncertain(place, error) from error
    return True


def _target(place: FilePlace, base_sha256: str) -> os.stat_result:
    """The file to be replaced, which must be a regular file with one name and the expected content."""
    try:
        descriptor = open_step(place.folder, place.name, READ)
    except FileNotFoundError:
        raise _base_changed(place) from None
    except OSError as error:
        raise open_failure(error, place.shown) from error
    try:
        facts = regular_stat(descriptor, place.shown)
        if facts.st_nlink != 1:
            raise PathNotAllowed(
                f"'{place.shown}' is one of {facts.st_nlink} names of the same file; the others may lie anywhere.",
                next_step="Make it a file of its own: copy it, and move the copy into its place.",
            )
        found = sha256(read_regular(descriptor, place.shown))
    except OSError as error:
        raise open_failure(error, place.shown) from error
    finally:
        os.close(descriptor)
    if found != base_sha256:
        raise _base_changed(place)
    return facts


def _refuse_if_present(place: FilePlace) -> None:
    try:
        os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError as error:
        raise open_failure(error, place.shown) from error
    raise _appeared(place)


def _confirm(place: FilePlace) -> None:
    """Force the new name to the disk. The file is in place already, so an error leaves a question, not a failure."""
    try:
        os.fsync(place.folder)
    except OSError as error:
        raise _uncertain(place, error) from error


def _base_changed(place: FilePlace) -> BaseChanged:
    return BaseChanged(
        f"'{place.shown}' has changed since this proposal was made; it was not touched.",
        next_step="Ask for a new proposal for the file as it is now.",
    )


def _appeared(place: FilePlace) -> BaseChanged:
    return BaseChanged(
        f"'{place.shown}' did not exist when this proposal was made, and does now; it was not touched.",
        next_step="Ask for a new proposal, or move the file away.",
    )


def _uncertain(place: FilePlace, error: OSError) -> WriteUncertain:
    return WriteUncertain(
        f"The disk did not confirm what became of '{place.shown}': {error.strerror}.",
        next_step="Check the disk; the next `testwright review` looks at the file and records what it finds.",
    )
