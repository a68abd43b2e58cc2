"""Record a browser: open one at an address, and write down what happens in it until somebody ends it."""

import asyncio
from typing import TYPE_CHECKING

from testwright.masking.masker import Masker
from testwright.observe.recording.addresses import checked_url
from testwright.observe.recording.attaching import attach
from testwright.observe.recording.control import OnLive
from testwright.observe.recording.launching import launched, playwright_or_missing
from testwright.observe.recording.noise import NoiseRules
from testwright.observe.recording.notebook import Sink
from testwright.observe.recording.options import AS_IT_COMES, Ended, EndReason, RecordOptions
from testwright.observe.recording.watching import Drive, Listen, Recording

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext

__all__ = ["Drive", "EndReason", "Ended", "Listen", "RecordOptions", "attach", "record"]


def record(
    url: str,
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
    """Open `url` in a browser of our own and record until `drive` is done, or until somebody or something ends it.

    `control`: take commands on a socket; `on_live` is told where. `listen` hears every event that is written.
    """
    address = checked_url(url)

    async def whole() -> Ended:
        async with playwright_or_missing() as playwright:
            browser, context = await launched(playwright, options)
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
