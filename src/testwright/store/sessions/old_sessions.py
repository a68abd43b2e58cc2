"""Old sessions go, so that recording every day does not fill the disk."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from testwright.model.session import SessionId
from testwright.model.state_folder import SESSION_END, SESSION_LOCK
from testwright.store.file_locks import try_lock
from testwright.store.private_files import open_to_read
from testwright.store.sessions.session_paths import session_folders

_MOST_BYTES = 1 << 30


def prune_sessions(root: Path, *, keep: int = 20, most_bytes: int = _MOST_BYTES) -> list[SessionId]:
    """Remove all but the newest `keep` sessions, and more while they take too much room; the ids of those removed.

    One that is still written stays, and so does one that a baseline was made of.
    """
    # late: start-up: to look at a session needs none
    from testwright.store.sessions.baseline_files import sessions_of_baselines

    spared = sessions_of_baselines(root)
    removed: list[SessionId] = []
    kept, taken = 0, 0
    for session, folder in session_folders(root):
        size = _size_of(folder)
        if session in spared:
            continue
        if kept < keep and taken + size <= most_bytes:
            kept += 1
            taken += size
            continue
        with _unwritten(folder) as is_ours:
            if is_ours:
                shutil.rmtree(folder, ignore_errors=True)
                removed.append(session)
    return removed


@contextlib.contextmanager
def _unwritten(folder: Path) -> Iterator[bool]:
    """Whether the session is over. A folder without a lock has just been made, unless it has an end."""
    descriptor = open_to_read(folder / SESSION_LOCK)
    if descriptor is None:
        yield (folder / SESSION_END).exists()
        return
    try:
        yield try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _size_of(folder: Path) -> int:
    total = 0
    for above, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(above) / name).lstat().st_size
    return total
