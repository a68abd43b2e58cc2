"""What a test is made from: the part of a session that a request is about, with its pages and texts at hand."""

from dataclasses import dataclass, replace
from pathlib import Path

from testwright.generate.web.session_slice import Slice, slice_for_error, slice_of_actions
from testwright.model.errors import NoActionsCaptured, NoErrorContext, TestwrightError
from testwright.model.session import EventKind, HttpRequest, MessageBody, PageError, Session
from testwright.pipeline.web.request import TestContext, WebTestRequest
from testwright.store.sessions.session_reader import SessionReader, list_sessions, open_session

NO_ERROR_SEEN = "The session has no errors: the test is made from what was done."
NO_NETWORK = "The session holds no network data: nothing about requests is checked."


@dataclass(frozen=True, slots=True)
class Material:
    reader: SessionReader
    session: Session
    piece: Slice
    error: PageError | None = None
    notes: tuple[str, ...] = ()

    @property
    def whole_piece(self) -> Slice:
        """All that led to the error since the session began."""
        assert self.error is not None
        return _with_bodies(slice_for_error(self.session, self.error, whole=True), self.reader)

    @property
    def has_earlier_steps(self) -> bool:
        return self.error is not None and len(self.whole_piece.actions) > len(self.piece.actions)

    @property
    def used(self) -> tuple[str, ...]:
        """Which parts of the capture went into the test."""
        piece = self.piece
        parts = {
            "console": self.error is not None,
            "dom": bool(piece.actions or piece.last_page),
            "network": any(request.is_api for request in piece.requests),
            "actions": bool(piece.actions),
            "storage": not piece.state.is_empty,
            "websocket": bool(piece.sockets),
        }
        return tuple(name for name, is_used in parts.items() if is_used)


def gathered(request: WebTestRequest, root: Path) -> Material:
    """Raises SessionNotFound, NoErrorContext and NoActionsCaptured."""
    reader = open_session(root, request.session)
    session = reader.session()
    error = _error(request, session, root) if request.context is TestContext.ERROR else None
    if error is not None:
        piece = slice_for_error(session, error)
        if piece.start is None and not piece.actions:
            raise _no_actions(session)
        notes: tuple[str, ...] = ()
    else:
        if not session.actions:
            raise _no_actions(session)
        piece = slice_of_actions(session)
        notes = (NO_ERROR_SEEN,) if request.context is TestContext.ERROR else ()
    if not session.requests:
        notes = (*notes, NO_NETWORK)
    return Material(reader, session, _with_bodies(piece, reader), error, notes)


def _with_bodies(piece: Slice, reader: SessionReader) -> Slice:
    requests = tuple(_whole(one, reader) if one.is_api else one for one in piece.requests)
    return replace(piece, requests=requests)


def _error(request: WebTestRequest, session: Session, root: Path) -> PageError | None:
    """The one that was asked for, or the most recent. None: there are none, and the test can be about the actions."""
    if not request.error_id:
        if not session.errors and not session.actions:
            raise NoErrorContext(
                f"No errors were captured in session {session.head.id}.",
                next_step="Trigger the error while recording, then try again.",
            )
        return session.errors[-1] if session.errors else None
    found = next((one for one in session.errors if one.error_id == request.error_id), None)
    if found is None:
        elsewhere = _session_with(request.error_id, root)
        raise NoErrorContext(
            f"Session {session.head.id} has no error {request.error_id}.",
            next_step=f"It is in session {elsewhere}: name it with --session."
            if elsewhere
            else "See `testwright observe errors` for those it has.",
        )
    return found


def _session_with(error_id: str, root: Path) -> str:
    for summary in list_sessions(root):
        try:
            errors = open_session(root, summary.id).session([EventKind.ERROR]).errors
        except TestwrightError:  # a session that cannot be read has nothing to offer
            continue
        if any(one.error_id == error_id for one in errors):
            return str(summary.id)
    return ""


def _no_actions(session: Session) -> NoActionsCaptured:
    return NoActionsCaptured(
        f"No actions were recorded in session {session.head.id}.",
        next_step="Use the page while it is recorded, then try again.",
    )


def _whole(request: HttpRequest, reader: SessionReader) -> HttpRequest:
    """With the bodies that were kept apart."""
    return replace(request, sent=_read(request.sent, reader), received=_read(request.received, reader))


def _read(body: MessageBody | None, reader: SessionReader) -> MessageBody | None:
    if body is None or not body.blob or body.text is not None:
        return body
    text = reader.text(body.blob)
    return replace(body, text=text, note="" if text is not None else body.note or "no longer kept")
