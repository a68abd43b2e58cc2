"""The pages of a recording: masked, built, and handed to where they are kept."""

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING

from testwright.masking.mask_memory import MaskMemory
from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot
from testwright.model.errors import DomQueryFailed
from testwright.model.state_folder import aria_name
from testwright.observe.inside.page_walk import walk_source
from testwright.observe.live_page import WalkedPage, page_from_walk
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

MOST_WALK = 5_000_000
MOST_ARIA = 64 * 1024
_MOST_FRAMES = 20
_ANSWER_S = 1.5  # a page that is stuck is not waited for longer
_SHORTEST = 4  # characters of a text; what is shorter is not a secret


class WalkMasker:
    """Masks what walk.js has found, for one recording."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._memory = MaskMemory(masker, masker.attribute)

    def walk(self, text: str) -> str:
        """The walk with masked texts and attributes. Raises ValueError for what is not a walk."""
        walk = json.loads(text)
        if not isinstance(walk, dict) or not isinstance(walk.get("nodes"), list):
            raise ValueError("a page is not as it should be")  # noqa: TRY004 - the message is wrong, not our call
        walk["url"] = self._masker.url(str(walk.get("url", "")))
        walk["title"] = self._masker.text(str(walk.get("title", "")))
        for node in walk["nodes"]:
            if len(node) < 5:  # a text, as in walk.js
                node[1] = self._masked("", str(node[1]))
            else:
                node[3] = {name: self._masked(name, str(value)) for name, value in node[3].items()}
        return json.dumps(walk, ensure_ascii=False, separators=(",", ":"))

    def _masked(self, name: str, value: str) -> str:
        return value if len(value) < _SHORTEST else self._memory.masked(name, value)


class RecordedPages:
    def __init__(self, notebook: RecordingState) -> None:
        self._notebook = notebook
        self._masking = WalkMasker(notebook.masker)
        self._last: tuple[str, str, WalkedPage] = ("", "", WalkedPage(DomSnapshot(())))

    def read(self, walk: str) -> WalkedPage | None:
        """The page of a walk of one document; None: nothing usable came."""
        if not walk or len(walk) > MOST_WALK:
            return None
        try:
            return page_from_walk([{"walk": self._masking.walk(walk)}])
        except (DomQueryFailed, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self._notebook.gaps.add("pages: some could not be read")
            return None

    def keep(self, seq: int, walk: str, walked: WalkedPage) -> str:
        """Keep the page before an action; the same name again where nothing has changed since the last one."""
        mark = hashlib.blake2b(_without_targets(walk).encode("utf-8", "replace"), digest_size=16).hexdigest()
        if mark == self._last[0] and self._last[1]:
            return self._last[1]
        name = self._notebook.sink.keep_page(seq, walked.page)
        self._last = (mark, name, walked)
        return name

    async def keep_now(self, page: "Page") -> tuple[str, str]:
        """The page as it is, with its frames, and its ARIA snapshot: the names they are kept by, empty where not."""
        seq = self._notebook.next_seq()
        snapshot, aria = await asyncio.gather(self.snapshot(page), _aria(page))
        name = self._notebook.sink.keep_page(seq, snapshot) if snapshot else ""
        masked = self._notebook.masker.text(aria)[:MOST_ARIA]
        return name, self._notebook.sink.keep_text(aria_name(seq), masked) if masked else ""

    async def snapshot(self, page: "Page") -> DomSnapshot | None:
        """None: it does not answer."""
        records: list[dict[str, object]] = []
        try:
            async with asyncio.timeout(_ANSWER_S * 2):
                await self._walk(page.main_frame, None, None, records)
        except TimeoutError:
            self._notebook.gaps.add("pages: some did not answer in time")
        if not records:
            return None
        try:
            return page_from_walk(records).page
        except DomQueryFailed:
            return None

    async def _walk(
        self, frame: "Frame", parent: int | None, element: int | None, records: list[dict[str, object]]
    ) -> None:
        from playwright.async_api import Error  # late: extra: playwright

        children = frame.child_frames[:_MOST_FRAMES] if len(records) < _MOST_FRAMES else []
        try:
            handles = [await child.frame_element() for child in children]
            text = await frame.evaluate(walk_source(), {"frames": handles, "targets": []})
            walk = self._masking.walk(str(text))
        except (Error, ValueError):  # it has gone, or is on its way
            return
        place = len(records)
        records.append({"walk": walk, "parent": parent, "element": element})
        for number, child in enumerate(children):
            await self._walk(child, place, number, records)


async def _aria(page: "Page") -> str:
    from playwright.async_api import Error  # late: extra: playwright

    try:
        return await page.locator("body").aria_snapshot(timeout=_ANSWER_S * 1000)
    except Error:
        return ""


def _without_targets(walk: str) -> str:
    """The walk up to what was pointed out in it, and the elements."""
    head, found, rest = walk.partition('"targets":[')
    return head + rest.partition("]")[2] if found else walk
