"""A small web and a browser for tests of the watchers: everything real but the place where events are kept."""

import asyncio
import base64
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from pathlib import Path
from typing import ClassVar, TypeVar

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.session import AnySessionEvent, SessionEvent, SessionHead
from testwright.observe.recording.recording_state import RecordingState

T = TypeVar("T", bound=SessionEvent)
SECRET = "hunter2-hunter2"


@dataclass
class Shelf:
    """A sink that keeps everything in memory."""

    events: list[AnySessionEvent] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def begin(self, head: SessionHead) -> None: ...

    def add(self, event: AnySessionEvent) -> None:
        self.events.append(event)

    def keep_page(self, seq: int, page: DomSnapshot) -> str:
        return f"page-{seq}"

    def keep_text(self, name: str, text: str) -> str:
        self.texts[name] = text
        return name

    def all(self, kind: type[T]) -> list[T]:
        """In the order in which they began."""
        return sorted((event for event in self.events if isinstance(event, kind)), key=lambda event: event.seq)


def new_notebook() -> tuple[RecordingState, Shelf]:
    shelf = Shelf()
    return RecordingState(shelf, Masker(known={"API_KEY": SECRET})), shelf


# --- the web --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    body: bytes
    mime: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Pages = Mapping[str, Answer | Callable[[bytes], Answer]]


def page_of(script: str = "", body: str = "") -> Answer:
    return Answer(f"<!doctype html><title>t</title><body>{body}<script>{script}</script>".encode())


@dataclass
class Web:
    """`pages` by path; a function is asked with the body that was sent."""

    url: str
    pages: dict[str, Answer | Callable[[bytes], Answer]]
    asked: list[str] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)  # /held answers when it is set


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    web: ClassVar[Web]

    def log_message(self, *args: object) -> None: ...

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.web.asked.append(self.path)
        if self.headers.get("upgrade", "").lower() == "websocket":
            return self._socket(path)
        if path == "/held":
            self.web.hold.wait(10)
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        found = self.web.pages.get(path, Answer(b"not here", "text/plain", 404))
        answer = found(sent) if callable(found) else found
        self.send_response(answer.status)
        self.send_header("content-type", answer.mime)
        self.send_header("content-length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)
        return None

    do_POST = do_GET  # noqa: N815 - the name that the base class looks for

    def _socket(self, path: str) -> None:
        """Answers each text with `echo: text`; /binary sends bytes, /flood a thousand numbers."""
        key = self.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("upgrade", "websocket")
        self.send_header("connection", "Upgrade")
        self.send_header("sec-websocket-accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        if path == "/binary":
            self.wfile.write(_frame(b"\x00\x01\x02", opcode=2))
        for number in range(1_000 if path == "/flood" else 0):
            self.wfile.write(_frame(str(number).encode()))
        while (text := _heard(self.rfile)) is not None:
            self.wfile.write(_frame(b"echo: " + text) if path != "/json" else _frame(text))
        self.wfile.write(_frame(b"", opcode=8))
        self.close_connection = True


def _frame(payload: bytes, opcode: int = 1) -> bytes:
    size = len(payload)
    length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")
    if size > 65_535:
        length = b"\x7f" + size.to_bytes(8, "big")
    return bytes([0x80 | opcode]) + length + payload


def _heard(stream: BufferedIOBase) -> bytes | None:
    """The next text of the browser, which masks them; None once it says goodbye."""
    head = stream.read(2)
    if len(head) < 2 or head[0] & 15 == 8:
        return None
    size = head[1] & 127
    size = int.from_bytes(stream.read({126: 2, 127: 8}[size]), "big") if size > 125 else size
    mask = stream.read(4)
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(stream.read(size)))


@contextmanager
def serving(pages: Pages) -> Iterator[Web]:
    class Handler(_Handler):
        pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: object, client_address: object) -> None:
            """A browser that hangs up is no news."""

    with Server(("127.0.0.1", 0), Handler) as server:
        Handler.web = Web(f"http://127.0.0.1:{server.server_address[1]}", dict(pages))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Handler.web
        finally:
            Handler.web.hold.set()
            server.shutdown()
            thread.join()


# --- the browser ------------------------------------------------------------------------------------


class Chromium:
    """One browser on one loop, for a module's tests."""

    def __init__(self, executable: str) -> None:
        self.runner = asyncio.Runner()
        self._executable = executable
        self._driver = async_playwright()
        self.browser: Browser = self.runner.run(self._launched())

    async def _launched(self) -> Browser:
        playwright = await self._driver.start()
        return await playwright.chromium.launch(executable_path=self._executable)

    async def context(self) -> BrowserContext:
        return await self.browser.new_context()

    def close(self) -> None:
        async def end() -> None:
            await self.browser.close()
            await self._driver.__aexit__()

        self.runner.run(end())
        self.runner.close()


async def settled(page: Page, expression: str = "window.done === true") -> None:
    await page.wait_for_function(expression)


def tab_one(page: Page) -> int:
    return 1


def source_of(name: str) -> str:
    """A file of the recorder's."""
    from testwright.observe import recording

    return (Path(recording.__path__[0]) / name).read_text(encoding="utf-8")
