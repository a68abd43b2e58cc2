"""Everything that watches one browser, put together; and how a recording begins and ends."""

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.errors import PageUnreachable
from testwright.model.session import (
    KINDS,
    AnySessionEvent,
    EventKind,
    SessionHead,
    SessionId,
    SessionSource,
    StorageState,
)
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.playwright_errors import playwright_error_line
from testwright.observe.recording.browser_connection import current_page, open_storage
from testwright.observe.recording.console import ConsoleWatch
from testwright.observe.recording.control_socket import OnLive, command_server
from testwright.observe.recording.dialogs import Dialogs
from testwright.observe.recording.frame_chains import FrameChains
from testwright.observe.recording.initial_state import cookies_for, given_state, storage, surroundings
from testwright.observe.recording.navigations import Navigations
from testwright.observe.recording.network_requests import NetworkWatch
from testwright.observe.recording.page_errors import ErrorWatch
from testwright.observe.recording.page_messages import Amends, Begins, Closing, Document, Hinted, Leaving, read_message
from testwright.observe.recording.page_script import STOP, PageScript
from testwright.observe.recording.record_options import EndReason, RecordingEnd, RecordOptions
from testwright.observe.recording.recorded_pages import RecordedPages
from testwright.observe.recording.recording_state import RecordingState, SessionSink
from testwright.observe.recording.tabs import Tabs
from testwright.observe.recording.url_rules import host_of
from testwright.observe.recording.user_actions import ActionWatch
from testwright.observe.recording.web_sockets import SocketWatch

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Frame, Page

Drive = Callable[["Page"], Awaitable[None]]
Listen = Callable[[AnySessionEvent], None]

_OPEN_MS = 30_000
_LOAD_MS = 10_000
_BEFORE_US = "what happened before we attached to the browser"
_AFTER_SCRIPT_S = 0.3  # what the script's last step brought about should still be seen
_TYPED_S = 0.25  # a text that is being typed is reported within that time
_CLOSES_WITHIN_MS = 3_000
_CLOSES_AFTER_MS = 30
_DEAD_OR_CLOSED_S = 0.3  # a browser that dies closes its tabs first


class _CountingSink:
    """Hands everything on to the sink, counts events, and tells the listener."""

    def __init__(self, sink: SessionSink, listen: Listen | None) -> None:
        self._sink = sink
        self._listen = listen
        self.counts: Counter[EventKind] = Counter()
        self.is_over = False  # what still comes is our own doing: the closing of the browser

    def begin(self, head: SessionHead) -> None:
        self._sink.begin(head)

    def add(self, event: AnySessionEvent) -> None:
        if self.is_over:
            return
        self._sink.add(event)
        self.counts[KINDS[type(event)]] += 1
        if self._listen is not None:
            self._listen(event)

    def keep_page(self, seq: int, page: DomSnapshot) -> str:
        return self._sink.keep_page(seq, page)

    def keep_text(self, name: str, text: str) -> str:
        return self._sink.keep_text(name, text)


class Recording:
    """Everything that watches one browser, put together."""

    def __init__(
        self,
        sink: SessionSink,
        masker: Masker,
        options: RecordOptions,
        noise: NoiseRules,
        listen: Listen | None,
        *,
        has_script: bool,
    ) -> None:
        self._options = options
        self._noise = noise
        self._id = SessionId(str(getattr(sink, "id", "")))
        self._heard = _CountingSink(sink, listen)
        self._notebook = notebook = RecordingState(self._heard, masker)
        self._injected = PageScript()
        self._over: asyncio.Future[EndReason] = asyncio.get_running_loop().create_future()
        self._is_begun = False
        self._tabless_at: int | None = None  # when the last tab had gone
        self._closing_at: int | None = None  # when a document last went away in good order
        self.is_piloted = False
        self.tabs = Tabs(notebook, all_closed=self._all_tabs_closed)
        self._pages = RecordedPages(notebook)
        self._chains = FrameChains(masker, options.test_id_attribute)
        self._navigations = Navigations(notebook, self.tabs)
        self._hands = ActionWatch(
            notebook,
            self.tabs,
            self._pages,
            self._chains,
            test_id_attribute=options.test_id_attribute,
            is_piloted=lambda: self.is_piloted,
        )
        self._network = NetworkWatch(notebook, noise)
        self._sockets = SocketWatch(notebook, noise)
        self._console = ConsoleWatch(notebook, noise)
        self._errors = ErrorWatch(notebook, noise, keep_page=self._pages.keep_now, frames_of=self._chains.around)
        self._dialogs = Dialogs(notebook, answer=options.headless or has_script, patient=has_script)

    # --- beginning -------------------------------------------------------------------------------

    async def open(self, browser: "Browser | None", context: "BrowserContext", url: str) -> "Page":
        # late: extra: playwright
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as TookTooLong

        if self._options.clock is not None:
            await context.clock.set_fixed_time(self._options.clock)
        await self._inject(context)
        page = context.pages[0] if context.pages else await context.new_page()
        state = await given_state(context, self._notebook.masker)
        await self._begin(SessionSource.LAUNCH, url, page, state)
        self._watch(browser, context)
        try:
            await self._unless_over(page.goto(url, wait_until="commit", timeout=_OPEN_MS))
            await self._unless_over(page.wait_for_load_state("load", timeout=_LOAD_MS))
        except TookTooLong:
            self._notebook.gaps.add("the page went on loading when the recording began")
        except Error as error:
            if not self._over.done() and not page.is_closed():
                raise PageUnreachable(
                    f"{host_of(url)} does not answer: {playwright_error_line(error)}.",
                    next_step="Start the application, and check the address.",
                ) from error
        return page

    async def _unless_over(self, work: Awaitable[object]) -> None:
        """Wait for it, as long as the recording is not ended meanwhile."""
        under_way: asyncio.Future[Any] = asyncio.ensure_future(work)
        await asyncio.wait({under_way, self._over}, return_when=asyncio.FIRST_COMPLETED)
        if under_way.done():
            under_way.result()
        else:
            under_way.cancel()
            await asyncio.gather(under_way, return_exceptions=True)

    async def join(self, browser: "Browser", context: "BrowserContext") -> "Page":
        """Begin with the tabs that are open."""
        await self._inject(context)
        page = await current_page(context)
        local, session, origin = await open_storage(page)
        cookies = await cookies_for(context, page.url, self._notebook.masker)
        state = StorageState(cookies, storage(origin, local, session, self._notebook.masker))
        self._notebook.gaps.add(_BEFORE_US)
        await self._begin(SessionSource.CDP, page.url, page, state)
        self._watch(browser, context)
        await self._inject_late(context)
        return page

    async def _begin(self, source: SessionSource, url: str, page: "Page", state: StorageState) -> None:
        clock = self._options.clock
        around = await surroundings(page, fixed_clock=clock is not None)
        self._notebook.started = time.monotonic()
        head = SessionHead(
            id=self._id,
            source=source,
            url=self._notebook.masker.url(url),
            started=int((clock.timestamp() if clock else time.time()) * 1000),
            surroundings=around,
            state=state,
            test_id_attribute=self._options.test_id_attribute,
            title=self._options.title,
            gaps=tuple(self._notebook.gaps),
        )
        self._heard.begin(head)
        self._is_begun = True

    async def _inject(self, context: "BrowserContext") -> None:
        await context.expose_binding(self._injected.binding, self._hear)
        await context.add_init_script(self._injected.script())

    async def _inject_late(self, context: "BrowserContext") -> None:
        """Scripts for new documents do not reach those that are there already."""
        from playwright.async_api import Error  # late: extra: playwright

        script = self._injected.script(late=True)
        for page in context.pages:
            for frame in page.frames:
                try:
                    await frame.evaluate(f"() => {{ {script} }}")
                except Error:  # a page of the browser's own, or one that is going away
                    self._notebook.gaps.add("actions in documents that do not let us in")

    def _watch(self, browser: "Browser | None", context: "BrowserContext") -> None:
        self.tabs.watch(context)
        self._navigations.watch(context)
        for watch in (self._network, self._sockets, self._console, self._errors, self._dialogs):
            watch.watch(context, self.tabs.number)
        if browser is not None:
            browser.on("disconnected", lambda _browser: self.end(self._why_gone()))
        context.on("close", lambda _context: self._all_tabs_closed())

    # --- while it goes on ------------------------------------------------------------------------

    def _hear(self, source: dict[str, Any], text: object) -> None:
        message = read_message(text, self._injected.token) if self._is_begun else None
        page, frame = source["page"], source["frame"]
        if isinstance(message, Begins):
            self._hands.begins(message, page, frame)
        elif isinstance(message, Amends):
            self._hands.amends(message)
        elif isinstance(message, Leaving):
            self._navigations.leaves(page, message.document)
        elif isinstance(message, Closing):
            self._closing_at = self._notebook.now()
        elif isinstance(message, Hinted):
            self._errors.hint(message.hint, frame)
        elif isinstance(message, Document):
            self._document(message, page, frame)

    def _document(self, message: Document, page: "Page", frame: "Frame") -> None:
        if message.is_top:
            self._closing_at = None  # what closed has only made room for this one
        if not message.is_top:
            self._later(self._chains.around(frame))
        elif message.is_late:
            if message.url.startswith(("http://", "https://")):
                self._later(self._navigations.is_there(page, message))
        else:
            self._navigations.document_begins(message, page)

    def _later(self, work: Coroutine[object, object, object]) -> None:
        async def done() -> None:
            await work

        if self._navigations.work.is_full:
            work.close()
            self._notebook.gaps.add("documents: more at once than could be followed")
            return
        self._navigations.work.start(done(), what="documents")

    @property
    def current_page(self) -> "Page | None":
        return self.tabs.current

    async def until_over(
        self, page: "Page", drive: Drive | None, *, control: bool, on_live: OnLive | None
    ) -> RecordingEnd:
        if self._options.seconds is not None:
            asyncio.get_running_loop().call_later(self._options.seconds, self.end, EndReason.TIME_UP)
        async with command_server(self, control=control, on_live=on_live):
            trouble = await self._driven(page, drive) if drive else None
            reason = await self._over
        ended = await self._finish(reason)
        if trouble is not None:
            raise trouble
        return ended

    async def _driven(self, page: "Page", drive: Drive) -> BaseException | None:
        """Run the script until it is done, or the recording over. What it raised, if it did."""
        script: asyncio.Future[None] = asyncio.ensure_future(drive(page))
        either: set[asyncio.Future[Any]] = {script, self._over}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not script.done():
            script.cancel()
            await asyncio.gather(script, return_exceptions=True)
            return None
        await asyncio.sleep(0 if script.exception() else _AFTER_SCRIPT_S)
        self.end(EndReason.DRIVEN)
        return script.exception()

    async def leave(self, context: "BrowserContext") -> None:
        """Take our scripts out of documents that will stay."""
        from playwright.async_api import Error  # late: extra: playwright

        for frame in [frame for page in context.pages for frame in page.frames]:
            try:
                async with asyncio.timeout(1):
                    await frame.evaluate(STOP)
            except (Error, TimeoutError):
                continue

    def interruptible(self) -> "_Signals":
        """Ctrl-C and the system's request to end finish the recording instead of breaking it off."""
        return _Signals(lambda: self.end(EndReason.INTERRUPTED))

    def end(self, reason: EndReason) -> None:
        if not self._over.done():
            self._over.set_result(reason)

    def _why_gone(self) -> EndReason:
        """A browser that is closed lets its pages go first, and then needs a while; one that dies does neither."""
        now = self._notebook.now()
        is_orderly = self._closing_at is not None and now - self._closing_at < _CLOSES_WITHIN_MS
        took_its_time = self._tabless_at is not None and now - self._tabless_at >= _CLOSES_AFTER_MS
        return EndReason.CLOSED if is_orderly or took_its_time else EndReason.BROWSER_DIED

    def _all_tabs_closed(self) -> None:
        if self._tabless_at is None:
            self._tabless_at = self._notebook.now()
        asyncio.get_running_loop().call_later(_DEAD_OR_CLOSED_S, self.end, EndReason.CLOSED)

    # --- end -------------------------------------------------------------------------------------

    async def _finish(self, reason: EndReason) -> RecordingEnd:
        t = self._notebook.now()
        last_page = ""
        page = self.tabs.current
        if page is not None and reason is not EndReason.BROWSER_DIED:
            if self._hands.has_open_text:
                await asyncio.sleep(_TYPED_S)
            last_page, _ = await self._pages.keep_now(page)
        await self._hands.drain()
        await asyncio.gather(
            self.tabs.drain(),
            self._navigations.drain(),
            self._network.drain(),
            self._sockets.drain(),
            self._console.drain(),
            self._errors.drain(),
            self._dialogs.drain(),
        )
        self._heard.is_over = True
        gaps = tuple(sorted(self._notebook.gaps)) + self._noise.told()
        return RecordingEnd(reason, max(t, self._notebook.now()), gaps, last_page, dict(self._heard.counts))


class _Signals:
    """Calls a function for SIGINT and SIGTERM; only a process's main thread can."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt
        self._is_ours = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self._is_ours:
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, self._interrupt)

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().remove_signal_handler(number)
