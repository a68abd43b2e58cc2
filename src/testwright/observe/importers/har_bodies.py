"""What was sent or received, from a HAR entry: written in it, packed in base64, or in a file beside it."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from testwright.masking.masker import Masker
from testwright.model.session import MessageBody
from testwright.model.strict_json import JsonObject
from testwright.model.untrusted_text import storable
from testwright.observe.importers.json_fields import number_of, object_or_empty, objects_of, text_of
from testwright.observe.recording.http_bodies import MOST_PER_BODY, is_binary

_NOT_KEPT = frozenset({"script", "stylesheet", "image", "font", "media", "manifest", "texttrack"})

# The bytes of a file beside the entries, by the name that an entry gives; None: there is none, or it is too large.
Attachments = Callable[[str], bytes | None]


def no_attachments(_name: str) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True)
class BodyReader:
    masker: Masker
    attachments: Attachments = no_attachments

    def received(self, response: JsonObject, resource: str) -> MessageBody | None:
        """Not of scripts, styles and images: those come from the app under test."""
        if resource in _NOT_KEPT:
            return None
        content = object_or_empty(response.get("content"))
        mime = text_of(content, "mimeType")
        size = max(0, int(number_of(content, "size")))
        raw = self._raw(content)
        if raw is None:
            return MessageBody(None, mime, size, "evicted") if size else None
        return self._body(raw, mime, size)

    def sent(self, request: JsonObject) -> MessageBody | None:
        data = object_or_empty(request.get("postData"))
        if not data:
            return None
        mime = text_of(data, "mimeType")
        raw = self._raw(data)
        params = list(objects_of(data, "params"))
        if not raw and params:
            # Some browsers write a form's fields only.
            raw = urlencode([(text_of(one, "name"), text_of(one, "value")) for one in params])
        if raw is None or raw == "":
            size = max(0, int(number_of(request, "bodySize")))
            return MessageBody(None, mime, size, "evicted") if size else None
        return self._body(raw, mime, 0)

    def _raw(self, holder: JsonObject) -> str | bytes | None:
        text = text_of(holder, "text")
        if text:
            return _unpacked(text) if text_of(holder, "encoding") == "base64" else text
        name = text_of(holder, "_file") or text_of(holder, "_sha1")
        if name:
            return self.attachments(name)
        return text if "text" in holder else None

    def _body(self, raw: str | bytes, mime: str, size: int) -> MessageBody:
        content = raw if isinstance(raw, bytes) else raw.encode("utf-8", "replace")
        size = size or len(content)
        if is_binary(content, mime):
            return MessageBody(None, mime, size, "binary")
        if len(content) > MOST_PER_BODY:
            return MessageBody(None, mime, size, "too_large")
        text = content.decode("utf-8", "replace") if isinstance(raw, bytes) else storable(raw)
        return MessageBody(self.masker.body(text, mime), mime, size)


def _unpacked(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return None
