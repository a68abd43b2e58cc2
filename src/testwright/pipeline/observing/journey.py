"""Record a browser: watch it, mask what is seen, and keep it as a session of the project."""

import json
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from testwright.model.errors import TestwrightError
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.model.session import AnySessionEvent, EventKind, SessionId
from testwright.run.external_programs import find_chromium

if TYPE_CHECKING:
    from playwright.async_api import Page

    from testwright.masking.masker import Masker
    from testwright.observe.noise_rules import NoiseRules
    from testwright.observe.recording.record_options import RecordingEnd, RecordOptions
    from testwright.store.sessions.session_writer import SessionWriter

LIVE_FILE = "live.json"  # in a session's folder while it goes on: how to speak to its browser
_MOST_CONFIG_BYTES = 1 << 20
_COUNTED = {
    EventKind.NAVIGATION: ("navigation", "navigations"),
    EventKind.ACTION: ("action", "actions"),
    EventKind.REQUEST: ("request", "requests"),
    EventKind.SOCKET: ("socket event", "socket events"),
    EventKind.CONSOLE: ("console line", "console lines"),
    EventKind.ERROR: ("error", "errors"),
    EventKind.DIALOG: ("dialog", "dialogs"),
}


class CaptureSettings(Protocol):
    """What a recording needs to know of a project's settings."""

    @property
    def test_id_attribute(self) -> str: ...
    @property
    def noise_requests(self) -> tuple[str, ...]: ...
    @property
    def noise_console(self) -> tuple[str, ...]: ...
    @property
    def noise_errors(self) -> tuple[str, ...]: ...
    @property
    def secret_names(self) -> tuple[str, ...]: ...
    @property
    def secret_variables(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A recording that is over, and the session it left."""

    session: SessionId
    ended: "RecordingEnd"
    summary: str  # one line


Drive = Callable[["Page"], Awaitable[None]]
Listen = Callable[[AnySessionEvent], None]
Begun = Callable[[SessionId], None]


def record_session(
    root: Path,
    settings: CaptureSettings,
    url: str,
    options: "RecordOptions | None" = None,
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
    from testwright.observe.recording.recorder import record

    trouble: list[Exception] = []

    async def driven(page: "Page") -> None:
        assert drive is not None
        try:
            await drive(page)
        except Exception as error:  # noqa: BLE001  the caller's own script: its session is finished first, then it is raised
            trouble.append(error)

    with _kept(root, settings, options, env, begun, control=control) as kept:
        kept.ended = record(
            url,
            kept.writer,
            kept.masker,
            kept.options,
            drive=driven if drive else None,
            noise=kept.noise,
            listen=listen,
            control=control,
            on_live=kept.tell_how_to_speak_to_it,
        )
    for error in trouble:
        raise error
    return kept.recorded()


def attach_session(
    root: Path,
    settings: CaptureSettings,
    place: str,
    options: "RecordOptions | None" = None,
    *,
    listen: Listen = lambda _: None,
    begun: Begun = lambda _: None,
    control: bool = False,
    env: Mapping[str, str] = os.environ,
) -> RecordedSession:
    """Watch a browser that already runs: at an http:// address, a port, or with a profile folder. It stays open."""
    from testwright.observe.recording.recorder import attach

    with _kept(root, settings, options, env, begun, control=control) as kept:
        kept.ended = attach(
            place,
            kept.writer,
            kept.masker,
            kept.options,
            noise=kept.noise,
            listen=listen,
            control=control,
            on_live=kept.tell_how_to_speak_to_it,
        )
    return kept.recorded()


@dataclass
class _Kept:
    """One recording's parts."""

    writer: "SessionWriter"
    masker: "Masker"
    noise: "NoiseRules"
    options: "RecordOptions"
    known_before: int  # the version of the masker when nothing had been written yet
    begun: Begun
    ended: "RecordingEnd | None" = None

    def tell_how_to_speak_to_it(self, info: Mapping[str, Any]) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(self.writer.folder / LIVE_FILE, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(dict(info), file)
        self.begun(self.writer.id)

    def forget_how_to_speak_to_it(self) -> None:
        (self.writer.folder / LIVE_FILE).unlink(missing_ok=True)

    def finish(self, *, ended: int, gaps: Iterable[str], last_page: str = "") -> None:
        # A secret is known from the moment it is met; what was written before then may still show it.
        grew = self.masker.version > self.known_before
        self.writer.finish(ended=ended, gaps=gaps, last_page=last_page, remask=self.masker.text if grew else None)

    def is_worth_keeping(self, error: BaseException) -> bool:
        """Not, where the browser or the page never came up: then there is no head, or nothing that anybody did."""
        from testwright.store.sessions.session_paths import HEAD, logs_in

        if isinstance(error, TestwrightError):
            return EventKind.ACTION in logs_in(self.writer.folder)
        return (self.writer.folder / HEAD).exists()

    def recorded(self) -> RecordedSession:
        assert self.ended is not None
        return RecordedSession(self.writer.id, self.ended, _summary(self.writer.id, self.ended))


@contextmanager
def _kept(
    root: Path,
    settings: CaptureSettings,
    options: "RecordOptions | None",
    env: Mapping[str, str],
    begun: Begun,
    *,
    control: bool,
) -> Iterator[_Kept]:
    from testwright.observe.noise_rules import NoiseRules
    from testwright.observe.recording.record_options import RecordOptions
    from testwright.store.sessions import new_session

    masker = masker_for(root, settings, env)
    given = options or RecordOptions(headless=True)
    kept = _Kept(
        new_session(root),
        masker,
        NoiseRules(requests=settings.noise_requests, console=settings.noise_console, errors=settings.noise_errors),
        replace(
            given,
            chromium=given.chromium or find_chromium(env),
            title=masker.text(given.title),
            test_id_attribute=_test_id_attribute(root, settings, given),
        ),
        masker.version,
        begun,
    )
    began = time.monotonic()
    try:
        if not control:  # else it is told once it can be spoken to
            begun(kept.writer.id)
        yield kept
    except BaseException as error:  # an interrupt too: what was seen so far is worth keeping
        kept.forget_how_to_speak_to_it()
        if kept.is_worth_keeping(error):
            gap = "the recording broke off: what came last may be missing"
            kept.finish(ended=int((time.monotonic() - began) * 1000), gaps=(gap,))
        else:
            kept.writer.close()
            shutil.rmtree(kept.writer.folder)
        raise
    kept.forget_how_to_speak_to_it()
    assert kept.ended is not None
    kept.finish(ended=kept.ended.ended, gaps=kept.ended.gaps, last_page=kept.ended.last_page)


def masker_for(root: Path, settings: CaptureSettings, env: Mapping[str, str]) -> "Masker":
    """One that knows the secrets of the project's .env files, and of the variables that its settings name."""
    from testwright.masking.known_secrets import known_secrets
    from testwright.masking.masker import Masker

    return Masker(known=known_secrets(root, env, settings.secret_variables), names=settings.secret_names)


def _test_id_attribute(root: Path, settings: CaptureSettings, options: "RecordOptions") -> str:
    """The one that was asked for, that the settings name, or that the project's Playwright settings do."""
    from testwright.pipeline.healing.on_request.testid_attribute import attribute_for

    if options.test_id_attribute not in ("", DEFAULT_TEST_ID_ATTRIBUTE):
        return options.test_id_attribute
    if settings.test_id_attribute:
        return settings.test_id_attribute

    def read(name: str) -> bytes:
        with suppress(OSError), (root / name).open("rb") as file:
            return file.read(_MOST_CONFIG_BYTES)
        return b""

    return attribute_for("conftest.py", b"", read)


def _summary(session: SessionId, ended: "RecordingEnd") -> str:
    counts = [(words, ended.counts.get(kind, 0)) for kind, words in _COUNTED.items()]
    shown = [f"{number} {words[number != 1]}" for words, number in counts if number]
    return f"Session {session}: {', '.join(shown) or 'nothing happened'}."
