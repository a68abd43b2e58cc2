"""One `test_heal` at a time in a project, whichever process it runs in."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testwright.model.errors import HealBusy
from testwright.model.state_folder import heal_lock
from testwright.store.private_files import prepare_folder, refuse_unless_regular

WAIT_SECONDS = 30.0


@contextmanager
def one_at_a_time(root: Path, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """No other heal in this project until the block ends, in this process or another. Raises HealBusy."""
    file = heal_lock(root)
    prepare_folder(file.parent)
    refuse_unless_regular(file)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _lock(descriptor, time.monotonic() + seconds)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, until: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise HealBusy(
                    "Another test_heal is at work in this project.", next_step="Let it finish, and try again."
                ) from None
            time.sleep(0.02)  # the kernel's waiting lock has no time limit
        else:
            return
