"""A recording that goes on: the session it writes, what it masks, and how it ends well or badly."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from testwright.masking.masker import Masker
from testwright.model.errors import TestwrightError
from testwright.model.session import EventKind, SessionId
from testwright.model.state_folder import SESSION_HEAD
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.record_options import RecordingEnd, RecordOptions
from testwright.pipeline.observing.capture_settings import (
    CaptureSettings,
    masker_for,
    noise_rules_of,
    test_id_attribute_for,
)
from testwright.pipeline.observing.live_commands import remove_live_file, write_live_file
from testwright.run.external_programs import find_chromium
from testwright.store.sessions.session_paths import logs_in
from testwright.store.sessions.session_writer import SessionWriter, new_session

Begun = Callable[[SessionId], None]


@dataclass
class OpenRecording:
    writer: SessionWriter
    masker: Masker
    noise: NoiseRules
    options: RecordOptions
    known_before: int  # the version of the masker when nothing had been written yet
    begun: Begun
    ended: RecordingEnd | None = None

    def is_reachable(self, info: Mapping[str, Any]) -> None:
        """The browser can be spoken to now; `info` says how."""
        write_live_file(self.writer.folder, info)
        self.begun(self.writer.id)

    def finish(self, *, ended: int, gaps: Iterable[str], last_page: str = "") -> None:
        # A secret is known from the moment it is met; what was written before then may still show it.
        grew = self.masker.version > self.known_before
        self.writer.finish(ended=ended, gaps=gaps, last_page=last_page, remask=self.masker.text if grew else None)

    def break_off(self, error: BaseException, *, after_s: float) -> None:
        if self._is_worth_keeping(error):
            gap = "the recording broke off: what came last may be missing"
            self.finish(ended=int(after_s * 1000), gaps=(gap,))
        else:
            self.writer.close()
            shutil.rmtree(self.writer.folder)

    def _is_worth_keeping(self, error: BaseException) -> bool:
        """Not where the browser or the page never came up: then there is no head, or no action."""
        if isinstance(error, TestwrightError):
            return EventKind.ACTION in logs_in(self.writer.folder)
        return (self.writer.folder / SESSION_HEAD).exists()


@contextmanager
def open_recording(
    root: Path,
    settings: CaptureSettings,
    options: RecordOptions | None,
    env: Mapping[str, str],
    begun: Begun,
    *,
    control: bool,
) -> Iterator[OpenRecording]:
    """A new session to record into. The one who records sets `ended`; an interrupt keeps what was seen so far."""
    masker = masker_for(root, settings, env)
    given = options or RecordOptions(headless=True)
    recording = OpenRecording(
        new_session(root),
        masker,
        noise_rules_of(settings),
        replace(
            given,
            chromium=given.chromium or find_chromium(env),
            title=masker.text(given.title),
            test_id_attribute=test_id_attribute_for(root, settings, given.test_id_attribute),
        ),
        masker.version,
        begun,
    )
    began = time.monotonic()
    try:
        if not control:  # else it is reported once the browser can be spoken to
            begun(recording.writer.id)
        yield recording
    except BaseException as error:  # an interrupt too: what was seen so far is worth keeping
        remove_live_file(recording.writer.folder)
        recording.break_off(error, after_s=time.monotonic() - began)
        raise
    remove_live_file(recording.writer.folder)
    ended = recording.ended
    assert ended is not None
    recording.finish(ended=ended.ended, gaps=ended.gaps, last_page=ended.last_page)
