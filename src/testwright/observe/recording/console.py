"""What is written to the console, by the pages' code and by the browser."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from testwright.model.session import ConsoleLine
from testwright.observe.noise_rules import NoiseRules
from testwright.observe.recording.background_tasks import guarded
from testwright.observe.recording.rate_limit import RateLimit
from testwright.observe.recording.recording_state import RecordingState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Page

LONGEST_TEXT = 16 * 1024
MOST_PER_SECOND = 1_000
MOST_ALIKE = 200  # in a row
MOST_ARGS = 20


class ConsoleWatch:
    """Keeps lines while there are not too many; then it counts them, and says how many there were."""

    def __init__(self, notebook: RecordingState, noise: NoiseRules) -> None:
        self._notebook = notebook
        self._noise = noise
        self._flood = RateLimit(MOST_PER_SECOND)
        self._last = ("", "")  # level and text
        self._last_tab = 1
        self._alike = 0
        self._left_out = 0

    def watch(self, context: "BrowserContext", tab_of: Callable[["Page"], int]) -> None:
        def tell(message: "ConsoleMessage") -> None:
            self._tell(message, tab_of(message.page) if message.page else 1)

        context.on("console", guarded(self._notebook, "console lines", tell))

    async def drain(self) -> None:
        self._tell_repeats()
        self._tell_left_out()

    def _tell(self, message: "ConsoleMessage", tab: int) -> None:
        level, text = message.type, message.text
        if self._is_repeated(level, text, tab):
            return
        if self._flood.is_too_much(self._notebook.now()):
            self._left_out += 1
            return
        self._tell_left_out()
        place = message.location
        if self._noise.drops_console(text, place["url"]):
            return
        masker = self._notebook.masker
        self._add(
            level,
            masker.text(text[:LONGEST_TEXT]),
            tab,
            args=tuple(masker.text(str(one)[:LONGEST_TEXT]) for one in message.args[:MOST_ARGS]),
            url=masker.url(place["url"]),
            line=place["lineNumber"] + 1,
            column=place["columnNumber"] + 1,
        )

    def _is_repeated(self, level: str, text: str, tab: int) -> bool:
        if (level, text) != self._last:
            self._tell_repeats()
            self._last, self._last_tab, self._alike = (level, text), tab, 0
        self._alike += 1
        return self._alike > MOST_ALIKE

    def _tell_repeats(self) -> None:
        if self._alike > MOST_ALIKE:
            self._add(self._last[0], f"… repeated {self._alike - MOST_ALIKE} times", self._last_tab)
        self._alike = 0

    def _tell_left_out(self) -> None:
        if self._left_out:
            self._add("log", f"… {self._left_out} more lines left out", self._last_tab)
            self._notebook.gaps.add(f"console: more than {MOST_PER_SECOND} lines in a second, the rest left out")
            self._left_out = 0

    def _add(
        self,
        level: str,
        text: str,
        tab: int,
        *,
        args: tuple[str, ...] = (),
        url: str = "",
        line: int = 0,
        column: int = 0,
    ) -> None:
        notebook = self._notebook
        notebook.add(
            ConsoleLine(
                seq=notebook.next_seq(),
                t=notebook.now(),
                tab=tab,
                after=notebook.cause(tab),
                level=level,
                text=text,
                args=args,
                url=url,
                line=line,
                column=column,
            )
        )
