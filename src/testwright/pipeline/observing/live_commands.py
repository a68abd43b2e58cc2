"""Commands for the browser of a recording that goes on in another process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.model.errors import NoLiveSession, PilotDisabled
from testwright.model.session import SessionId
from testwright.model.state_folder import sessions_folder
from testwright.observe.recording.control_socket import send_command
from testwright.pipeline.observing.live_file import read_live_file
from testwright.store.sessions import list_sessions, open_session

STOP = "stop"


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
