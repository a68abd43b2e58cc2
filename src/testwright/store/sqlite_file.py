"""The file behind a SQLite store: made private, refused when it is not what it seems, copied aside when damaged."""

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

from testwright.model.errors import StoreCorrupt
from testwright.store import database_errors
from testwright.store.private_files import named_file_errors, prepare_folder, refuse_unless_regular

_TURN = "-turn"
_COMPANIONS = ("-journal", "-wal", "-shm", _TURN)  # that SQLite, and we, open beside the database


def prepare_file(file: Path) -> None:
    """Make sure that opening `file` reaches that file and nothing else, and that only this user can read it."""
    prepare_folder(file.parent)
    for path in (file, *_companions(file)):
        refuse_unless_regular(path)
    with named_file_errors(file), contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))


def turn_file(file: Path) -> Path:
    """What writers lock. Not the store itself: closing a second handle of it would drop SQLite's own locks."""
    return file.with_name(file.name + _TURN)


def stopped_uncleanly(file: Path) -> bool:
    """True when a writer's rollback journal lies beside the store: it was killed, or it is writing at this moment."""
    with contextlib.suppress(FileNotFoundError):
        return _journal(file).stat().st_size > 0
    return False


def put_aside(file: Path) -> StoreCorrupt:
    """Copy a damaged store, once for each state it is found in, and say where the copy is.

    The original stays: a store that vanished and came back empty would look like a project without a history.
    """
    try:
        with file.open("rb") as source:
            state = hashlib.file_digest(source, "sha256").hexdigest()[:8]
        backup = file.with_name(f"{file.name}.damaged-{state}")
        if not backup.exists():
            _copy_privately(file, backup)
            if _journal(file).exists():
                _copy_privately(_journal(file), _journal(backup))
    except OSError:  # a full disk, most likely: the damage is what must be reported, and the original is untouched
        return database_errors.damaged(str(file), None)
    return database_errors.damaged(str(file), str(backup))


def _copy_privately(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with source.open("rb") as reader, os.fdopen(descriptor, "wb") as writer:
            shutil.copyfileobj(reader, writer)
    except OSError:
        target.unlink()  # half a copy would be taken for a whole one
        raise


def _journal(file: Path) -> Path:
    return file.with_name(f"{file.name}-journal")


def _companions(file: Path) -> list[Path]:
    return [file.with_name(file.name + suffix) for suffix in _COMPANIONS]
