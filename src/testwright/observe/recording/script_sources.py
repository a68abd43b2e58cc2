"""Where the frames of a stack are in the sources: the source maps of a page's scripts, fetched once and kept."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from testwright.model.session import ScriptFrame
from testwright.observe.recording.error_stacks import is_app_script, is_same_site
from testwright.observe.recording.source_maps import BadMap, IndexMap, SourceMap, address_in, data_in, parsed_map

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

FETCH_S = 2.0
MOST_BYTES = 20 * 1024 * 1024
# Anything else is a document with scripts in it: to ask for one again may do something.
_SCRIPT = re.compile(r"https?://[^?#]+\.(?:[cm]?[jt]sx?|vue|svelte)(?:[?#].*)?", re.IGNORECASE)
MOST_MAPS = 50  # kept at the same time


@dataclass(frozen=True, slots=True)
class Fetched:
    text: str
    map_header: str = ""  # of the answer: SourceMap or X-SourceMap


Fetch = Callable[[str], Awaitable[Fetched | None]]


class ScriptSources:
    """Finds the sources of scripts. Only scripts of the page's own site are asked for, and never more than once."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._maps: dict[str, asyncio.Task[SourceMap | IndexMap | None]] = {}

    async def mapped(self, stack: Sequence[ScriptFrame], page_url: str) -> tuple[ScriptFrame, ...]:
        """The stack with the spots that are known; it takes as long as its scripts' maps."""
        return tuple([await self._mapped_frame(frame, page_url) for frame in stack])

    async def close(self) -> None:
        for task in self._maps.values():
            task.cancel()
        await asyncio.gather(*self._maps.values(), return_exceptions=True)

    async def _mapped_frame(self, frame: ScriptFrame, page_url: str) -> ScriptFrame:
        if not _SCRIPT.fullmatch(frame.url) or not is_same_site(frame.url, page_url):
            return frame
        found = await self._map_of(frame.url)
        spot = found.spot(frame.line, frame.column) if found else None
        if spot is None:
            return frame
        return replace(frame, spot=spot, is_app=is_app_script(frame.url, page_url, spot.file))

    async def _map_of(self, url: str) -> SourceMap | IndexMap | None:
        task = self._maps.get(url)
        if task is None:
            if len(self._maps) >= MOST_MAPS:
                return None
            task = self._maps[url] = asyncio.get_running_loop().create_task(self._loaded(url))
        # Shielded: others wait for the same map, and a caller that gives up must not take it from them.
        return await asyncio.shield(task)

    async def _loaded(self, url: str) -> SourceMap | IndexMap | None:
        script = await self._fetch(url)
        if script is None:
            return None
        address = script.map_header or address_in(script.text)
        text = data_in(address)
        if text is None and address and not address.startswith("data:"):
            absolute = urljoin(url, address)
            fetched = await self._fetch(absolute) if is_same_site(absolute, url) else None
            text = fetched.text if fetched else None
        if text is None:
            return None
        try:
            return await asyncio.to_thread(parsed_map, text)
        except BadMap:
            return None


def fetching(context: "BrowserContext") -> Fetch:
    """Ask as the page itself would: with its cookies, through its proxy."""
    from playwright.async_api import Error  # late: extra: playwright

    async def fetch(url: str) -> Fetched | None:
        if not url.startswith(("http:", "https:")):
            return None
        try:
            answer = await context.request.get(url, timeout=FETCH_S * 1000, max_redirects=3)
            try:
                announced = answer.headers.get("content-length", "")
                if not answer.ok or (announced.isdigit() and int(announced) > MOST_BYTES):
                    return None
                body = await answer.body()
            finally:
                await answer.dispose()
        except Error:
            return None
        if len(body) > MOST_BYTES:
            return None
        header = answer.headers.get("sourcemap") or answer.headers.get("x-sourcemap") or ""
        return Fetched(body.decode("utf-8", "replace"), header)

    return fetch
