"""When to record what tests find: seldom, as it costs time, and again once a test file has changed.

A small file in the state folder remembers which test files were recorded as they are now. The store could tell
too, but to load it would take longer than many a test run.
"""

import json
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from testwright.store.folder import STATE_FOLDER, prepare_folder

_NAME = "recorded.json"
_DAY = 24 * 3600.0
_STALE = 7 * _DAY  # pages drift slowly, and a fingerprint holds as long as its page does
_PAUSE = _DAY / 4  # between two recordings of files that somebody is at work on


def is_due(root: Path, files: Sequence[Path], now: float | None = None) -> bool:
    """Whether one of these test files was never recorded, or is another by now, or was recorded long ago."""
    moment = time.time() if now is None else now
    noted = _read(root)
    return any(_is_due(noted.get(_key(root, file)), file, moment) for file in files)


def note_recorded(root: Path, files: Iterable[Path], now: float | None = None) -> None:
    """Remember that these files were recorded as they are."""
    moment = time.time() if now is None else now
    noted = _read(root)
    for file in files:
        with suppress(OSError):
            status = file.stat()
            noted[_key(root, file)] = [status.st_mtime_ns, status.st_size, moment]
    folder = root / STATE_FOLDER
    prepare_folder(folder)
    new = folder / f"{_NAME}.{os.getpid()}"
    new.write_text(json.dumps(noted), encoding="utf-8")
    new.replace(folder / _NAME)


def _is_due(noted: object, file: Path, now: float) -> bool:
    match noted:
        case [int(mtime), int(size), float() | int() as at]:
            pass
        case _:
            return True
    age = now - at
    if not 0 <= age < _STALE:
        return True
    try:
        status = file.stat()
    except OSError:
        return False
    return (status.st_mtime_ns, status.st_size) != (mtime, size) and age >= _PAUSE


def _read(root: Path) -> dict[str, object]:
    try:
        noted = json.loads((root / STATE_FOLDER / _NAME).read_bytes())
    except (OSError, ValueError):  # not there yet, or torn: everything is recorded anew
        return {}
    return noted if isinstance(noted, dict) else {}


def _key(root: Path, file: Path) -> str:
    return os.path.relpath(file, root)
