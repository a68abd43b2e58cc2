"""As much of the WebSocket protocol (RFC 6455) as a shop needs that only ever sends short texts."""

import base64
import hashlib
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from io import BufferedIOBase

_ACCEPTING = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # the protocol's own constant
_WHOLE_TEXT = 0x81


def accept(request: BaseHTTPRequestHandler) -> bool:
    """Shake hands; False, and an answer that says so, if nobody asked for a WebSocket."""
    key = request.headers.get("Sec-WebSocket-Key")
    if key is None:
        request.send_error(HTTPStatus.UPGRADE_REQUIRED)
        return False
    digest = hashlib.sha1((key + _ACCEPTING).encode(), usedforsecurity=False).digest()
    request.send_response(HTTPStatus.SWITCHING_PROTOCOLS)
    request.send_header("Upgrade", "websocket")
    request.send_header("Connection", "Upgrade")
    request.send_header("Sec-WebSocket-Accept", base64.b64encode(digest).decode())
    request.end_headers()
    return True


def send_text(to: BufferedIOBase, text: str) -> None:
    """Send a text of at most 125 bytes."""
    content = text.encode()
    if len(content) > 125:
        raise ValueError("longer texts need a longer header, which nothing here needs")
    to.write(bytes([_WHOLE_TEXT, len(content)]) + content)
    to.flush()
