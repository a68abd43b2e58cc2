"""Record a browser that is running, and leave it running."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.masking.masker import Masker
from testwright.observe.recording.connecting import attached
from testwright.observe.recording.control import OnLive
from testwright.observe.recording.launching import playwright_or_missing
from testwright.observe.recording.noise import NoiseRules
from testwright.observe.recording.notebook import Sink
from testwright.observe.recording.options import AS_IT_COMES, Ended, RecordOptions
from testwright.observe.recording.watching import Drive, Listen, Recording

if TYPE_CHECKING:
    from playwright.async_api import Browser


def attach(
    place: str | int | Path,
    sink: Sink,
    masker: Masker,
    options: RecordOptions = AS_IT_COMES,
    *,
    drive: Drive | None = None,
    noise: NoiseRules | None = None,
    listen: Listen | None = None,
    control: bool = False,
    on_live: OnLive | None = None,
) -> Ended:
    """Record a browser that is running: at an address or port of its debugging, or by its profile folder.

    On leaving we let go of it; it stays open, with all its tabs.
    """

    async def whole() -> Ended:
        async with playwright_or_missing() as playwright:
            browser, context = await attached(playwright, place)
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
