"""Start a browser to be recorded."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.model.errors import MissingExtra, UsageError
from testwright.model.untrusted_text import visible_line
from testwright.observe.playwright_errors import no_browser, playwright_error_line
from testwright.observe.recording.record_options import RecordOptions

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright
    from playwright.async_api._context_manager import PlaywrightContextManager

_LAUNCH_MS = 30_000
# We end the browser ourselves, after everything is written down.
_SIGNALS: dict[str, Any] = {"handle_sigint": False, "handle_sigterm": False, "handle_sighup": False}


def playwright_or_missing() -> "PlaywrightContextManager":
    try:
        from playwright.async_api import async_playwright  # late: extra: playwright
    except ImportError as error:
        raise MissingExtra("browser") from error
    return async_playwright()


async def launch_browser(playwright: "Playwright", options: RecordOptions) -> "tuple[Browser | None, BrowserContext]":
    """The browser, if it is one of its own apart from the context, and a context without pages of ours."""
    from playwright.async_api import Error  # late: extra: playwright

    wanted = _context_options(options)
    try:
        if options.user_data_dir is not None:
            context = await playwright.chromium.launch_persistent_context(
                options.user_data_dir,
                executable_path=options.chromium,
                headless=options.headless,
                timeout=_LAUNCH_MS,
                **_SIGNALS,
                **wanted,
            )
            return context.browser, context
        browser = await playwright.chromium.launch(
            executable_path=options.chromium, headless=options.headless, timeout=_LAUNCH_MS, **_SIGNALS
        )
    except Error as error:
        raise no_browser(error) from error
    if options.storage_state is not None:
        wanted["storage_state"] = _saved_state(options.storage_state)
    try:
        return browser, await browser.new_context(**wanted)
    except Error as error:
        await browser.close()
        raise UsageError(
            f"The browser cannot be set up so: {playwright_error_line(error)}.",
            next_step="Check the viewport, the locale, the time zone and the saved state.",
        ) from error


def _context_options(options: RecordOptions) -> dict[str, Any]:
    wanted: dict[str, Any] = {"ignore_https_errors": options.ignore_https_errors}
    if options.viewport is not None:
        wanted["viewport"] = {"width": options.viewport[0], "height": options.viewport[1]}
    elif not options.headless:
        wanted["no_viewport"] = True  # as large as the window, which the user may resize
    said = {"locale": options.locale, "timezone_id": options.timezone, "color_scheme": options.color_scheme}
    return wanted | {name: value for name, value in said.items() if value}


def _saved_state(path: Path) -> dict[str, Any]:
    why = ""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        state, why = None, f": {visible_line(str(error), limit=100)}"
    if not isinstance(state, dict):
        raise UsageError(
            f"{visible_line(str(path), limit=200)} holds no saved state{why}.",
            next_step="Give a file that Playwright's storage_state() has written.",
        )
    return state
