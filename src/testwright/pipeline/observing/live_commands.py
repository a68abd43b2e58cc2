"""Commands for the browser of a recording that goes on in another process, and the file that says how to reach it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.model.errors import NoLiveSession, PilotDisabled
from testwright.model.session import SessionId
from testwright.model.state_folder import SESSION_LIVE, sessions_folder
from testwright.observe.recording.control_socket import send_command
from testwright.store.private_files import content_of
from testwright.store.sessions import list_sessions, open_session

STOP = "stop"
_MOST_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Interaction:
    """What became of a command."""

    session: SessionId
    answer: Mapping[str, Any]

    @property
    def is_ok(self) -> bool:
        return self.answer.get("ok") is True


def interact(
    root: Path, command: Mapping[str, Any], *, pilot: bool, session: str = "", timeout_s: float = 5.0
) -> Interaction:
    """Do one thing in the recorded browser, only with the pilot toggle on: a person opened it, and may be logged in."""
    if not pilot and command.get("do") != STOP:
        raise PilotDisabled(
            "Driving a recorded browser needs the pilot toggle, and it is off: nothing was done.",
            next_step="Run `testwright configure set pilot true` in a terminal, or use the browser by hand.",
        )
    found, info = _live(root, session)
    return Interaction(found, send_command(info, command, timeout_s))


def _live(root: Path, session: str) -> tuple[SessionId, dict[str, Any]]:
    """The session that was named, or the newest that goes on, and how to speak to its recorder."""
    if session:
        open_session(root, session)  # raises when there is none
        known = [SessionId(session)]
    else:
        known = [each.id for each in list_sessions(root) if each.is_live]
    for each in known:
        info = read_live_file(sessions_folder(root) / each)
        if info is not None:
            return each, info
    raise NoLiveSession(
        f"The session {session} is over." if session else "No recording goes on in this project.",
        next_step="Begin one with `testwright record URL`, and leave it running.",
    )


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
