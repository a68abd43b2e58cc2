"""Pages that were read a moment ago: one reading answers many questions."""

import time
from collections.abc import Callable

from testwright.model.dom import DomSnapshot

_MOST_PAGES = 20


class SnapshotCache:
    """Keeps each page for a while, by its address."""

    def __init__(self, ttl_seconds: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl, self._clock = ttl_seconds, clock
        self._kept: dict[str, tuple[float, DomSnapshot]] = {}

    def get(self, url: str, read: Callable[[str], DomSnapshot]) -> DomSnapshot:
        """The page at `url`; `read` is asked unless it was within the time. A page still being loaded is not kept."""
        now = self._clock()
        self._kept = {key: kept for key, kept in self._kept.items() if now - kept[0] < self._ttl}
        if url in self._kept:
            return self._kept[url][1]
        page = read(url)
        if page.is_loaded:
            while len(self._kept) >= _MOST_PAGES:
                self._kept.pop(next(iter(self._kept)))
            self._kept[url] = (now, page)
        return page
