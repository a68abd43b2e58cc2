"""What a page's own listeners say about an error, put together with what the browser says about it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

WAIT_S = 0.25  # either may come first, and the other comes at once; where a page has no listener none comes
_FRESH_S = 2.0  # errors that a page takes care of itself leave hints that are never taken
_KEPT = 200


@dataclass(frozen=True, slots=True)
class ErrorHint:
    what: str  # error, unhandledrejection
    message: str
    frame: "Frame"
    at: float  # on the monotonic clock


class ErrorHints:
    """Those that no error has taken yet, the oldest first."""

    def __init__(self) -> None:
        self._hints: deque[ErrorHint] = deque(maxlen=_KEPT)
        self._waiting: set[Callable[[], None]] = set()

    def add(self, message: Mapping[str, object], frame: "Frame") -> None:
        what, text = message.get("what"), message.get("message")
        if what in {"error", "unhandledrejection"} and isinstance(text, str):
            self._hints.append(ErrorHint(str(what), text, frame, time.monotonic()))
            for wake in list(self._waiting):
                wake()

    async def taken_for(self, page: "Page", message: str, seconds: float = WAIT_S) -> ErrorHint | None:
        """The one for this error; waits a little for it."""
        news = asyncio.Event()
        self._waiting.add(news.set)
        try:
            async with asyncio.timeout(seconds):
                while not (hint := self._taken(page, message)):
                    await news.wait()
                    news.clear()
        except TimeoutError:
            return self._taken(page, None)  # what was thrown is not an error, and each calls it by another name
        else:
            return hint
        finally:
            self._waiting.discard(news.set)

    def _taken(self, page: "Page", message: str | None) -> ErrorHint | None:
        earliest = time.monotonic() - _FRESH_S
        for hint in self._hints:
            if hint.at < earliest or hint.frame.page != page:
                continue
            if message is None or _is_about(hint.message, message):
                self._hints.remove(hint)
                return hint
        return None


def _is_about(hinted: str, message: str) -> bool:
    """Both are cut and prefixed in their own ways: `Uncaught TypeError: x`, `x`."""
    hinted, message = hinted.strip()[:500], message.strip()[:500]
    return hinted == message or (bool(message) and message in hinted) or (bool(hinted) and hinted in message)
