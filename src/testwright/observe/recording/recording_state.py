"""What every watcher of a browser shares: the clock, the numbers of events, who caused what, and where events go."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.session import AnySessionEvent, SessionHead, begins_something


class SessionSink(Protocol):
    """Where a session is kept. Whatever arrives here is masked."""

    def begin(self, head: SessionHead) -> None: ...

    def add(self, event: AnySessionEvent) -> None:
        """Keep an event so that it survives our own sudden death."""

    def keep_page(self, seq: int, page: DomSnapshot) -> str:
        """Keep a page that belongs to the event with this number; the name to find it by, empty if there is no room."""

    def keep_text(self, name: str, text: str) -> str:
        """Keep a long text apart; the name to find it by, empty if there is no room."""


@dataclass
class RecordingState:
    """One recording's. All watchers live on one event loop, so nothing here needs a lock."""

    sink: SessionSink
    masker: Masker
    started: float = field(default_factory=time.monotonic)
    gaps: set[str] = field(default_factory=set)  # what could not be seen, in words
    _last_seq: int = 0
    _causes: dict[int, int] = field(default_factory=dict)  # tab -> its last action or navigation

    def now(self) -> int:
        """Milliseconds since the recording began."""
        return int((time.monotonic() - self.started) * 1000)

    def next_seq(self) -> int:
        """The number of something that begins now; its event may be added later."""
        self._last_seq += 1
        return self._last_seq

    def cause(self, tab: int) -> int | None:
        """What happened in this tab last that may have caused what happens now."""
        return self._causes.get(tab)

    def latest_cause(self) -> int | None:
        """What happened last in any tab: for what begins before it is known which tab it belongs to."""
        return max(self._causes.values(), default=None)

    def is_caused_by(self, tab: int, seq: int | None) -> None:
        """What happens in this tab from now on comes after that event: for a tab that another one opened."""
        if seq is not None:
            self._causes[tab] = seq

    def add(self, event: AnySessionEvent) -> None:
        if begins_something(event):
            self._causes[event.tab] = max(event.seq, self._causes.get(event.tab, 0))
        self.sink.add(event)
