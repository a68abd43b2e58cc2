"""Dialogs of the pages: alert, confirm, prompt, and the question whether to leave."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from testwright.model.session import Dialog
from testwright.observe.recording.background_tasks import BackgroundTasks, guarded
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page
    from playwright.async_api import Dialog as BrowserDialog

_PATIENCE_S = 0.25  # a script that drives the page may have an answer of its own


class Dialogs:
    """Without a person to answer, dialogs are closed as Playwright would close them; a person's are left alone."""

    def __init__(self, notebook: RecordingState, *, answer: bool, patient: bool) -> None:
        """`patient`: a script may answer first."""
        self._notebook = notebook
        self._answer = answer
        self._patient = patient
        self._work = BackgroundTasks(notebook)

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        def opens(dialog: "BrowserDialog") -> None:
            tab = tab_of(dialog.page) if dialog.page else 1
            seq, t, after = self._notebook.next_seq(), self._notebook.now(), self._notebook.cause(tab)
            self._work.start(self._close(dialog, tab, seq, t, after), what="dialogs")

        context.on("dialog", guarded(self._notebook, "dialogs", opens))

    async def drain(self) -> None:
        await self._work.drain()

    async def _close(self, dialog: "BrowserDialog", tab: int, seq: int, t: int, after: int | None) -> None:
        from playwright.async_api import Error  # late: extra: playwright

        accepted: bool | None = None
        if self._answer:
            if self._patient and dialog.type != "beforeunload":
                await asyncio.sleep(_PATIENCE_S)
            try:
                if dialog.type in {"alert", "beforeunload"}:
                    await dialog.accept()
                    accepted = True
                else:
                    await dialog.dismiss()
                    accepted = False
            except Error:  # somebody was quicker, or the page is gone
                accepted = None
        message = self._notebook.masker.text(dialog.message)
        self._notebook.add(
            Dialog(seq=seq, t=t, tab=tab, after=after, type=dialog.type, message=message, accepted=accepted)
        )
