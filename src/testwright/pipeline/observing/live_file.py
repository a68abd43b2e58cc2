"""How to speak to the browser of a recording that goes on: a file in the session's folder, there as long as it does."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testwright.model.state_folder import SESSION_LIVE
from testwright.store.private_files import content_of

_MOST_BYTES = 64 << 10


def write_live_file(folder: Path, info: Mapping[str, Any]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(folder / SESSION_LIVE, flags, 0o600), "w", encoding="utf-8") as file:
        json.dump(dict(info), file)


def read_live_file(folder: Path) -> dict[str, Any] | None:
    """None where no recording goes on, or where the file is being written at this moment."""
    content = content_of(folder / SESSION_LIVE, most=_MOST_BYTES)
    try:
        info = json.loads(content) if content is not None else None
    except ValueError:
        return None
    return info if isinstance(info, dict) else None


def remove_live_file(folder: Path) -> None:
    (folder / SESSION_LIVE).unlink(missing_ok=True)
