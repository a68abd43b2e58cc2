"""Open a page by its address in a browser of our own, and read it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from testwright.model.dom import DomSnapshot
from testwright.model.errors import DomQueryFailed, MissingExtra, UsageError
from testwright.model.untrusted_text import visible_line
from testwright.observe.playwright_errors import no_browser, playwright_error_line

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

_SCHEMES = ("http", "https", "file")
TIMEOUT_S = 15.0


@contextmanager
def open_page(url: str, *, chromium: Path | None = None, timeout_s: float = TIMEOUT_S) -> "Iterator[Page]":
    """A page of a fresh browser at `url`, loaded as far as it goes in time. No `chromium`: Playwright's own."""
    _check(url)
    try:
        # late: extra: playwright
        from playwright.sync_api import Error, sync_playwright
        from playwright.sync_api import TimeoutError as TookTooLong
    except ImportError as error:
        raise MissingExtra("browser") from error
    with sync_playwright() as playwright:
        browser = _launched(playwright, chromium, timeout_s)
        try:
            page = browser.new_page()
            try:
                page.goto(url, timeout=timeout_s * 1000, wait_until="domcontentloaded")
            except Error as error:
                raise DomQueryFailed(
                    f"{_shown(url)} cannot be opened: {playwright_error_line(error)}.",
                    next_step="Start the application, and check the address.",
                ) from error
            with suppress(TookTooLong):  # the page then says of itself that it is not loaded
                page.wait_for_load_state("load", timeout=timeout_s * 1000)
            yield page
        finally:
            browser.close()


def snapshot_url(url: str, *, chromium: Path | None = None, timeout_s: float = TIMEOUT_S) -> DomSnapshot:
    from testwright.observe.live_page import snapshot_page  # late: start-up: who opens a page may not read it

    with open_page(url, chromium=chromium, timeout_s=timeout_s) as page:
        return snapshot_page(page, seconds=timeout_s)


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_fine = parts.scheme.lower() in _SCHEMES and (parts.scheme.lower() == "file" or bool(parts.hostname))
    except ValueError:
        is_fine = False
    if not is_fine:
        raise UsageError(
            f"{visible_line(url, limit=200)!r} is no address of a page.",
            next_step="Give an address that begins with http://, https:// or file://.",
        )


def _launched(playwright: "Playwright", chromium: Path | None, timeout_s: float) -> "Browser":
    from playwright.sync_api import Error  # late: extra: playwright

    try:
        return playwright.chromium.launch(executable_path=chromium, timeout=timeout_s * 1000)
    except Error as error:
        raise no_browser(error) from error


def _shown(url: str) -> str:
    """Without what may be secret in an address: the user's part and the query."""
    parts = urlsplit(url)
    return visible_line(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}", limit=200)
