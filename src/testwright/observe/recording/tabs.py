"""Tabs have numbers, from 1, in the order they were opened."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from testwright.model.session import TabEvent
from testwright.observe.recording.background_tasks import BackgroundTasks, guarded
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

_SOON_MS = 700


class Tabs:
    def __init__(self, notebook: RecordingState, *, all_closed: Callable[[], None]) -> None:
        self._notebook = notebook
        self._all_closed = all_closed
        self._numbers: dict[Page, int] = {}
        self._open: list[Page] = []  # the one used last comes last
        self._openers: dict[int, int] = {}
        self._opened_after: dict[int, int] = {}
        self._acted: dict[Page, int] = {}  # when somebody last did something there
        self._work = BackgroundTasks(notebook)

    def watch(self, context: "BrowserContext") -> None:
        context.on("page", guarded(self._notebook, "tabs", self._opens))
        for page in context.pages:
            self._opens(page)

    def number(self, page: "Page") -> int:
        if page not in self._numbers:
            self._numbers[page] = len(self._numbers) + 1
        return self._numbers[page]

    def opener(self, tab: int) -> int | None:
        return self._openers.get(tab)

    def opened_after(self, tab: int) -> int | None:
        """What happened in its opener before it opened."""
        return self._opened_after.get(tab)

    @property
    def current(self) -> "Page | None":
        """Where something happened last."""
        return self._open[-1] if self._open else None

    def acted_at(self, page: "Page") -> int:
        """When somebody last did something there; long ago, if never."""
        return self._acted.get(page, -1_000_000)

    def is_used(self, page: "Page", t: int) -> None:
        """Somebody does something in it."""
        self._acted[page] = t
        if page in self._open and self._open[-1] is not page:
            self._open.remove(page)
            self._open.append(page)

    async def drain(self) -> None:
        await self._work.drain()

    def _opens(self, page: "Page") -> None:
        if page in self._open or page.is_closed():
            return
        tab = self.number(page)
        self._open.append(page)
        seq, t = self._notebook.next_seq(), self._notebook.now()
        page.on("close", guarded(self._notebook, "tabs", self._closes))
        page.on("crash", guarded(self._notebook, "tabs", self._crashes))
        self._work.start(self._tell_opened(page, tab, seq, t), what="tabs")

    async def _tell_opened(self, page: "Page", tab: int, seq: int, t: int) -> None:
        opener = await page.opener() or self._likely_opener(page, t)
        number = self.number(opener) if opener else None
        cause = self._notebook.cause(number) if number else None
        if number:
            self._openers[tab] = number
            if cause is not None:
                self._opened_after[tab] = cause
            if self._notebook.cause(tab) is None:
                self._notebook.is_caused_by(tab, cause)
        url = self._notebook.masker.url(page.url)
        self._notebook.add(TabEvent(seq=seq, t=t, tab=tab, after=cause, what="opened", opener=number, url=url))

    def _likely_opener(self, page: "Page", t: int) -> "Page | None":
        """Links may hide where they come from; a tab that opens right after an action was opened by it."""
        return next((one for one in self._open if one is not page and 0 <= t - self.acted_at(one) < _SOON_MS), None)

    def _closes(self, page: "Page") -> None:
        if page not in self._open:
            return
        self._open.remove(page)
        self._tell("closed", page)
        if not self._open:
            self._all_closed()

    def _crashes(self, page: "Page") -> None:
        self._tell("crashed", page)

    def _tell(self, what: str, page: "Page") -> None:
        tab = self.number(page)
        self._notebook.add(
            TabEvent(
                seq=self._notebook.next_seq(),
                t=self._notebook.now(),
                tab=tab,
                after=self._notebook.cause(tab),
                what=what,
                opener=self._openers.get(tab),
                url=self._notebook.masker.url(page.url),
            )
        )
