"""What the person does, as actions: each told when it begins, written once nothing more can be said about it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from testwright.model.session import Action, ActionTarget, ActionType, Secret
from testwright.observe.recording.background_tasks import BackgroundTasks
from testwright.observe.recording.element_targets import plain_target, target_of
from testwright.observe.recording.frame_chains import FrameChains
from testwright.observe.recording.page_messages import Amends, Begins
from testwright.observe.recording.recorded_pages import RecordedPages
from testwright.observe.recording.recording_state import RecordingState
from testwright.observe.recording.tabs import Tabs

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

_PATIENCE_S = 2.0  # for the last word about an action; its document may be gone before it comes
_MOST_WAITING = 500


@dataclass
class _OpenAction:
    seq: int
    t: int
    tab: int
    after: int | None
    url: str
    said: Begins
    frame: "Frame"
    by_pilot: bool
    type: ActionType
    text: str
    value: str | Secret = ""
    is_cancelled: bool = False
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class ActionWatch:
    def __init__(
        self,
        notebook: RecordingState,
        tabs: Tabs,
        pages: RecordedPages,
        chains: FrameChains,
        *,
        test_id_attribute: str,
        is_piloted: Callable[[], bool],
    ) -> None:
        self._notebook = notebook
        self._tabs = tabs
        self._pages = pages
        self._chains = chains
        self._test_id_attribute = test_id_attribute
        self._is_piloted = is_piloted
        self._unsettled: dict[tuple[str, int], _OpenAction] = {}
        self._writing = BackgroundTasks(notebook, at_once=_MOST_WAITING)
        self._turn = asyncio.Lock()  # pages are worked on one after another, in order

    @property
    def has_open_text(self) -> bool:
        return any(begun.type is ActionType.FILL for begun in self._unsettled.values())

    def begins(self, said: Begins, page: "Page", frame: "Frame") -> None:
        if not said.is_beside:
            self._settle_all()
        tab = self._tabs.number(page)
        seq, t, after = self._notebook.next_seq(), self._notebook.now(), self._notebook.cause(tab)
        self._notebook.is_caused_by(tab, seq)
        self._tabs.is_used(page, t)
        begun = _OpenAction(seq, t, tab, after, page.url, said, frame, self._is_piloted(), said.type, said.value)
        self._unsettled[said.id] = begun
        self._writing.start(self._write(begun), what="actions")
        if not said.is_open:
            self._settle(begun)
        elif said.type is not ActionType.FILL:
            asyncio.get_running_loop().call_later(_PATIENCE_S, self._settle, begun)

    def amends(self, said: Amends) -> None:
        begun = self._unsettled.get(said.id)
        if begun is None:
            return
        if said.type is not None:
            begun.type = said.type
        if said.value is not None:
            begun.text = said.value
        begun.is_cancelled |= said.is_cancelled
        if said.is_done or said.is_cancelled:
            self._settle(begun)

    async def drain(self) -> None:
        self._settle_all()
        await self._writing.drain(10.0)

    def _settle_all(self) -> None:
        for begun in list(self._unsettled.values()):
            self._settle(begun)

    def _settle(self, begun: _OpenAction) -> None:
        if begun.settled.is_set():
            return
        self._unsettled.pop(begun.said.id, None)
        if begun.type is ActionType.FILL:
            # At once: what the page does with a secret comes after this.
            begun.value = self._notebook.masker.field(begun.text, begun.said.facts)
        else:
            begun.value = self._notebook.masker.text(begun.text)
        begun.settled.set()

    async def _write(self, begun: _OpenAction) -> None:
        async with self._turn:
            frames = await self._chains.around(begun.frame)
            target, kept = self._target(begun, frames)
            onto = self._onto(begun, frames)
        await begun.settled.wait()
        if begun.is_cancelled:
            return
        masker = self._notebook.masker
        self._notebook.add(
            Action(
                seq=begun.seq,
                t=begun.t,
                tab=begun.tab,
                after=begun.after,
                type=begun.type,
                target=target,
                value=begun.value,
                values=tuple(masker.text(value) for value in begun.said.values),
                onto=onto,
                page=kept,
                url=masker.url(begun.url),
                by_pilot=begun.by_pilot,
            )
        )

    def _target(self, begun: _OpenAction, frames: tuple[str, ...]) -> tuple[ActionTarget, str]:
        walk = begun.said.walks[0] if begun.said.walks else ""
        walked = self._pages.read(walk)
        if walked is None:
            self._notebook.gaps.add("actions: the page before some of them could not be kept")
            return plain_target(begun.said.tag, frames), ""
        kept = self._pages.keep(begun.seq, walk, walked)
        if not walked.targets:
            return plain_target(begun.said.tag, frames), kept
        target = target_of(walked.page, walked.targets[0], frames=frames, test_id_attribute=self._test_id_attribute)
        return target, kept

    def _onto(self, begun: _OpenAction, frames: tuple[str, ...]) -> ActionTarget | None:
        if begun.type is not ActionType.DRAG or len(begun.said.walks) < 2:  # before and after
            return None
        walked = self._pages.read(begun.said.walks[1])
        if walked is None or not walked.targets:
            return None
        return target_of(walked.page, walked.targets[0], frames=frames, test_id_attribute=self._test_id_attribute)
