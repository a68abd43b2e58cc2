"""Connect to a browser that is running, in either of the ways it may offer its debugging."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.model.errors import BrowserUnreachable, InvalidUrl
from testwright.model.untrusted_text import visible_line
from testwright.observe.playwright_errors import playwright_error_line

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

_CONNECT_MS = 15_000
_PORT_FILE = "DevToolsActivePort"
_LARGEST_PORT = 65_535
_HOW = (
    "Start the browser with --remote-debugging-port=9222 and a --user-data-dir of its own, or switch remote debugging"
    " on at chrome://inspect/#remote-debugging and give the profile folder."
)
_STORAGE = """() => {
  const all = (name) => {
    try { return Object.fromEntries(Object.entries(window[name])); } catch { return {}; }
  };
  return [all('localStorage'), all('sessionStorage'), window.origin];
}"""


async def connect_to_browser(playwright: "Playwright", place: str | int | Path) -> "tuple[Browser, BrowserContext]":
    from playwright.async_api import Error  # late: extra: playwright

    endpoint = endpoint_of(place)
    try:
        browser = await playwright.chromium.connect_over_cdp(endpoint, timeout=_CONNECT_MS)
    except Error as error:
        where = visible_line(endpoint.partition("/devtools/")[0], limit=100)
        raise BrowserUnreachable(
            f"No browser answers at {where}: {playwright_error_line(error)}.", next_step=_HOW
        ) from error
    return browser, browser.contexts[0] if browser.contexts else await browser.new_context()


async def current_page(context: "BrowserContext") -> "Page":
    """The tab that is likely looked at: the last that shows, of those with a page of the web in it."""
    from playwright.async_api import Error  # late: extra: playwright

    pages = [page for page in context.pages if page.url.startswith(("http://", "https://"))] or context.pages
    for page in reversed(pages):
        try:
            if await page.evaluate("document.visibilityState") == "visible":
                return page
        except Error:  # a page of the browser's own
            continue
    return pages[-1] if pages else await context.new_page()


def endpoint_of(place: str | int | Path) -> str:
    """Where to connect: for a port, an http:// or ws:// address, or a profile folder."""
    text = str(place).strip()
    if text.isdecimal():
        return f"http://127.0.0.1:{_port(text)}"
    if re.match(r"(?:https?|wss?)://[^/@\s]+", text):
        return text
    if "://" in text:
        raise InvalidUrl(
            f"{visible_line(text, limit=100)!r} is no address of a browser's debugging.",
            next_step="Give a port, an address such as http://127.0.0.1:9222, or a profile folder.",
        )
    return _from_profile(Path(text))


async def open_storage(page: "Page") -> tuple[dict[str, str], dict[str, str], str]:
    """What the document has stored: local, for the session, and of which origin."""
    from playwright.async_api import Error  # late: extra: playwright

    try:
        local, session, origin = await page.evaluate(_STORAGE)
    except Error:  # a page of the browser's own
        return {}, {}, ""
    return dict(local), dict(session), str(origin)


def _from_profile(folder: Path) -> str:
    path = folder / _PORT_FILE if folder.is_dir() else folder
    if path.name != _PORT_FILE:
        raise BrowserUnreachable(f"{visible_line(str(folder), limit=200)} is no profile folder.", next_step=_HOW)
    try:
        lines = path.read_text(encoding="utf-8")[:1000].splitlines()
    except (OSError, UnicodeDecodeError):
        raise BrowserUnreachable(
            f"{visible_line(str(folder), limit=200)} has no {_PORT_FILE}: its browser does not offer debugging.",
            next_step=_HOW,
        ) from None
    if len(lines) < 2 or not lines[0].isdecimal() or not lines[1].startswith("/devtools/"):  # port, path
        raise BrowserUnreachable(f"{visible_line(str(path), limit=200)} makes no sense.", next_step=_HOW)
    return f"ws://127.0.0.1:{_port(lines[0])}{lines[1]}"


def _port(text: str) -> int:
    number = int(text) if len(text) < 6 else 0  # digits of the largest port
    if not 0 < number <= _LARGEST_PORT:
        raise InvalidUrl(f"{visible_line(text, limit=20)} is no port.", next_step="Give one between 1 and 65535.")
    return number
