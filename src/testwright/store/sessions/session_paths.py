"""What sessions and their logs are called, and which folders are sessions."""

import os
import re
import secrets
import stat
from datetime import UTC, datetime
from pathlib import Path

from testwright.model.session import EventKind, SessionId
from testwright.model.state_folder import SESSION_LOCK, sessions_folder
from testwright.store.private_files import named_file_errors, prepare_folder

_SESSION_ID = re.compile(r"cap_[0-9TZ]{1,32}_[0-9a-f]{1,32}")
_BLOB_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}")
_LOG_NAME = re.compile(rf"({'|'.join(EventKind)})\.(0|[1-9][0-9]{{0,11}})\.jsonl")


def is_session_id(text: str) -> bool:
    return _SESSION_ID.fullmatch(text) is not None


def is_blob_name(text: str) -> bool:
    """Whether a page or a text may be called this: it can name a file in its own folder, and nothing else."""
    return _BLOB_NAME.fullmatch(text) is not None


def log_name(kind: EventKind, generation: int) -> str:
    return f"{kind}.{generation}.jsonl"


def logs_in(folder: Path) -> dict[EventKind, list[Path]]:
    """The files of events in a session's folder by kind, the oldest generation first."""
    found: dict[EventKind, list[tuple[int, Path]]] = {}
    for name in os.listdir(folder):  # noqa: PTH208  names are all that is needed
        if (parts := _LOG_NAME.fullmatch(name)) is not None:
            found.setdefault(EventKind(parts[1]), []).append((int(parts[2]), folder / name))
    return {kind: [path for _, path in sorted(files)] for kind, files in found.items()}


def make_session_folder(root: Path, *, now: datetime | None = None) -> Path:
    """A new folder, named by the moment and by chance."""
    above = sessions_folder(root)
    prepare_folder(above)
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    with named_file_errors(above):
        while True:
            folder = above / f"cap_{moment:%Y%m%dT%H%M%S}_{secrets.token_hex(3)}"
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder


def session_folders(root: Path) -> list[tuple[SessionId, Path]]:
    """Every session's folder, the newest first. What only looks like one, such as a link, is left out."""
    above = sessions_folder(root)
    if not _is_folder(above):
        return []
    with named_file_errors(above):
        found = [above / name for name in os.listdir(above) if is_session_id(name)]  # noqa: PTH208  names are all that is needed
    folders = [folder for folder in found if _is_folder(folder)]
    folders.sort(key=lambda folder: (folder.name.split("_")[1], _made_at(folder), folder.name), reverse=True)
    return [(SessionId(folder.name), folder) for folder in folders]


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:  # gone, or behind a door that is closed to us
        return False


def _made_at(folder: Path) -> int:
    try:
        return (folder / SESSION_LOCK).lstat().st_mtime_ns  # written once, at the very beginning
    except OSError:
        return 0
