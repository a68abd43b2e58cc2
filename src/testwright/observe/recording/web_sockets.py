"""What pages and servers say to each other over WebSockets."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from testwright.model.session import SocketEvent, SocketMoment
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.background_tasks import guarded
from testwright.observe.recording.rate_limit import RateLimit
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, WebSocket

LONGEST_FRAME = 64 * 1024
MOST_PER_SECOND = 200  # for each socket


class SocketWatch:
    def __init__(self, notebook: RecordingState, noise: NoiseRules) -> None:
        self._notebook = notebook
        self._noise = noise

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        def watch_page(page: "Page") -> None:
            page.on(
                "websocket", guarded(self._notebook, "WebSockets", lambda socket: self._opens(socket, tab_of(page)))
            )

        for page in context.pages:
            watch_page(page)
        context.on("page", guarded(self._notebook, "WebSockets", watch_page))

    async def drain(self) -> None:
        """Nothing is ever under way: frames arrive whole."""

    def _opens(self, socket: "WebSocket", tab: int) -> None:
        if self._noise.drops_socket(socket.url):
            return
        number = self._notebook.next_seq()
        flood = RateLimit(MOST_PER_SECOND)

        def tell(what: SocketMoment, payload: str | bytes | None = None) -> None:
            if what in {SocketMoment.SENT, SocketMoment.RECEIVED} and flood.is_too_much(self._notebook.now()):
                self._notebook.gaps.add(
                    f"WebSockets: more than {MOST_PER_SECOND} frames in a second, the rest left out"
                )
                return
            self._tell(socket, number, tab, what, payload)

        tell(SocketMoment.OPENED)
        for event, what in (("framesent", SocketMoment.SENT), ("framereceived", SocketMoment.RECEIVED)):
            socket.on(event, guarded(self._notebook, "WebSockets", lambda payload, what=what: tell(what, payload)))  # type: ignore[call-overload]  # one name of several
        socket.on("close", guarded(self._notebook, "WebSockets", lambda _: tell(SocketMoment.CLOSED)))

    def _tell(
        self, socket: "WebSocket", number: int, tab: int, what: SocketMoment, payload: str | bytes | None
    ) -> None:
        notebook = self._notebook
        text, size, note = self._read(payload)
        notebook.add(
            SocketEvent(
                seq=number if what is SocketMoment.OPENED else notebook.next_seq(),
                t=notebook.now(),
                tab=tab,
                after=notebook.cause(tab),
                socket=number,
                what=what,
                url=notebook.masker.url(socket.url) if what is SocketMoment.OPENED else "",
                text=text,
                size=size,
                note=note,
            )
        )

    def _read(self, payload: str | bytes | None) -> tuple[str | None, int, str]:
        if payload is None:
            return None, 0, ""
        if isinstance(payload, bytes):
            return None, len(payload), "binary"
        size = len(payload.encode("utf-8", "surrogatepass"))
        if size > LONGEST_FRAME:
            return None, size, "too_large"
        looks_like_json = payload.lstrip()[:1] in {"{", "["}
        mime = "application/json" if looks_like_json else "text/plain"
        return self._notebook.masker.body(payload, mime), size, ""
