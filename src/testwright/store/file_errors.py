"""What the file system complains of, as errors that name the file and say what to do."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import DiskFull, StoreUnavailable

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextlib.contextmanager
def named_file_errors(path: Path) -> Iterator[None]:
    """Turn an operating system's error inside the block into one of ours, about `path`."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFull(
                f"No room is left for {path}; what was written before is unharmed.",
                next_step="Free some space on that disk and repeat the command.",
            ) from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StoreUnavailable(
            f"{path} cannot be used: {reason}.", next_step="Check that the path exists and that you may write there."
        ) from error
