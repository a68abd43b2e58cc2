"""The page that `test_heal` looks at: an address, a saved page, or the moment of failure in a trace."""

from collections.abc import Callable
from pathlib import Path

from testwright.model.dom import DomSnapshot
from testwright.model.errors import DomQueryFailed
from testwright.model.untrusted_text import visible_line
from testwright.observe.browser import snapshot_url
from testwright.observe.html_page import snapshot_html
from testwright.observe.playwright_trace import read_trace
from testwright.observe.snapshot_cache import SnapshotCache
from testwright.pipeline.healing.on_request.request import PageSource

ReadFile = Callable[[str], bytes]


def page_opener(read: ReadFile, *, chromium: Path | None = None) -> Callable[[PageSource], DomSnapshot]:
    """How to get a page. `read` decides which files may be read; a page by address is kept for ten seconds."""
    cache = SnapshotCache()

    def open_page(source: PageSource) -> DomSnapshot:
        if source.url:
            return cache.get(source.url, lambda url: snapshot_url(url, chromium=chromium))
        if source.html_file:
            return snapshot_html(read(source.html_file))
        return _failed_page(read(source.trace_file), source.trace_file)

    return open_page


def _failed_page(archive: bytes, name: str) -> DomSnapshot:
    """The page as it was when the last call of a trace failed; of a trace without a failure, the last page."""
    trace = read_trace(archive)
    failed = trace.failed_call()
    page = trace.page_at_failure(failed) if failed is not None else None
    for call in reversed(trace.calls):
        page = page or trace.page_at(call, "after")
    if page is not None:
        return page
    raise DomQueryFailed(
        f"The trace {visible_line(name)} holds no page.", next_step="Record it with snapshots: `--trace on`."
    )
