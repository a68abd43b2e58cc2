"""What Playwright complains of, in our words."""

from testwright.model.errors import DomQueryFailed
from testwright.model.untrusted_text import visible_line


def playwright_error_line(error: Exception) -> str:
    """Of an error of Playwright, without the address that it repeats."""
    line = (str(error).splitlines() or ["it did not say why"])[0]
    return visible_line(line.partition(" at http")[0].partition(" at file")[0].rstrip("."), limit=200)


def no_browser(error: Exception) -> DomQueryFailed:
    return DomQueryFailed(
        f"No browser could be started: {playwright_error_line(error)}.",
        next_step="Name a Chromium with TESTWRIGHT_CHROMIUM, or run: playwright install chromium",
    )
