"""Record a browser: watch it, mask what is seen, and keep it as a session of the project."""

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.session import AnySessionEvent, EventKind, SessionId
from testwright.observe.recording.record_options import RecordingEnd, RecordOptions
from testwright.observe.recording.recorder import attach, record
from testwright.pipeline.observing.capture_settings import CaptureSettings
from testwright.pipeline.observing.open_recording import Begun, OpenRecording, open_recording

if TYPE_CHECKING:
    from playwright.async_api import Page

_COUNTED = {
    EventKind.NAVIGATION: ("navigation", "navigations"),
    EventKind.ACTION: ("action", "actions"),
    EventKind.REQUEST: ("request", "requests"),
    EventKind.SOCKET: ("socket event", "socket events"),
    EventKind.CONSOLE: ("console line", "console lines"),
    EventKind.ERROR: ("error", "errors"),
    EventKind.DIALOG: ("dialog", "dialogs"),
}

Drive = Callable[["Page"], Awaitable[None]]
Listen = Callable[[AnySessionEvent], None]


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A recording that is over, and the session it left."""

    session: SessionId
    ended: RecordingEnd
    summary: str  # one line


def record_session(
    root: Path,
    settings: CaptureSettings,
    url: str,
    options: RecordOptions | None = None,
    *,
    drive: Drive | None = None,
    listen: Listen = lambda _: None,
    begun: Begun = lambda _: None,
    control: bool = False,
    env: Mapping[str, str] = os.environ,
) -> RecordedSession:
    """Open a browser at `url` and keep what happens there until it is over.

    With `drive`, a coroutine function that uses the page, that is when it returns; else when the user closes the
    browser or interrupts us, or when `options.seconds` have passed.
    """
    trouble: list[Exception] = []

    async def driven(page: "Page") -> None:
        assert drive is not None
        try:
            await drive(page)
        except Exception as error:  # noqa: BLE001  the caller's own script: its session is finished first, then it is raised
            trouble.append(error)

    with open_recording(root, settings, options, env, begun, control=control) as recording:
        recording.ended = record(
            url,
            recording.writer,
            recording.masker,
            recording.options,
            drive=driven if drive else None,
            noise=recording.noise,
            listen=listen,
            control=control,
            on_live=recording.is_reachable,
        )
    for error in trouble:
        raise error
    return _recorded(recording)


def attach_session(
    root: Path,
    settings: CaptureSettings,
    place: str,
    options: RecordOptions | None = None,
    *,
    listen: Listen = lambda _: None,
    begun: Begun = lambda _: None,
    control: bool = False,
    env: Mapping[str, str] = os.environ,
) -> RecordedSession:
    """Watch a browser that already runs: at an http:// address, a port, or with a profile folder. It stays open."""
    with open_recording(root, settings, options, env, begun, control=control) as recording:
        recording.ended = attach(
            place,
            recording.writer,
            recording.masker,
            recording.options,
            noise=recording.noise,
            listen=listen,
            control=control,
            on_live=recording.is_reachable,
        )
    return _recorded(recording)


def _recorded(recording: OpenRecording) -> RecordedSession:
    session, ended = recording.writer.id, recording.ended
    assert ended is not None
    counts = [(words, ended.counts.get(kind, 0)) for kind, words in _COUNTED.items()]
    shown = [f"{number} {words[number != 1]}" for words, number in counts if number]
    return RecordedSession(session, ended, f"Session {session}: {', '.join(shown) or 'nothing happened'}.")
