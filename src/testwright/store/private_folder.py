"""Make folders that are private, hidden from git, and never reached through a link."""

import contextlib
import os
import stat
from pathlib import Path

from testwright.model.errors import StoreUnsafe
from testwright.model.state_folder import STATE_FOLDER
from testwright.store.file_errors import named_file_errors


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
