"""Set up a process that runs code under test: where it stands, how long it may wait, what the sandbox refuses it."""

import errno
import functools
import os
import signal
import tempfile
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from testwright.instrument.probes import WorkExceeded

_LONGEST_SLEEP = 0.05
_CHANGES = ("chmod", "fchmod", "utime", "chown", "fchown", "lchown", "setxattr", "removexattr")


def owned_folder(name: str) -> str:
    """A current folder of our own, so that files written by relative names do not end up in a project."""
    folder = tempfile.mkdtemp(prefix=name)
    os.chdir(folder)
    return folder


def forbid_waiting() -> None:
    """Make a long wait end a case at once: it would only be cut off later, and by the clock."""
    really_sleep = time.sleep

    def sleep(seconds: Any) -> None:
        if isinstance(seconds, int | float) and seconds > _LONGEST_SLEEP:
            raise WorkExceeded(f"waits {seconds} s")
        really_sleep(seconds)

    time.sleep = sleep


def ring_when_too_slow() -> None:
    def too_slow(_number: int, _frame: FrameType | None) -> None:
        raise WorkExceeded("took too long")

    signal.signal(signal.SIGALRM, too_slow)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, it is unknown how a fork ended


def forgive_refused_changes() -> None:
    """Copying a file sets its mode. A sandbox without namespaces cannot tell one file from another: it refuses all.

    What is refused for that reason counts as done. An error that the file system itself would give stays one.
    """
    for name in _CHANGES:
        if hasattr(os, name):
            setattr(os, name, _forgiving(getattr(os, name)))


def _forgiving(change: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(change)
    def changed(*arguments: Any, **options: Any) -> None:
        try:
            change(*arguments, **options)
        except PermissionError as error:
            if error.errno != errno.EPERM:
                raise

    return changed
