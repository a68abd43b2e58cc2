"""Record a browser: open one at an address, and write down what happens in it until somebody ends it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

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
    from playwright.async_api import Browser, BrowserContext


# --- Record a browser that is running, and leave it running ---------------------------------------------------------


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

    async def whole() -> RecordingEnd:
        async with playwright_or_missing() as playwright:
            browser, context = await connect_to_browser(playwright, place)
            recording = Recording(sink, masker, options, noise or NoiseRules(), listen, has_script=drive is not None)
            try:
                with recording.interruptible():
                    page = await recording.join(browser, context)
                    return await recording.until_over(page, drive, control=control, on_live=on_live)
            finally:
                await recording.leave(context)
                await _let_go(browser)

    return asyncio.run(whole())


async def _let_go(browser: "Browser") -> None:
    from playwright.async_api import Error

    try:
        await browser.close()  # of a browser we are attached to: ends the connection only
    except Error:
        return


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

    `control`: take commands on a socket; `on_live` is told where. `listen` hears every event that is written.
    """
    address = checked_url(url)

    async def whole() -> RecordingEnd:
        async with playwright_or_missing() as playwright:
            browser, context = await launch_browser(playwright, options)
            recording = Recording(sink, masker, options, noise or NoiseRules(), listen, has_script=drive is not None)
            try:
                with recording.interruptible():
                    page = await recording.open(browser, context, address)
                    return await recording.until_over(page, drive, control=control, on_live=on_live)
            finally:
                await _shut(browser, context)

    return asyncio.run(whole())


async def _shut(browser: "Browser | None", context: "BrowserContext") -> None:
    from playwright.async_api import Error

    for one in (context, browser):
        try:
            if one is not None:
                await one.close()
        except Error:  # it has gone already
            continue
