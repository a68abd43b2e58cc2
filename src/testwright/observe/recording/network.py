"""Every request of the pages and its answer, in the order they began and with what caused them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.model.session import Body, Request
from testwright.observe.recording.background import DRAIN_S, Background, guarded
from testwright.observe.recording.bodies import FETCHED, Bodies, has_body
from testwright.observe.recording.noise import NoiseRules
from testwright.observe.recording.notebook import Notebook

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Frame, Page
    from playwright.async_api import Request as BrowserRequest

LONGEST_URL = 16 * 1024
UNFINISHED = "unfinished"


@dataclass(slots=True)
class _Begun:
    seq: int
    t: int
    tab: int | None  # None: its frame was not there yet
    after: int | None


class NetworkWatch:
    """Little is done while a page waits: what can be read without asking the browser, and bodies of API calls."""

    def __init__(self, notebook: Notebook, noise: NoiseRules) -> None:
        self._notebook = notebook
        self._noise = noise
        self._bodies = Bodies(notebook)
        self._open: dict[BrowserRequest, _Begun] = {}
        self._fetching = Background(notebook)
        self._tab_of: Callable[[Page], int] = lambda page: 1  # noqa: ARG005 - until `watch` says how

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        self._tab_of = tab_of
        context.on("request", guarded(self._notebook, "requests", self._begins))
        context.on("requestfinished", guarded(self._notebook, "requests", self._is_over))
        context.on("requestfailed", guarded(self._notebook, "requests", self._is_over))

    async def drain(self, seconds: float = DRAIN_S) -> None:
        """Wait for bodies that are under way; what is still open then is written down as unfinished."""
        await self._fetching.drain(seconds)
        for request in list(self._open):
            self._write(request, self._open.pop(request), received=None, failure=UNFINISHED)

    def _begins(self, request: "BrowserRequest") -> None:
        url = request.url
        if url.startswith(("data:", "blob:")) or self._noise.drops_request(url):
            return
        frame = _frame_of(request)
        tab = self._tab_of(frame.page) if frame else None
        cause = self._notebook.cause(tab) if tab is not None else None
        self._open[request] = _Begun(self._notebook.next_seq(), self._notebook.now(), tab, cause)

    def _is_over(self, request: "BrowserRequest") -> None:
        begun = self._open.get(request)
        if begun is None:
            return
        failure = request.failure or ""
        response = request.existing_response
        if failure or response is None or request.resource_type not in FETCHED:
            del self._open[request]
            self._write(request, begun, received=None, failure=failure)
        elif not has_body(request.method, response.status) or self._fetching.is_full:
            del self._open[request]
            if self._fetching.is_full:
                self._notebook.gaps.add("bodies: more answers at once than could be read")
            self._write(request, begun, received=None)
        else:
            self._fetching.start(self._with_body(request, begun, self._notebook.now()), what="bodies")

    async def _with_body(self, request: "BrowserRequest", begun: _Begun, ended: int) -> None:
        received: Body | None = None
        response = request.existing_response
        try:
            if response is not None:
                received = await self._bodies.received(response, begun.seq)
        finally:  # also when the recording ends while it waits: the request itself is known
            if self._open.pop(request, None):
                self._write(request, begun, received=received or Body(None, note="evicted"), ended=ended)

    def _write(
        self,
        request: "BrowserRequest",
        begun: _Begun,
        *,
        received: Body | None,
        failure: str = "",
        ended: int | None = None,
    ) -> None:
        masker = self._notebook.masker
        response = request.existing_response
        frame = _frame_of(request)
        tab = begun.tab if begun.tab is not None else self._tab_of(frame.page) if frame else 1
        is_open = failure == UNFINISHED
        if is_open and request.resource_type == "eventsource":
            received = Body(None, "text/event-stream", note="streamed")
        self._notebook.add(
            Request(
                seq=begun.seq,
                t=begun.t,
                tab=tab,
                after=begun.after if begun.tab is not None else self._earlier_cause(tab, begun.seq),
                method=request.method,
                url=masker.url(request.url[:LONGEST_URL]),
                resource=request.resource_type,
                headers=masker.headers(request.headers),
                sent=self._bodies.sent(request, begun.seq),
                status=response.status if response else None,
                answer_headers=masker.headers(response.headers) if response else {},
                received=received,
                failure=masker.text(failure),
                ended=None if is_open else self._notebook.now() if ended is None else ended,
                frame_url=masker.url(frame.url[:LONGEST_URL]) if frame else "",
                is_navigation=request.is_navigation_request(),
            )
        )

    def _earlier_cause(self, tab: int, seq: int) -> int | None:
        cause = self._notebook.cause(tab)
        return cause if cause is not None and cause < seq else None


def _frame_of(request: "BrowserRequest") -> "Frame | None":
    """None: a service worker asked, or a page that is only about to be."""
    from playwright.async_api import Error

    try:
        return request.frame
    except Error:
        return None
