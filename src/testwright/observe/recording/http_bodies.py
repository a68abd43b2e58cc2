"""What was sent and received, as far as it is text, is not too long, and there is room for it."""

import re
from typing import TYPE_CHECKING

from testwright.model.session import MessageBody
from testwright.model.state_folder import received_name, sent_name
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import Request, Response

MOST_PER_BODY = 256 * 1024
MOST_PER_SESSION = 64 * 1024 * 1024
LONGEST_INLINE = 16 * 1024  # longer texts are kept apart
_SNIFFED = 8 * 1024
_TEXT = re.compile(
    r"text/|application/(?:[\w.+-]*(?:json|xml|javascript|ecmascript|graphql|yaml|ndjson|csv)|x-www-form-urlencoded)"
    r"|multipart/form-data|image/svg",
    re.IGNORECASE,
)
_NO_BODY = frozenset({204, 205, 304})
FETCHED = frozenset({"fetch", "xhr", "document"})  # what is worth its body: the rest comes from the app under test


class Bodies:
    """One recording's; masks what it keeps, and counts it."""

    def __init__(self, notebook: RecordingState, *, per_session: int = MOST_PER_SESSION) -> None:
        self._notebook = notebook
        self._room = per_session

    def sent(self, request: "Request", seq: int) -> MessageBody | None:
        raw = request.post_data_buffer
        if raw is None:
            return None
        return self.kept(raw, request.headers.get("content-type", ""), sent_name(seq))

    async def received(self, response: "Response", seq: int) -> MessageBody:
        """Ask the browser for it: only once the answer is whole."""
        from playwright.async_api import Error  # late: extra: playwright

        mime = response.headers.get("content-type", "")
        announced = response.headers.get("content-length", "")
        try:
            size = int(announced) if announced.isdigit() else (await response.request.sizes())["responseBodySize"]
            if size > MOST_PER_BODY:
                return self._left_out(mime, size, "too_large")
            raw = await response.body()
        except Error:
            return MessageBody(None, mime, 0, "evicted")
        return self.kept(raw, mime, received_name(seq))

    def kept(self, raw: bytes, mime: str, name: str) -> MessageBody:
        size = len(raw)
        if is_binary(raw, mime):
            return MessageBody(None, mime, size, "binary")
        if size > MOST_PER_BODY or size > self._room:
            return self._left_out(mime, size, "too_large")
        self._room -= size
        text = self._notebook.masker.body(_decoded(raw, mime), mime)
        if len(text) > LONGEST_INLINE:
            blob = self._notebook.sink.keep_text(name, text)
            return (
                MessageBody(text=None, mime=mime, size=size, blob=blob)
                if blob
                else self._left_out(mime, size, "too_large")
            )
        return MessageBody(text, mime, size)

    def _left_out(self, mime: str, size: int, note: str) -> MessageBody:
        self._notebook.gaps.add(
            "bodies: no room for more of them in this session"
            if size <= MOST_PER_BODY
            else f"bodies over {MOST_PER_BODY // 1024} KiB are not kept"
        )
        return MessageBody(None, mime, size, note)


def has_body(method: str, status: int) -> bool:
    """Whether an answer can have one that the browser would give away."""
    return method != "HEAD" and status not in _NO_BODY and not 300 <= status < 400


def is_binary(raw: bytes, mime: str) -> bool:
    if b"\x00" in raw[:_SNIFFED]:
        return True
    if _TEXT.match(mime) and not mime.startswith("multipart/"):
        return False
    if mime and not mime.startswith("multipart/"):
        return True
    try:  # unnamed, or with files among its parts: text if it reads as text
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _decoded(raw: bytes, mime: str) -> str:
    """Chromium hands out most texts in UTF-8, in whatever encoding they came, and some as they came."""
    named = re.search(r"charset=\"?([\w.:-]+)", mime, re.IGNORECASE)
    for charset in ("utf-8", named[1] if named else "utf-8"):
        try:
            return raw.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("utf-8", "replace")
