"""Import a session: read a file of another tool, mask it, and keep it as a session of the project."""

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testwright.model.session import (
    KINDS,
    Action,
    AnySessionEvent,
    EventKind,
    HttpRequest,
    MessageBody,
    PageError,
    SessionId,
    SessionSource,
)
from testwright.model.state_folder import received_name, sent_name
from testwright.observe.importers.session_file import read_session
from testwright.observe.importers.session_file_kinds import FileKind
from testwright.observe.importers.session_masker import SnapshotMasker
from testwright.observe.importers.session_timeline import SessionContent
from testwright.observe.recording.http_bodies import LONGEST_INLINE
from testwright.pipeline.observing.capture_settings import CaptureSettings, masker_for, noise_rules_of
from testwright.store.sessions.session_writer import SessionWriter, new_session

_MOST_PAGES = 60  # the newest; as many as a session keeps


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """A session that was kept, and what is known of it."""

    session: SessionId
    source: SessionSource
    url: str
    counts: Mapping[EventKind, int]
    gaps: tuple[str, ...]  # what a file of this kind, or this file, does not contain

    @property
    def next_step(self) -> str:
        """The best that can be made of it: a test of an error, of what was done, or nothing but a look."""
        if self.counts.get(EventKind.ERROR):
            return f"testwright generate web --from error --session {self.session}"
        if self.counts.get(EventKind.ACTION):
            return f"testwright generate web --from interaction --session {self.session}"
        return f"testwright observe network --session {self.session}"


def import_session(
    root: Path,
    settings: CaptureSettings,
    path: Path,
    *,
    wanted: FileKind | None = None,
    env: Mapping[str, str] = os.environ,
) -> ImportedSession:
    """Keep the session that the file at `path` describes. Nothing is written unless all of it could be read."""
    masker = masker_for(root, settings, env)
    imported = read_session(path, masker, noise_rules_of(settings), wanted)
    known = masker.version
    writer = new_session(root)
    try:
        masking = SnapshotMasker(masker)
        _write(imported, writer, masking)
        last = imported.last_page() if imported.last_page is not None else None
        writer.finish(
            ended=imported.ended,
            gaps=imported.gaps,
            last_page=writer.keep_page(len(imported.events) + 1, masking.page(last)) if last is not None else "",
            remask=masker.text if masker.version > known else None,
        )
    except BaseException:  # an interrupt too must not leave half a session
        writer.close()
        shutil.rmtree(writer.folder, ignore_errors=True)
        raise
    counts = dict(Counter(KINDS[type(event)] for event in imported.events))
    return ImportedSession(writer.id, imported.head.source, imported.head.url, counts, imported.gaps)


def _write(imported: SessionContent, writer: SessionWriter, masking: SnapshotMasker) -> None:
    writer.begin(replace(imported.head, id=writer.id))
    keeps = set(sorted(imported.pages)[-_MOST_PAGES:])
    for event in imported.events:
        page = imported.pages[event.seq]() if event.seq in keeps else None
        name = writer.keep_page(event.seq, masking.page(page)) if page is not None else ""
        writer.add(_with_page(_with_short_bodies(event, writer), name))


def _with_page(event: AnySessionEvent, name: str) -> AnySessionEvent:
    return replace(event, page=name) if name and isinstance(event, Action | PageError) else event


def _with_short_bodies(event: AnySessionEvent, writer: SessionWriter) -> AnySessionEvent:
    """Long texts are kept apart, as a recording does it."""
    if not isinstance(event, HttpRequest):
        return event
    sent, received = _short(event.sent, sent_name(event.seq), writer), event.received
    return replace(event, sent=sent, received=_short(received, received_name(event.seq), writer))


def _short(body: MessageBody | None, name: str, writer: SessionWriter) -> MessageBody | None:
    if body is None or body.text is None or len(body.text) <= LONGEST_INLINE:
        return body
    blob = writer.keep_text(name, body.text)
    return replace(body, text=None, blob=blob, note="" if blob else "too_large")
