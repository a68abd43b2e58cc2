"""The part of a session that one test is about: from the last full navigation, or the beginning, to its moment."""

from dataclasses import dataclass

from testwright.model.session import (
    Action,
    Dialog,
    HttpRequest,
    Navigation,
    NavigationCause,
    PageError,
    Session,
    SessionHead,
    SocketEvent,
    StorageState,
    TabEvent,
)

_REPEATABLE = ("GET", "HEAD")
MOST_ACTIONS = 60


@dataclass(frozen=True, slots=True)
class Slice:
    """What happened, in order, in the tabs that matter."""

    head: SessionHead
    start: Navigation | None  # None: the session does not say where it began
    state: StorageState  # what the first document found in the browser
    actions: tuple[Action, ...] = ()
    navigations: tuple[Navigation, ...] = ()  # after the start
    requests: tuple[HttpRequest, ...] = ()
    sockets: tuple[SocketEvent, ...] = ()
    dialogs: tuple[Dialog, ...] = ()
    errors: tuple[PageError, ...] = ()
    tabs: tuple[TabEvent, ...] = ()
    error: PageError | None = None
    last_page: str = ""  # the page at the end of it, where it was kept

    @property
    def start_url(self) -> str:
        return self.start.url if self.start is not None else self.head.url

    @property
    def began(self) -> int:
        return self.start.t if self.start is not None else 0


def slice_for_error(session: Session, error: PageError, *, whole: bool = False) -> Slice:
    """All that led to an error: what happened since the last full navigation of its tab, and of those it came from.

    `whole`: from the beginning of the session, for what only earlier steps can bring about, such as a login.
    """
    tabs = _lineage(session, error)
    first = next((one for one in session.navigations if one.tab == tabs[-1]), None)
    start = first if whole else _start(session, tabs, error.seq)
    return _between(session, start, error.seq, frozenset(tabs), error=error)


def slice_of_actions(session: Session) -> Slice:
    """All of the session, or of a very long one the last part that began with an address somebody gave."""
    before_actions = [one for one in session.navigations if _count_since(session, one) > 0]
    starts = [one for one in before_actions if one.cause is NavigationCause.GOTO]
    start = next(iter(starts), next(iter(before_actions), None))
    for candidate in starts:
        if start is None or _count_since(session, start) <= MOST_ACTIONS:
            break
        start = candidate
    return _between(session, start, None)


def _count_since(session: Session, start: Navigation) -> int:
    return sum(action.seq > start.seq for action in session.actions)


def _lineage(session: Session, error: PageError) -> list[int]:
    """The tab of the error, the tab whose page opened it, and so on."""
    openers = {event.tab: event.opener for event in session.events if isinstance(event, TabEvent) and event.opener}
    tabs = [error.tab]
    while (opener := openers.get(tabs[-1])) is not None and opener not in tabs:
        tabs.append(opener)
    return tabs


def _start(session: Session, tabs: list[int], until: int) -> Navigation | None:
    """The navigation to begin with. One that needs an action before it cannot be the beginning: go further back."""
    first = tabs[-1]
    found = None
    for one in session.navigations:
        if one.seq >= until or one.cause is NavigationCause.SAME_DOCUMENT:
            continue
        if one.tab == first and (found is None or _can_begin(one)):
            if len(tabs) > 1 and _opened_at(session, tabs[-2]) < one.seq:
                break  # the next tab was opened from an earlier page
            found = one
    return found


def _can_begin(navigation: Navigation) -> bool:
    """Whether giving the address leads to the same page."""
    return navigation.method in _REPEATABLE


def _opened_at(session: Session, tab: int) -> int:
    opened = (event.seq for event in session.events if isinstance(event, TabEvent) and event.tab == tab)
    return next(opened, 0)


def _between(
    session: Session,
    start: Navigation | None,
    until: int | None,
    tabs: frozenset[int] | None = None,
    *,
    error: PageError | None = None,
) -> Slice:
    since = start.seq if start is not None else 0
    inside = [
        event
        for event in session.events
        if event.seq > since and (until is None or event.seq < until) and (tabs is None or event.tab in tabs)
    ]
    return Slice(
        session.head,
        start,
        start.state if start is not None else session.head.state,
        actions=tuple(one for one in inside if isinstance(one, Action)),
        navigations=tuple(one for one in inside if isinstance(one, Navigation)),
        requests=tuple(one for one in inside if isinstance(one, HttpRequest)),
        sockets=tuple(one for one in inside if isinstance(one, SocketEvent)),
        dialogs=tuple(one for one in inside if isinstance(one, Dialog)),
        errors=tuple(one for one in inside if isinstance(one, PageError)),
        tabs=tuple(one for one in inside if isinstance(one, TabEvent)),
        error=error,
        last_page=error.page if error is not None else session.last_page,
    )
