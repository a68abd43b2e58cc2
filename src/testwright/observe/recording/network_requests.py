"""Every request of the pages and its answer, in the order they began and with what caused them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testwright.masking.mask_memory import MaskMemory
from testwright.model.session import HttpRequest, MessageBody
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.background_tasks import DRAIN_S, BackgroundTasks, guarded
from testwright.observe.recording.http_bodies import FETCHED, Bodies, has_body
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Frame, Page, Response
    from playwright.async_api import Request as BrowserRequest

LONGEST_URL = 16 * 1024
_REMEMBERED = 2_000
UNFINISHED = "unfinished"


@dataclass(slots=True)
class _OpenRequest:
    seq: int
    t: int
    tab: int | None  # None: its frame was not there yet
    after: int | None
    ended: int | None = None  # its answer is whole; what is missing is its body


class NetworkWatch:
    """Little is done while a page waits: what can be read without asking the browser, and bodies of API calls."""

    def __init__(self, notebook: RecordingState, noise: NoiseRules) -> None:
        self._notebook = notebook
        self._noise = noise
        self._bodies = Bodies(notebook)
        self._headers = MaskMemory(notebook.masker, notebook.masker.header, most=_REMEMBERED)
        self._open: dict[BrowserRequest, _OpenRequest] = {}
        self._fetching = BackgroundTasks(notebook)
        self._tab_of: Callable[[Page], int] = lambda page: 1  # noqa: ARG005 - until `watch` says how

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        self._tab_of = tab_of
        context.on("request", guarded(self._notebook, "requests", self._begins))
        context.on("requestfinished", guarded(self._notebook, "requests", self._is_over))
        context.on("requestfailed", guarded(self._notebook, "requests", self._is_over))

    def _masked_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name.lower(): self._headers.masked(name.lower(), value) for name, value in headers.items()}

    async def drain(self, seconds: float = DRAIN_S) -> None:
        """Wait for bodies that are under way; what is still open then is written down as unfinished."""
        await self._fetching.drain(seconds)
        for request in list(self._open):
            begun, response = self._open.pop(request), request.existing_response
            if begun.ended is None:
                self._write(request, response, begun, received=None, failure=UNFINISHED)
            else:  # its turn never came
                self._write(request, response, begun, received=MessageBody(None, note="evicted"))

    def _begins(self, request: "BrowserRequest") -> None:
        url = request.url
        if url.startswith(("data:", "blob:")) or self._noise.drops_request(url):
            return
        frame = _frame_of(request)
        tab = self._tab_of(frame.page) if frame else None
        cause = self._notebook.cause(tab) if tab is not None else self._notebook.latest_cause()
        self._open[request] = _OpenRequest(self._notebook.next_seq(), self._notebook.now(), tab, cause)

    def _is_over(self, request: "BrowserRequest") -> None:
        begun = self._open.get(request)
        if begun is None:
            return
        failure = request.failure or ""
        response = request.existing_response
        if failure or response is None or request.resource_type not in FETCHED:
            del self._open[request]
            self._write(request, response, begun, received=None, failure=failure)
        elif not has_body(request.method, response.status) or self._fetching.is_full:
            del self._open[request]
            if self._fetching.is_full:
                self._notebook.gaps.add("bodies: more answers at once than could be read")
            self._write(request, response, begun, received=None)
        else:
            begun.ended = self._notebook.now()
            self._fetching.start(self._with_body(request, response, begun), what="bodies")

    async def _with_body(self, request: "BrowserRequest", response: "Response", begun: _OpenRequest) -> None:
        received = MessageBody(None, note="evicted")
        try:
            received = await self._bodies.received(response, begun.seq)
        finally:  # also when the recording ends while it waits: the request itself is known
            if self._open.pop(request, None):
                self._write(request, response, begun, received=received)

    def _write(
        self,
        request: "BrowserRequest",
        response: "Response | None",
        begun: _OpenRequest,
        *,
        received: MessageBody | None,
        failure: str = "",
    ) -> None:
        masker = self._notebook.masker
        frame = _frame_of(request)
        tab = begun.tab if begun.tab is not None else self._tab_of(frame.page) if frame else 1
        is_open = failure == UNFINISHED
        if is_open and request.resource_type == "eventsource":
            received = MessageBody(None, "text/event-stream", note="streamed")
        self._notebook.add(
            HttpRequest(
                seq=begun.seq,
                t=begun.t,
                tab=tab,
                after=begun.after,
                method=request.method,
                url=masker.url(request.url[:LONGEST_URL]),
                resource=request.resource_type,
                headers=self._masked_headers(request.headers),
                sent=self._bodies.sent(request, begun.seq),
                status=response.status if response else None,
                answer_headers=self._masked_headers(response.headers) if response else {},
                received=received,
                failure=masker.text(failure),
                ended=None if is_open else self._notebook.now() if begun.ended is None else begun.ended,
                frame_url=masker.url(frame.url[:LONGEST_URL]) if frame else "",
                is_navigation=request.is_navigation_request(),
            )
        )


def _frame_of(request: "BrowserRequest") -> "Frame | None":
    """None: a service worker asked, or a page that is only about to be."""
    from playwright.async_api import Error  # late: extra: playwright

    try:
        return request.frame
    except Error:
        return None
