"""Where a document is: the iframes around it, each by a selector that finds only this one in the document above."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from testwright.masking.masker import Masker
from testwright.model.session import REDACTED
from testwright.observe.recording.element_targets import TEST_ID_ATTRIBUTES
from testwright.selectors.selector_candidates import quoted
from testwright.selectors.stability import looks_generated

if TYPE_CHECKING:
    from playwright.async_api import Frame

_MOST_KEPT = 500
_DEEPEST = 20
_FACTS = """(element, names) => ({
  tag: element.localName,
  given: Object.fromEntries(names.map((name) => [name, (element.getAttribute(name) || '').slice(0, 500)])),
})"""


class FrameChains:
    """Asked for when a document begins, and kept: when an action in it is reported, it may be about to go."""

    def __init__(self, masker: Masker, test_id_attribute: str) -> None:
        self._masker = masker
        self._test_ids = tuple(dict.fromkeys((test_id_attribute, *TEST_ID_ATTRIBUTES)))
        self._own: dict[Frame, str] = {}  # a frame -> the selector of its iframe

    async def around(self, frame: "Frame") -> tuple[str, ...]:
        """The outermost first; empty for a page's own document, and where it cannot be found out any more."""
        chain: list[str] = []
        at: Frame | None = frame
        while at is not None and at.parent_frame is not None and len(chain) < _DEEPEST:
            chain.append(await self._selector(at))
            at = at.parent_frame
        return tuple(reversed(chain))

    async def _selector(self, frame: "Frame") -> str:
        from playwright.async_api import Error  # late: extra: playwright

        if frame not in self._own:
            try:
                made = await self._made(frame)
            except Error:  # the frame has gone
                return "iframe"
            if len(self._own) >= _MOST_KEPT:
                self._own.pop(next(iter(self._own)))
            self._own[frame] = made
        return self._own[frame]

    async def _made(self, frame: "Frame") -> str:
        above = frame.parent_frame
        assert above is not None
        element = await frame.frame_element()
        names = [*self._test_ids, "title", "name", "id", "src"]
        facts: dict[str, Any] = await element.evaluate(_FACTS, names)
        tag = "frame" if facts["tag"] == "frame" else "iframe"
        for selector in self._named(tag, facts["given"]):
            if await above.locator(selector).count() == 1:
                return selector
        if await above.locator(tag).count() == 1:
            return tag
        for place, other in enumerate(await above.locator(tag).element_handles()):
            if await element.evaluate("(element, other) => element === other", other):
                return f"{tag} >> nth={place}"
        return tag

    def _named(self, tag: str, given: dict[str, str]) -> Iterator[str]:
        for name in (*self._test_ids, "title", "name", "id"):
            value = given[name]
            if value and not looks_generated(value) and self._masker.text(value) == value:
                yield f"{tag}[{name}={quoted(value)}]"
        source = given["src"].partition("?")[0].partition("#")[0]
        if source and self._masker.url(source) == source and REDACTED not in source:
            yield f"{tag}[src^={quoted(source)}]"
