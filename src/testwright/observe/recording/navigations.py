"""Where the tabs go, and whose doing it was. A document tells when it begins, so that one which stayed is known too."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from testwright.model.session import Navigation, NavigationCause, StorageState
from testwright.observe.recording.background_tasks import BackgroundTasks, guarded
from testwright.observe.recording.initial_state import cookies_for, storage
from testwright.observe.recording.page_messages import Document
from testwright.observe.recording.recording_state import RecordingState
from testwright.observe.recording.tabs import Tabs

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Frame, Page, Request

_DOCUMENT_S = 0.3  # a new document tells of itself at once
_REQUESTED_DOCUMENT_S = 3.0  # where one was requested, it is only late: the machine is busy
_ASK_S = 1.0
_LEAVES_WITHIN_MS = 15_000  # or it did not come to it
_MOST_UNPLACED = 100
_NOTHING_STORED = StorageState()
_NOT_A_PAGE = ("about:", "chrome-error:", "chrome:", "devtools:", "chrome-extension:")


@dataclass
class _Arrival:
    """A tab has another address, and perhaps another document."""

    seq: int
    t: int
    after: int | None
    url: str
    request: "Request | None"
    is_pages_doing: bool
    document: "asyncio.Future[Document]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass
class _Tab:
    url: str = ""
    request: "Request | None" = None  # the last one for a document of its main frame
    document: str = ""  # the id of the newest one
    leaves_at: int | None = None  # when its document said that it goes elsewhere
    left_by: str = ""  # the document that said so; on a busy machine its word may come after the next one is there
    arrival: _Arrival | None = None
    arrivals: int = 0
    early: Document | None = None  # a document that told of itself before we heard of its tab


class Navigations:
    def __init__(self, notebook: RecordingState, tabs: Tabs) -> None:
        self._notebook = notebook
        self._tabs = tabs
        self._of: dict[Page, _Tab] = {}
        self._unplaced: dict[str, Request] = {}  # of tabs that were just coming to be, by address
        self.work = BackgroundTasks(notebook, at_once=32)

    def watch(self, context: "BrowserContext") -> None:
        context.on("request", guarded(self._notebook, "navigations", self._is_requested))
        context.on("page", guarded(self._notebook, "navigations", self._opens))
        for page in context.pages:
            self._watch_page(page)

    def document_begins(self, document: Document, page: "Page") -> None:
        tab = self._of.setdefault(page, _Tab())
        tab.document = document.id
        if tab.arrival is not None and not tab.arrival.document.done():
            self._notebook.is_caused_by(self._tabs.number(page), tab.arrival.seq)
            tab.arrival.document.set_result(document)
        else:
            tab.early = document

    def leaves(self, page: "Page", document: str) -> None:
        tab = self._of.setdefault(page, _Tab())
        tab.leaves_at, tab.left_by = self._notebook.now(), document

    async def is_there(self, page: "Page", document: Document) -> None:
        """A document that was open before us: as if somebody had given its address just now."""
        tab = self._of.setdefault(page, _Tab())
        tab.url, tab.document = page.url, document.id
        arrival = self._arrival(page, tab)
        self._notebook.is_caused_by(self._tabs.number(page), arrival.seq)
        await self._write(page, arrival, document, NavigationCause.GOTO)

    async def drain(self) -> None:
        await self.work.drain()

    def _opens(self, page: "Page") -> None:
        """A tab that another one opened is often on its way, or there, when it is first heard of."""
        self._watch_page(page)
        tab = self._of[page]
        if page.url and not page.url.startswith(_NOT_A_PAGE) and tab.arrival is None:
            tab.request = self._unplaced.pop(_bare(page.url), None)
            self._arrives(page.main_frame)
            if tab.early is not None:
                self.document_begins(tab.early, page)

    def _watch_page(self, page: "Page") -> None:
        self._of.setdefault(page, _Tab())
        page.on("framenavigated", guarded(self._notebook, "navigations", self._arrives))
        page.on("close", guarded(self._notebook, "navigations", self._closes))

    def _closes(self, page: "Page") -> None:
        self._of.pop(page, None)

    def _is_requested(self, request: "Request") -> None:
        from playwright.async_api import Error  # late: extra: playwright

        if not request.is_navigation_request():
            return
        try:
            frame = request.frame
            page = frame.page
        except Error:  # its tab is just coming to be
            if len(self._unplaced) < _MOST_UNPLACED:
                self._unplaced[_bare(request.url)] = request
            return
        if frame.parent_frame is None:
            self._of.setdefault(page, _Tab()).request = request

    def _arrives(self, frame: "Frame") -> None:
        page = frame.page
        if frame.parent_frame is not None or frame.url.startswith(_NOT_A_PAGE):
            return
        tab = self._of.setdefault(page, _Tab())
        tab.arrival = self._arrival(page, tab)
        tab.arrivals += 1
        tab.request, tab.leaves_at = None, None
        self.work.start(self._tell(page, tab, tab.arrival, is_first=tab.arrivals == 1), what="navigations")

    def _arrival(self, page: "Page", tab: _Tab) -> _Arrival:
        number, now = self._tabs.number(page), self._notebook.now()
        has_left = tab.leaves_at is not None and now - tab.leaves_at < _LEAVES_WITHIN_MS
        request = tab.request if tab.request and _bare(tab.request.url) == _bare(page.url) else None
        return _Arrival(
            seq=self._notebook.next_seq(),
            t=now,
            after=self._notebook.cause(number),
            url=page.url,
            request=request,
            is_pages_doing=has_left and tab.left_by == tab.document,
        )

    async def _tell(self, page: "Page", tab: _Tab, arrival: _Arrival, *, is_first: bool) -> None:
        document: Document | None = None
        try:
            patience = _DOCUMENT_S if arrival.request is None else _REQUESTED_DOCUMENT_S
            document = await asyncio.wait_for(arrival.document, patience)
        except TimeoutError:
            if arrival.request is None:
                if arrival.url != tab.url:
                    self._add(page, arrival, NavigationCause.SAME_DOCUMENT)
                tab.url = arrival.url
                return
        tab.url = arrival.url
        cause = await self._cause(page, arrival, document, is_first=is_first)
        await self._write(page, arrival, document, cause)

    async def _cause(
        self, page: "Page", arrival: _Arrival, document: Document | None, *, is_first: bool
    ) -> NavigationCause:
        how = document.how if document else ""
        if how == "back_forward":
            return NavigationCause.PAGE if arrival.is_pages_doing else NavigationCause.HISTORY
        if how == "reload":
            return NavigationCause.PAGE if arrival.is_pages_doing else NavigationCause.RELOAD
        was_opened = is_first and self._tabs.opener(self._tabs.number(page)) is not None
        if arrival.is_pages_doing or was_opened or not await _is_from_outside(arrival.request):
            return NavigationCause.PAGE
        return NavigationCause.GOTO

    async def _write(self, page: "Page", arrival: _Arrival, document: Document | None, cause: NavigationCause) -> None:
        masker = self._notebook.masker
        readable = document.cookies if document else None
        cookies = await cookies_for(page.context, arrival.url, masker, readable=readable)
        origins = storage(document.origin, document.local, document.session, masker) if document else ()
        if document and document.is_cut:
            self._notebook.gaps.add("storage: more than 256 KiB, the rest was left out")
        self._add(page, arrival, cause, StorageState(cookies, origins))

    def _add(
        self, page: "Page", arrival: _Arrival, cause: NavigationCause, state: StorageState = _NOTHING_STORED
    ) -> None:
        response = arrival.request.existing_response if arrival.request else None
        self._notebook.add(
            Navigation(
                seq=arrival.seq,
                t=arrival.t,
                tab=self._tabs.number(page),
                after=arrival.after if arrival.after is not None else self._tabs.opened_after(self._tabs.number(page)),
                url=self._notebook.masker.url(arrival.url),
                cause=cause,
                method=arrival.request.method if arrival.request else "GET",
                status=response.status if response else None,
                state=state,
            )
        )


async def _is_from_outside(request: "Request | None") -> bool:
    """Whether no page asked for it: somebody typed the address, or a program gave it."""
    from playwright.async_api import Error  # late: extra: playwright

    if request is None:
        return True
    try:
        async with asyncio.timeout(_ASK_S):
            headers = await request.all_headers()
    except (Error, TimeoutError):
        return True
    return headers.get("sec-fetch-site", "none") == "none"


def _bare(url: str) -> str:
    return url.partition("#")[0]
