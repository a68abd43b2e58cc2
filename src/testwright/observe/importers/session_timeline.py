"""A session read from a file: events put in order, the pages that belong to them, and what the file did not contain."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from testwright.model.dom import DomSnapshot
from testwright.model.session import AnySessionEvent, SessionHead, TabEvent, begins_something

PageSource = Callable[[], DomSnapshot | None]
MOST_EVENTS = 100_000  # of one kind; what comes after them is counted
NOT_YET = 0  # the seq and the time of an event that has no place yet


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an event has from its place in the session."""

    seq: int
    t: int
    tab: int
    after: int | None


@dataclass(frozen=True, slots=True)
class SessionContent:
    head: SessionHead  # without an id: it gets one where it is kept
    events: tuple[AnySessionEvent, ...]
    pages: Mapping[int, PageSource] = field(default_factory=dict)  # by the seq of their event; made when asked for
    ended: int = 0
    last_page: PageSource | None = None  # as it was at the end

    @property
    def gaps(self) -> tuple[str, ...]:
        return self.head.gaps


@dataclass
class Timeline:
    """Collects what happened, in any order. Times are milliseconds since 1970."""

    left_out: Counter[str] = field(default_factory=Counter)  # what could not be used, in words, and how often
    _drafts: list[tuple[float, int, int, Callable[[Stamp], AnySessionEvent], PageSource | None]] = field(
        default_factory=list
    )

    def add(self, at: float, event: AnySessionEvent, page: PageSource | None = None) -> None:
        """An event whose `seq`, `t` and `after` are not known yet: it gets those of its place."""

        def placed(stamp: Stamp) -> AnySessionEvent:
            return replace(event, seq=stamp.seq, t=stamp.t, after=stamp.after)

        self.add_made(at, event.tab, placed, page)

    def add_made(
        self, at: float, tab: int, make: Callable[[Stamp], AnySessionEvent], page: PageSource | None = None
    ) -> None:
        """`make` is called once, with the event's place, after all that comes before it."""
        self._drafts.append((at, len(self._drafts), tab, make, page))

    def __bool__(self) -> bool:
        return bool(self._drafts)

    @property
    def started(self) -> float:
        return min((draft[0] for draft in self._drafts), default=0.0)

    def first_in(self, tab: int) -> float:
        """When the first thing happened in a tab."""
        return min((draft[0] for draft in self._drafts if draft[2] == tab), default=float("inf"))

    def finish(self, started: float) -> tuple[tuple[AnySessionEvent, ...], dict[int, PageSource]]:
        """The events by time, numbered, each with the action or navigation of its tab that it came after."""
        causes: dict[int, int] = {}
        events: list[AnySessionEvent] = []
        pages: dict[int, PageSource] = {}
        for seq, (at, _, tab, make, page) in enumerate(sorted(self._drafts, key=lambda draft: draft[:2]), start=1):
            event = make(Stamp(seq, max(0, round(at - started)), tab, causes.get(tab)))
            events.append(event)
            if page is not None:
                pages[seq] = page
            if isinstance(event, TabEvent) and event.opener is not None and event.opener in causes:
                causes[tab] = causes[event.opener]
            if begins_something(event):
                causes[tab] = seq
        return tuple(events), pages

    def left_out_gaps(self) -> tuple[str, ...]:
        return tuple(f"{what}: {count}" for what, count in sorted(self.left_out.items()))
