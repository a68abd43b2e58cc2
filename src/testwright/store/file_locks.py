"""Locks between processes that vanish with their holder, and fair turns for writers."""

import contextlib
import fcntl
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

from testwright.store.private_files import named_file_errors

_POLL_SECONDS = (0.0005, 0.002)


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
    with named_file_errors(file):
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        deadline = time.monotonic() + wait_seconds
        while not (ours := try_lock(descriptor, fcntl.LOCK_EX)) and time.monotonic() < deadline:
            time.sleep(random.uniform(*_POLL_SECONDS))  # noqa: S311  no secret: only to be out of step with the others
        yield ours
    finally:
        os.close(descriptor)
