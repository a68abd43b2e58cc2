"""What goes wrong in the pages: exceptions, rejections, console.error, crashes; with the stack in the sources."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from testwright.masking.masker import Masker
from testwright.model.session import ErrorSource, PageError, ScriptFrame
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.background_tasks import DRAIN_S, BackgroundTasks, guarded
from testwright.observe.recording.error_fingerprints import error_fingerprint
from testwright.observe.recording.error_hints import ErrorHints
from testwright.observe.recording.error_ids import ErrorIds
from testwright.observe.recording.error_stacks import is_app_script, name_and_message, only_frame, parsed_stack
from testwright.observe.recording.rate_limit import RateLimit
from testwright.observe.recording.recording_state import RecordingState
from testwright.observe.recording.script_sources import ScriptSources, fetching

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Frame, Page, WebError

LONGEST_MESSAGE = 10_000
LONGEST_NAME = 300
MOST_ALIKE = 50  # errors of one fingerprint
MOST_PER_SECOND = 100
PAGE_EVERY_MS = 500  # within that time errors share one picture of the page
_STEP_S = 2.0  # for each of the things that an error waits for: its page, its sources

T = TypeVar("T")
_OF_A_PROMISE = "Uncaught (in promise) "  # what Chromium puts before the name of an error that has no stack

KeepPage = Callable[["Page"], Awaitable[tuple[str, str]]]  # the names of the DOM and of the ARIA snapshot
FramesOf = Callable[["Frame"], Awaitable[tuple[str, ...]]]  # selectors of the iframes around a document


async def keeps_no_page(page: "Page") -> tuple[str, str]:  # noqa: ARG001 - one of several ways to keep a page
    return "", ""


async def knows_no_frames(frame: "Frame") -> tuple[str, ...]:  # noqa: ARG001 - as above
    return ()


@dataclass(frozen=True, slots=True)
class _RawError:
    """An error as it came; nothing in it is masked."""

    seq: int
    t: int
    ms: int
    tab: int
    after: int | None
    source: ErrorSource
    name: str
    message: str
    stack: tuple[ScriptFrame, ...]
    page: "Page | None"
    url: str  # of that page, at that moment


class ErrorWatch:
    """The browser's report is the authority; pages' own listeners only add to it, see `hint`."""

    def __init__(
        self,
        notebook: RecordingState,
        noise: NoiseRules,
        *,
        keep_page: KeepPage = keeps_no_page,
        frames_of: FramesOf = knows_no_frames,
    ) -> None:
        self._notebook = notebook
        self._noise = noise
        self._keep_page = keep_page
        self._frames_of = frames_of
        self._hints = ErrorHints()
        self._ids = ErrorIds()
        self._alike: Counter[str] = Counter()
        self._flood = RateLimit(MOST_PER_SECOND)
        self._work = BackgroundTasks(notebook, at_once=16)
        self._sources: dict[BrowserContext, ScriptSources] = {}
        self._incomplete: dict[int, _RawError] = {}
        self._pages: dict[Page, tuple[int, asyncio.Future[tuple[str, str]]]] = {}

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        notebook = self._notebook
        self._sources[context] = ScriptSources(fetching(context))

        def watch_page(page: "Page") -> None:
            page.on("crash", guarded(notebook, "errors", lambda crashed: self._crashes(crashed, tab_of(crashed))))
            page.on("close", guarded(notebook, "errors", self._forget))

        def thrown(error: "WebError") -> None:
            self._throws(error, tab_of(error.page) if error.page else 1)

        def told(message: "ConsoleMessage") -> None:
            if message.type == "error" and message.args:
                self._is_logged(message, tab_of(message.page) if message.page else 1)

        for page in context.pages:
            watch_page(page)
        context.on("page", guarded(notebook, "errors", watch_page))
        context.on("weberror", guarded(notebook, "errors", thrown))
        context.on("console", guarded(notebook, "errors", told))

    def hint(self, message: Mapping[str, object], frame: "Frame") -> None:
        """A message of error_hints.js, from the document in `frame`."""
        self._hints.add(message, frame)

    async def drain(self, seconds: float = DRAIN_S) -> None:
        await self._work.drain(seconds)
        for seen in list(self._incomplete.values()):  # their turn never came
            self._write(seen, stack=seen.stack, source=seen.source)
        for _, kept in self._pages.values():
            kept.cancel()
        for sources in self._sources.values():
            await sources.close()

    # --- the ways in which errors come -----------------------------------------------------------

    def _throws(self, thrown: "WebError", tab: int) -> None:
        error = thrown.error
        stack = parsed_stack(error.stack or "", _url_of(thrown.page))
        place = getattr(thrown, "location", None)  # not in every version that we work with
        if not stack and place:
            stack = only_frame(place["url"], place["line"] + 1, place["column"] + 1, _url_of(thrown.page))
        name = error.name or ""
        source = ErrorSource.REJECTION if name.startswith(_OF_A_PROMISE) else ErrorSource.PAGE_ERROR
        self._sees(source, name.removeprefix(_OF_A_PROMISE), error.message, stack, thrown.page, tab)

    def _is_logged(self, message: "ConsoleMessage", tab: int) -> None:
        url = _url_of(message.page)
        stack = parsed_stack(next((text for one in message.args if "\n    at " in (text := str(one))), ""), url)
        if not stack:
            place = message.location
            stack = only_frame(place["url"], place["lineNumber"] + 1, place["columnNumber"] + 1, url)
        name, words = name_and_message(message.text)
        self._sees(ErrorSource.CONSOLE, name, words, stack, message.page, tab)

    def _crashes(self, page: "Page", tab: int) -> None:
        self._sees(ErrorSource.CRASH, "", "The page crashed.", (), page, tab)

    def _sees(
        self,
        source: ErrorSource,
        name: str,
        message: str,
        stack: tuple[ScriptFrame, ...],
        page: "Page | None",
        tab: int,
    ) -> None:
        notebook = self._notebook
        if self._noise.drops_error(f"{name}: {message}", next((one.url for one in stack if one.url), "")):
            return
        if self._is_too_much(error_fingerprint(name, message, stack)):
            notebook.gaps.add("errors: more of them than are kept; the first of each kind are there")
            return
        seen = _RawError(
            seq=notebook.next_seq(),
            t=notebook.now(),
            ms=int(time.time() * 1000),
            tab=tab,
            after=notebook.cause(tab),
            source=source,
            name=name,
            message=message[:LONGEST_MESSAGE],
            stack=stack,
            page=page,
            url=_url_of(page),
        )
        self._incomplete[seen.seq] = seen
        self._work.start(self._complete(seen), what="errors")

    def _is_too_much(self, alike: str) -> bool:
        if self._flood.is_too_much(self._notebook.now()) or self._work.is_full:
            return True
        self._alike[alike] += 1
        return self._alike[alike] > MOST_ALIKE

    # --- what is added to them ---------------------------------------------------------------------

    async def _complete(self, seen: _RawError) -> None:
        """Whatever comes in time is added; the error itself is written in any case."""
        dom = aria = frame_url = ""
        frames: tuple[str, ...] = ()
        source, stack = seen.source, seen.stack
        try:
            if seen.page is not None and source is not ErrorSource.CRASH:
                dom, aria = await self._page_after(seen.page)
                source, frame = await self._told_by_page(seen, seen.page)
                if frame is not None and frame.parent_frame is not None:
                    frame_url = frame.url
                    frames = await _in_time(self._frames_of(frame), ())
                stack = await self._mapped(seen, seen.page, frame_url)
        finally:
            self._write(seen, stack=stack, source=source, frame_url=frame_url, frames=frames, kept=(dom, aria))

    async def _page_after(self, page: "Page") -> tuple[str, str]:
        """At most one for each page and half second."""
        now = self._notebook.now()
        last = self._pages.get(page)
        if last is None or now - last[0] >= PAGE_EVERY_MS:
            kept = asyncio.ensure_future(_in_time(self._keep_page(page), ("", "")))
            self._pages[page] = last = (now, kept)
        return await asyncio.shield(last[1])

    async def _told_by_page(self, seen: _RawError, page: "Page") -> tuple[ErrorSource, "Frame | None"]:
        if seen.source is not ErrorSource.PAGE_ERROR:
            return seen.source, _frame_at(page, seen.stack)
        hint = await self._hints.taken_for(page, seen.message)
        if hint is None:
            return seen.source, _frame_at(page, seen.stack)
        rejected = hint.what == "unhandledrejection"
        return ErrorSource.REJECTION if rejected else ErrorSource.PAGE_ERROR, hint.frame

    async def _mapped(self, seen: _RawError, page: "Page", frame_url: str) -> tuple[ScriptFrame, ...]:
        sources = self._sources.get(page.context)
        if sources is None:
            return seen.stack
        whose = frame_url or seen.url
        stack = tuple(replace(one, is_app=bool(one.url) and is_app_script(one.url, whose)) for one in seen.stack)
        return await _in_time(sources.mapped(stack, whose), stack)

    def _write(
        self,
        seen: _RawError,
        *,
        stack: tuple[ScriptFrame, ...],
        source: ErrorSource,
        frame_url: str = "",
        frames: tuple[str, ...] = (),
        kept: tuple[str, str] = ("", ""),
    ) -> None:
        self._incomplete.pop(seen.seq, None)
        masker = self._notebook.masker
        message = masker.text(seen.message)
        name = masker.text(seen.name[:LONGEST_NAME])
        stack = tuple(_masked(one, masker) for one in stack)
        url = masker.url(seen.url)
        trace = "\n".join(f"{one.function} {one.url}:{one.line}:{one.column}" for one in stack)
        self._notebook.add(
            PageError(
                seq=seen.seq,
                t=seen.t,
                tab=seen.tab,
                after=seen.after,
                error_id=self._ids.give(seen.ms, message, trace, url),
                source=source,
                name=name,
                message=message,
                stack=stack,
                url=url,
                frame_url=masker.url(frame_url) if frame_url else "",
                frames=frames,
                fingerprint=error_fingerprint(name, message, stack),
                page=kept[0],
                aria=kept[1],
            )
        )

    def _forget(self, page: "Page") -> None:
        self._pages.pop(page, None)


async def _in_time(work: Awaitable[T], otherwise: T) -> T:
    from playwright.async_api import Error  # late: extra: playwright

    try:
        return await asyncio.wait_for(work, _STEP_S)
    except (TimeoutError, Error):  # it took too long, or the page is gone
        return otherwise


def _masked(frame: ScriptFrame, masker: Masker) -> ScriptFrame:
    spot = frame.spot
    return replace(
        frame,
        function=masker.text(frame.function[:LONGEST_NAME]),
        url=masker.url(frame.url) if frame.url else "",
        spot=spot and replace(spot, file=masker.text(spot.file), name=masker.text(spot.name)),
    )


def _frame_at(page: "Page", stack: tuple[ScriptFrame, ...]) -> "Frame | None":
    """The document whose own script it was, if just one can be meant."""
    url = next((one.url for one in stack if one.url), "")
    meant = [frame for frame in page.frames if url and frame.url.partition("#")[0] == url]
    return meant[0] if len(meant) == 1 else None


def _url_of(page: "Page | None") -> str:
    return page.url if page is not None else ""
