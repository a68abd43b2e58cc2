"""Recordings for tests: a real browser, driven by a script, and a sink that keeps everything in memory."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.observe.recording.watching import Shelf
from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.session import Action, ActionTarget, SessionHead
from testwright.observe.recording.recorder import Drive, RecordingEnd, RecordOptions, record


@dataclass
class Kept(Shelf):
    heads: list[SessionHead] = field(default_factory=list)
    pages: dict[str, DomSnapshot] = field(default_factory=dict)
    ended: RecordingEnd | None = None

    def begin(self, head: SessionHead) -> None:
        self.heads.append(head)

    def keep_page(self, seq: int, page: DomSnapshot) -> str:
        self.pages[f"page-{seq}"] = page
        return f"page-{seq}"

    @property
    def actions(self) -> list[Action]:
        return self.all(Action)

    def on(self, name: str) -> list[Action]:
        """The actions on what is called so: its accessible name, or its tag."""
        return [action for action in self.actions if name in (action.target.name, action.target.tag)]

    def only(self, name: str) -> Action:
        (found,) = self.on(name)
        return found


def recorded(url: str, chromium: str, drive: Drive | None, *, masker: Masker | None = None, **chosen: Any) -> Kept:
    kept = Kept()
    options = RecordOptions(headless=True, chromium=Path(chromium), **chosen)
    kept.ended = record(url, kept, masker or Masker(), options, drive=drive)
    return kept


def best(target: ActionTarget | None) -> str:
    assert target is not None
    assert target.best is not None
    return target.best.selector
