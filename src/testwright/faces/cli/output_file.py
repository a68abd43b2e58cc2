"""Write a report file where the user asked for it."""

import errno
import os
from pathlib import Path

from testwright.model.errors import DiskFull, PathUnreadable


def write_report(file: Path, content: bytes) -> None:
    """Write `content`, whole or not at all. The place is the user's own choice, so any folder will do."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(
                f"There is no room to write {file}.", next_step="Make room, or name another place."
            ) from error
        raise PathUnreadable(
            f"{file} could not be written: {error.strerror}.", next_step="Name a file in a folder you may write to."
        ) from error
