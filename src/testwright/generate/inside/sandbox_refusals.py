"""Let code that changes modes and times of its own files go on where the sandbox allows nobody to."""

import errno
import functools
import os
from collections.abc import Callable
from typing import Any

_CHANGES = ("chmod", "fchmod", "utime", "chown", "fchown", "lchown", "setxattr", "removexattr")


def forgive_refused_changes() -> None:
    """Copying a file sets its mode, and there no sandbox without namespaces can tell ours from yours: it refuses all.

    What is refused for that reason is taken as done. An error that the file system itself would give stays one.
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
