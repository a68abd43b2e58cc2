"""Record a browser: write down what happens in it until somebody ends it."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from testwright.masking.masker import Masker
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.browser_connection import connect_to_browser
from testwright.observe.recording.browser_launcher import launch_browser, playwright_or_missing
from testwright.observe.recording.browser_watch import Drive, Listen, Recording
from testwright.observe.recording.control_socket import OnLive
from testwright.observe.recording.record_options import AS_IT_COMES, EndReason, RecordingEnd, RecordOptions
from testwright.observe.recording.recording_state import SessionSink
from testwright.observe.recording.url_rules import checked_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

__all__ = ["Drive", "EndReason", "Listen", "RecordOptions", "RecordingEnd", "attach", "record"]


def record(
    url: str,
    sink: SessionSink,
    masker: Masker,
    options: RecordOptions = AS_IT_COMES,
    *,
    drive: Drive | None = None,
    noise: NoiseRules | None = None,
    listen: Listen | None = None,
    control: bool = False,
    on_live: OnLive | None = None,
) -> RecordingEnd:
    """Open `url` in a browser of our own and record until `drive` is done, or until somebody or something ends it.

    `control`: take commands on a socket; `on_live` gets where. `listen` hears every event that is written.
    """
    address = checked_url(url)
    source = _BrowserSource(
        browser=lambda playwright: launch_browser(playwright, options),
        first_page=lambda recording, browser, context: recording.open(browser, context, address),
        leave=lambda _, browser, context: _shut(browser, context),
    )
    begin = partial(Recording, sink, masker, options, noise or NoiseRules(), listen, has_script=drive is not None)
    return asyncio.run(_recorded(source, begin, drive, control=control, on_live=on_live))


def attach(
    place: str | int | Path,
    sink: SessionSink,
    masker: Masker,
    options: RecordOptions = AS_IT_COMES,
    *,
    drive: Drive | None = None,
    noise: NoiseRules | None = None,
    listen: Listen | None = None,
    control: bool = False,
    on_live: OnLive | None = None,
) -> RecordingEnd:
    """Record a browser that is running: at an address or port of its debugging, or by its profile folder.

    On leaving we let go of it; it stays open, with all its tabs.
    """
    source = _BrowserSource(
        browser=lambda playwright: connect_to_browser(playwright, place),
        first_page=lambda recording, browser, context: recording.join(browser, context),
        leave=_let_go,
    )
    begin = partial(Recording, sink, masker, options, noise or NoiseRules(), listen, has_script=drive is not None)
    return asyncio.run(_recorded(source, begin, drive, control=control, on_live=on_live))


_OneBrowser = TypeVar("_OneBrowser", bound="Browser | None")  # None: it is one with its context


@dataclass(frozen=True, slots=True)
class _BrowserSource(Generic[_OneBrowser]):
    """Where the browser comes from, which page of it is the first, and how we part from it."""

    browser: "Callable[[Playwright], Coroutine[Any, Any, tuple[_OneBrowser, BrowserContext]]]"
    first_page: "Callable[[Recording, _OneBrowser, BrowserContext], Coroutine[Any, Any, Page]]"
    leave: "Callable[[Recording, _OneBrowser, BrowserContext], Coroutine[Any, Any, None]]"


async def _recorded(
    source: _BrowserSource[_OneBrowser],
    begin: Callable[[], Recording],
    drive: Drive | None,
    *,
    control: bool,
    on_live: OnLive | None,
) -> RecordingEnd:
    async with playwright_or_missing() as playwright:
        browser, context = await source.browser(playwright)
        recording = begin()  # its clock starts with it: not before there is a browser
        try:
            with recording.interruptible():
                page = await source.first_page(recording, browser, context)
                return await recording.until_over(page, drive, control=control, on_live=on_live)
        finally:
            await source.leave(recording, browser, context)


async def _shut(browser: "Browser | None", context: "BrowserContext") -> None:
    from playwright.async_api import Error  # late: extra: playwright

    for one in (context, browser):
        try:
            if one is not None:
                await one.close()
        except Error:  # it has gone already
            continue


async def _let_go(recording: Recording, browser: "Browser", context: "BrowserContext") -> None:
    from playwright.async_api import Error  # late: extra: playwright

    await recording.leave(context)
    try:
        await browser.close()  # of a browser we are attached to: ends the connection only
    except Error:
        return
